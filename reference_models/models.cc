#include "reference_models/tensor_program.h"

namespace racer::models {
namespace {

const std::vector<TensorProgram>& AllModels() {
  static const auto* const kModels = new std::vector<TensorProgram>{WeightedRmsNorm()};
  return *kModels;
}

}  // namespace

const TensorProgram* FindModel(const std::string& name) {
  for (const TensorProgram& model : AllModels()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

std::vector<std::string> ModelNames() {
  std::vector<std::string> names;
  for (const TensorProgram& model : AllModels()) names.push_back(model.name);
  return names;
}

}  // namespace racer::models
