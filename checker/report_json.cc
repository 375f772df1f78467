// The machine-readable forms of a report.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "checker/report.h"
#include "checker/version.h"

namespace racer {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  // Bytes of the user's files may be no UTF-8: they are replaced, never an error.
  return json.dump(2, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
}

Json PlaceJson(const Place& place) {
  return {{"side", std::string(SideName(place.side))},
          {"file", place.where.file},
          {"line", place.where.line},
          {"text", place.where.text},
          {"source", place.where.source}};
}

Json OptionalPlaceJson(const std::optional<Place>& place) { return place ? PlaceJson(*place) : Json(nullptr); }

Json DimsJson(const std::vector<std::pair<std::string, int64_t>>& dims) {
  Json json = Json::object();
  for (const auto& [name, value] : dims) json[name] = value;
  return json;
}

Json CountsJson(const std::vector<std::pair<std::string, uint64_t>>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

Json GateJson(const GateReport& gate) {
  Json where = Json::array();
  for (const Place& place : gate.where) where.push_back(PlaceJson(place));
  return {{"name", std::string(GateName(gate.gate))},
          {"status", std::string(GateStatusName(gate.status))},
          {"message", gate.message},
          {"where", std::move(where)}};
}

Json ShapeJson(const ShapeReport& shape) {
  return {{"dims", DimsJson(shape.dims)},
          {"domain", shape.domain},
          {"cells", shape.cells},
          {"decided_by", CountsJson(shape.decided_by)},
          {"variant", shape.variant}};
}

Json WitnessJson(const WitnessReport& witness) {
  Json inputs = Json::object();
  for (const auto& [name, value] : witness.inputs) inputs[name] = value;
  Json index_tensors = Json::object();
  for (const auto& [name, values] : witness.index_tensors) index_tensors[name] = values;
  return {{"cell", witness.cell},
          {"inputs", std::move(inputs)},
          {"candidate", witness.candidate},
          {"reference", witness.reference},
          {"replayed", witness.replayed},
          {"dims", DimsJson(witness.dims)},
          {"other_inputs", witness.rest},
          {"index_tensors", std::move(index_tensors)},
          {"candidate_real", witness.candidate_real},
          {"reference_real", witness.reference_real},
          {"candidate_where", OptionalPlaceJson(witness.candidate_where)},
          {"reference_where", OptionalPlaceJson(witness.reference_where)}};
}

Json ConstantJson(const ConstantReport& constant) {
  return {{"bits", constant.bits},
          {"format", constant.format},
          {"real", constant.real},
          {"ulp_distance", constant.ulp_distance},
          {"where", OptionalPlaceJson(constant.where)}};
}

Json IdiomJson(const IdiomReport& idiom) {
  return {{"idiom", idiom.idiom},   {"function", idiom.function}, {"error", idiom.error},
          {"domain", idiom.domain}, {"options", idiom.options},   {"where", OptionalPlaceJson(idiom.where)}};
}

Json ResourcesJson(const ResourcesReport& resources) {
  return {{"registers", CountsJson(resources.registers)},
          {"static_shared_bytes", resources.static_shared_bytes},
          {"loops", resources.loops},
          {"instructions", CountsJson(resources.instructions)}};
}

std::string_view SeverityText(Severity severity) {
  switch (severity) {
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kNote: return "note";
  }
  RACER_UNREACHABLE(severity);
}

Json DiagnosticJson(const Diagnostic& diagnostic) {
  return {{"kind", std::string(DiagnosticKindName(diagnostic.kind))},
          {"severity", std::string(SeverityText(diagnostic.severity))},
          {"file", diagnostic.location.file == nullptr ? "" : diagnostic.location.file->name()},
          {"line", diagnostic.location.line},
          {"column", diagnostic.location.column},
          {"message", diagnostic.message},
          {"expected", diagnostic.expected}};
}

// ---- SARIF

// RFC 3986: what may stand in a path, everything else as %XX.
std::string ToUri(std::string_view path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri;
  for (char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      uri += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    }
  }
  return uri;
}

Json SarifLocation(const std::string& file, int line, int column, const std::string& text) {
  Json physical = {{"artifactLocation", {{"uri", ToUri(file)}}}};
  if (line > 0) {
    physical["region"] = {{"startLine", line}};
    if (column > 0) physical["region"]["startColumn"] = column;
    if (!text.empty()) physical["region"]["snippet"] = {{"text", text}};
  }
  return {{"physicalLocation", std::move(physical)}};
}

// The PTX line, with the side that it is of, and the line of the source that it comes from.
Json SarifPlace(const Place& place) {
  Json location = SarifLocation(place.where.file, place.where.line, 0, place.where.text);
  location["message"] = {{"text", std::string(SideName(place.side))}};
  return location;
}

// Adds the line "file.cu:12" that a place's instruction comes from.
void AddSource(const Place& place, Json& related) {
  const std::string& source = place.where.source;
  const size_t colon = source.rfind(':');
  if (colon == std::string::npos) return;
  Json location = SarifLocation(source.substr(0, colon), std::atoi(source.c_str() + colon + 1), 0, "");
  location["message"] = {{"text", std::string(SideName(place.side)) + " source"}};
  related.push_back(std::move(location));
}

Json SarifResult(std::string_view rule, std::string_view level, const std::string& message, Json locations) {
  return {
      {"ruleId", std::string(rule)}, {"level", std::string(level)}, {"message", {{"text", message}}}, {"locations", std::move(locations)}};
}

}  // namespace

std::string ToJson(const Report& report) {
  Json json;
  json["schema"] = 1;
  json["racer"] = kRacerVersion;
  json["verdict"] = std::string(VerdictName(report.verdict));
  json["grade"] = std::string(GradeName(report.grade));
  json["error_log2"] = report.error_log2 ? Json(*report.error_log2) : Json(nullptr);
  json["exit"] = ExitStatus(report.verdict);
  json["summary"] = report.summary;
  json["gates"] = Json::array();
  for (const GateReport& gate : report.gates) json["gates"].push_back(GateJson(gate));
  json["shapes"] = Json::array();
  for (const ShapeReport& shape : report.shapes) json["shapes"].push_back(ShapeJson(shape));
  if (report.field) {
    for (const ShapeReport& shape : report.field->shapes) json["shapes"].push_back(ShapeJson(shape));
  }
  json["witness"] = report.witness ? WitnessJson(*report.witness) : Json(nullptr);
  json["assumptions"] = report.assumptions;
  json["constants"] = Json::array();
  for (const ConstantReport& constant : report.constants) json["constants"].push_back(ConstantJson(constant));
  json["idioms"] = Json::array();
  for (const IdiomReport& idiom : report.idioms) json["idioms"].push_back(IdiomJson(idiom));
  json["stats"] = {{"seconds", std::round(report.stats.seconds * 1e6) / 1e6},
                   {"thread_instructions", report.stats.thread_instructions},
                   {"terms", report.stats.terms},
                   {"peak_bytes", report.stats.peak_bytes},
                   {"field_seconds", std::round(report.stats.field_seconds * 1e6) / 1e6}};
  json["field"] = nullptr;
  if (report.field) {
    json["field"] = {{"status", std::string(FieldStatusName(report.field->status))},
                     {"reason", report.field->reason},
                     {"error_log2", report.field->error_log2 ? Json(*report.field->error_log2) : Json(nullptr)}};
  }
  json["reason"] = report.reason;
  json["failed_gate"] = report.failed_gate;
  json["candidate"] = report.candidate;
  json["reference"] = report.reference;
  json["contract"] = report.contract;
  json["unreached"] = report.unreached;
  json["inferred_contract"] = report.inferred_contract;
  json["contract_skeleton"] = report.contract_skeleton;
  json["hint"] = report.hint;
  json["resources"] = report.resources ? ResourcesJson(*report.resources) : Json(nullptr);
  json["diagnostics"] = Json::array();
  for (const Diagnostic& diagnostic : report.diagnostics) json["diagnostics"].push_back(DiagnosticJson(diagnostic));
  return Dump(json);
}

std::string ToSarif(const Report& report) {
  Json rules = Json::array();
  for (Gate gate : AllGates()) rules.push_back({{"id", std::string(GateName(gate))}});
  rules.push_back({{"id", "input_error"}});
  rules.push_back({{"id", "internal_error"}});
  Json results = Json::array();
  for (const GateReport& gate : report.gates) {
    if (gate.status != GateStatus::kFail && gate.status != GateStatus::kUndecided) continue;
    // Nothing to annotate: the failure that left it open is a result of its own.
    if (gate.status == GateStatus::kUndecided && gate.message.starts_with(kNotDecided)) continue;
    Json locations = Json::array(), related = Json::array();
    for (const Place& place : gate.where) {
      locations.push_back(SarifPlace(place));
      AddSource(place, related);
    }
    std::string message = gate.message.empty() ? std::string(GateStatusName(gate.status)) : gate.message;
    const bool witnessed = gate.gate == Gate::kEquivalence && report.witness.has_value();
    if (witnessed) message += ": candidate " + report.witness->candidate + ", reference " + report.witness->reference;
    Json result = SarifResult(GateName(gate.gate), gate.status == GateStatus::kFail ? "error" : "warning", message, std::move(locations));
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    if (witnessed) result["properties"] = {{"witness", WitnessJson(*report.witness)}};
    results.push_back(std::move(result));
  }
  for (const Diagnostic& diagnostic : report.diagnostics) {
    Json locations = Json::array();
    if (diagnostic.location.file != nullptr) {
      locations.push_back(SarifLocation(diagnostic.location.file->name(), diagnostic.location.line, diagnostic.location.column, ""));
    }
    std::string message = diagnostic.message + (diagnostic.expected.empty() ? "" : "; expected " + diagnostic.expected);
    results.push_back(SarifResult("input_error", SeverityText(diagnostic.severity), message, std::move(locations)));
  }
  if (report.verdict == Verdict::kInternalError) results.push_back(SarifResult("internal_error", "error", report.summary, Json::array()));
  Json run = {{"tool", {{"driver", {{"name", "racer"}, {"version", kRacerVersion}, {"rules", std::move(rules)}}}}},
              {"results", std::move(results)},
              {"properties", {{"verdict", std::string(VerdictName(report.verdict))}, {"grade", std::string(GradeName(report.grade))}}}};
  Json json = {{"version", "2.1.0"}, {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"runs", Json::array({std::move(run)})}};
  return Dump(json);
}

}  // namespace racer
