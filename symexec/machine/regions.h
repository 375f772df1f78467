// What lies between a branch and the place where its two ways meet: for branches that data decide, both of which are taken.
#ifndef RACER_SYMEXEC_MACHINE_REGIONS_H_
#define RACER_SYMEXEC_MACHINE_REGIONS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "ptx_frontend/ir/cfg.h"
#include "symexec/machine/program.h"

namespace racer {

struct Region {
  struct Row {
    uint32_t row = 0;
    uint8_t width = 0;  // of the register
    bool live = true;   // read before it is written, once the ways have met
  };
  uint32_t meeting = 0;   // pc of the immediate post-dominator; of the return behind the function's body where there is none
  uint32_t longer = 0;    // pc of the way with more ahead: the one that counts for lanes that miss a barrier
  std::vector<Row> rows;  // registers of the function that some instruction in between may write
};

// Of a program, made as they are asked for. The program must outlive it.
class Regions {
 public:
  explicit Regions(const Program* program) : program_(program) {}

  // Of a branch, a return or an exit with a guard; of any other instruction with a guard, itself.
  const Region& From(uint32_t pc);
  // Whether the guard of the instruction may depend on what was loaded or on a floating-point value: on what may be symbolic in Term.
  // Over-approximate, and never false where data decide.
  bool MayDependOnData(uint32_t pc);

 private:
  struct FunctionBlocks {
    ir::Cfg cfg;
    std::vector<std::vector<bool>> live_in;  // [block][row of the function]
    std::vector<bool> live_at_end;           // at the return behind the body
  };

  FunctionBlocks& BlocksOf(uint32_t function);
  void FindLive(uint32_t function, FunctionBlocks* blocks);
  Region Make(uint32_t pc);
  void FindTaint();
  bool TaintFrom(const Decoded& in);

  const Program* program_;
  std::map<uint32_t, FunctionBlocks> functions_;
  std::map<uint32_t, Region> regions_;
  std::vector<bool> tainted_;  // by row; empty: not looked for yet
};

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_REGIONS_H_
