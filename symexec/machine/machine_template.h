// Everything of Core, for the files that instantiate it.
#ifndef RACER_SYMEXEC_MACHINE_MACHINE_TEMPLATE_H_
#define RACER_SYMEXEC_MACHINE_MACHINE_TEMPLATE_H_

#include "symexec/machine/core.h"
#include "symexec/machine/exec_access.h"
#include "symexec/machine/exec_async.h"
#include "symexec/machine/exec_atomic.h"
#include "symexec/machine/exec_call.h"
#include "symexec/machine/exec_collective.h"
#include "symexec/machine/exec_control.h"
#include "symexec/machine/exec_matrix.h"
#include "symexec/machine/exec_memory.h"
#include "symexec/machine/exec_mma.h"
#include "symexec/machine/exec_region.h"
#include "symexec/machine/exec_stack.h"
#include "symexec/machine/exec_sums.h"
#include "symexec/machine/exec_value.h"
#include "symexec/machine/exec_wmma.h"
#include "symexec/machine/findings.h"
#include "symexec/machine/launch.h"

#endif  // RACER_SYMEXEC_MACHINE_MACHINE_TEMPLATE_H_
