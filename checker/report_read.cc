// A report back from its JSON: what a process that was stopped has told until then.
#include <nlohmann/json.hpp>
#include <utility>

#include "checker/report.h"

namespace racer {
namespace {

using Json = nlohmann::ordered_json;
template <class Value>
using Pairs = std::vector<std::pair<std::string, Value>>;

template <class Value>
Pairs<Value> ReadPairs(const Json& json) {
  Pairs<Value> pairs;
  for (const auto& [name, value] : json.items()) pairs.emplace_back(name, value.template get<Value>());
  return pairs;
}

// The names of an enumeration are those that its writer uses.
template <class Enum>
Enum ReadName(const Json& json, std::string_view (*name)(Enum), std::initializer_list<Enum> values) {
  for (Enum value : values) {
    if (json.get<std::string>() == name(value)) return value;
  }
  throw Json::other_error::create(501, "no such name", &json);
}

std::optional<Place> ReadPlace(const Json& json) {
  if (json.is_null()) return std::nullopt;
  Place place;
  place.side = json.at("side") == SideName(Side::kCandidate) ? Side::kCandidate : Side::kReference;
  json.at("file").get_to(place.where.file);
  json.at("line").get_to(place.where.line);
  json.at("text").get_to(place.where.text);
  json.at("source").get_to(place.where.source);
  return place;
}

GateReport ReadGate(const Json& json) {
  GateReport gate;
  gate.gate = GateFromName(json.at("name").get<std::string>()).value();
  gate.status = ReadName(json.at("status"), GateStatusName,
                         {GateStatus::kPass, GateStatus::kFail, GateStatus::kUndecided, GateStatus::kNotApplicable});
  json.at("message").get_to(gate.message);
  for (const Json& place : json.at("where")) gate.where.push_back(ReadPlace(place).value());
  return gate;
}

ShapeReport ReadShape(const Json& json) {
  ShapeReport shape;
  shape.dims = ReadPairs<int64_t>(json.at("dims"));
  json.at("domain").get_to(shape.domain);
  json.at("cells").get_to(shape.cells);
  shape.decided_by = ReadPairs<uint64_t>(json.at("decided_by"));
  json.at("variant").get_to(shape.variant);
  return shape;
}

WitnessReport ReadWitness(const Json& json) {
  WitnessReport witness;
  json.at("cell").get_to(witness.cell);
  witness.inputs = ReadPairs<std::string>(json.at("inputs"));
  json.at("candidate").get_to(witness.candidate);
  json.at("reference").get_to(witness.reference);
  json.at("replayed").get_to(witness.replayed);
  witness.dims = ReadPairs<int64_t>(json.at("dims"));
  json.at("other_inputs").get_to(witness.rest);
  for (const auto& [name, values] : json.at("index_tensors").items()) {
    witness.index_tensors.emplace_back(name, values.get<std::vector<int64_t>>());
  }
  json.at("candidate_real").get_to(witness.candidate_real);
  json.at("reference_real").get_to(witness.reference_real);
  witness.candidate_where = ReadPlace(json.at("candidate_where"));
  witness.reference_where = ReadPlace(json.at("reference_where"));
  return witness;
}

ConstantReport ReadConstant(const Json& json) {
  ConstantReport constant;
  json.at("bits").get_to(constant.bits);
  json.at("format").get_to(constant.format);
  json.at("real").get_to(constant.real);
  json.at("ulp_distance").get_to(constant.ulp_distance);
  constant.where = ReadPlace(json.at("where"));
  return constant;
}

IdiomReport ReadIdiom(const Json& json) {
  IdiomReport idiom;
  json.at("idiom").get_to(idiom.idiom);
  json.at("function").get_to(idiom.function);
  json.at("error").get_to(idiom.error);
  json.at("domain").get_to(idiom.domain);
  json.at("options").get_to(idiom.options);
  idiom.where = ReadPlace(json.at("where"));
  return idiom;
}

Report ReadReport(const Json& json) {
  Report report;
  report.verdict = ReadName(
      json.at("verdict"), VerdictName,
      {Verdict::kEquivalent, Verdict::kDifferent, Verdict::kViolation, Verdict::kUndecided, Verdict::kInputError, Verdict::kInternalError});
  report.grade = ReadName(json.at("grade"), GradeName, {Grade::kNone, Grade::kProbabilistic, Grade::kProved});
  if (!json.at("error_log2").is_null()) report.error_log2 = json.at("error_log2").get<int>();
  json.at("failed_gate").get_to(report.failed_gate);
  json.at("reason").get_to(report.reason);
  json.at("summary").get_to(report.summary);
  json.at("candidate").get_to(report.candidate);
  json.at("reference").get_to(report.reference);
  json.at("contract").get_to(report.contract);
  for (const Json& gate : json.at("gates")) report.gates.push_back(ReadGate(gate));
  if (const Json& field = json.at("field"); !field.is_null()) {
    report.field.emplace();
    report.field->status = ReadName(field.at("status"), FieldStatusName,
                                    {FieldReport::Status::kTested, FieldReport::Status::kUnlike, FieldReport::Status::kNotRun});
    field.at("reason").get_to(report.field->reason);
    if (!field.at("error_log2").is_null()) report.field->error_log2 = field.at("error_log2").get<int>();
  }
  for (const Json& json_shape : json.at("shapes")) {
    ShapeReport shape = ReadShape(json_shape);
    (shape.domain == "field" && report.field ? report.field->shapes : report.shapes).push_back(std::move(shape));
  }
  json.at("unreached").get_to(report.unreached);
  if (!json.at("witness").is_null()) report.witness = ReadWitness(json.at("witness"));
  json.at("assumptions").get_to(report.assumptions);
  for (const Json& constant : json.at("constants")) report.constants.push_back(ReadConstant(constant));
  for (const Json& idiom : json.at("idioms")) report.idioms.push_back(ReadIdiom(idiom));
  if (const Json& resources = json.at("resources"); !resources.is_null()) {
    report.resources = ResourcesReport{ReadPairs<uint64_t>(resources.at("registers")), resources.at("static_shared_bytes").get<uint64_t>(),
                                       resources.at("loops").get<uint64_t>(), ReadPairs<uint64_t>(resources.at("instructions"))};
  }
  json.at("hint").get_to(report.hint);
  json.at("inferred_contract").get_to(report.inferred_contract);
  json.at("contract_skeleton").get_to(report.contract_skeleton);
  const Json& stats = json.at("stats");
  stats.at("seconds").get_to(report.stats.seconds);
  stats.at("thread_instructions").get_to(report.stats.thread_instructions);
  stats.at("terms").get_to(report.stats.terms);
  stats.at("peak_bytes").get_to(report.stats.peak_bytes);
  stats.at("field_seconds").get_to(report.stats.field_seconds);
  return report;
}

}  // namespace

std::optional<Report> FromJson(const std::string& text) {
  try {
    return ReadReport(Json::parse(text));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace racer
