#include "ptx_frontend/isa/types.h"

#include "base/check.h"

namespace racer {

std::string_view Spelling(StateSpace space) {
  switch (space) {
    case StateSpace::kGeneric: return "";
    case StateSpace::kReg: return "reg";
    case StateSpace::kSreg: return "sreg";
    case StateSpace::kConst: return "const";
    case StateSpace::kGlobal: return "global";
    case StateSpace::kLocal: return "local";
    case StateSpace::kParam: return "param";
    case StateSpace::kParamFunc: return "param::func";
    case StateSpace::kShared: return "shared";
    case StateSpace::kSharedCluster: return "shared::cluster";
    case StateSpace::kTex: return "tex";
  }
  RACER_UNREACHABLE(static_cast<int>(space));
}

}  // namespace racer
