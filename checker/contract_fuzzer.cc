// The contract reader on any bytes: no crash, no hang; what it accepts, it prints in a form that reads back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "checker/contract.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  racer::Result<racer::Contract> contract = racer::ParseContract(std::make_shared<racer::SourceFile>("fuzz.toml", text));
  if (!contract.ok()) {
    if (contract.error().Render().empty()) std::abort();
    return 0;
  }
  std::string printed = racer::ToToml(*contract);
  racer::Result<racer::Contract> again = racer::ParseContract(std::make_shared<racer::SourceFile>("printed.toml", printed));
  if (!again.ok() || racer::ToToml(*again) != printed) std::abort();
  return 0;
}
