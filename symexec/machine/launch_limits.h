// What the hardware and the kernel's directives say about a launch.
#ifndef RACER_SYMEXEC_MACHINE_LAUNCH_LIMITS_H_
#define RACER_SYMEXEC_MACHINE_LAUNCH_LIMITS_H_

#include <cstdint>
#include <string>

#include "symexec/machine/layout.h"
#include "symexec/machine/program.h"
#include "symexec/machine/run.h"

namespace racer {

struct LaunchProblem {
  std::string message;     // empty: none
  bool violation = false;  // the launch would fail; else racer does not model it
};

// Grid and block against the hardware (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"),
// .maxntid and .reqntid, the arguments against the .param list, and the launches that are not modelled (clusters,
// 32-bit addresses).
LaunchProblem CheckLaunch(const RunConfig& config);
// Static shared memory against 48 KiB, static and dynamic against what a CTA can get on the module's target.
LaunchProblem CheckSharedSize(const RunConfig& config, const Layout& layout);
uint64_t MaxSharedBytes(int sm);

Where EntryPlace(const RunConfig& config);
uint32_t SpecialValue(const SpecialUse& use, uint32_t lane, uint32_t thread, const Dim3& ctaid, const Dim3& grid, const Dim3& block,
                      uint64_t dynamic_shared);
std::string DecimalSeconds(double seconds);  // "2.5 s"

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_LAUNCH_LIMITS_H_
