// docs/isa.md, written from the instruction table.
#ifndef RACER_PTX_FRONTEND_ISA_ISA_DOC_H_
#define RACER_PTX_FRONTEND_ISA_ISA_DOC_H_

#include <string>

namespace racer {

// The whole page, Markdown.
std::string IsaDoc();

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_ISA_DOC_H_
