// Prints docs/isa.md.
#include <iostream>

#include "ptx_frontend/isa/isa_doc.h"

int main() {
  std::cout << racer::IsaDoc();
  return 0;
}
