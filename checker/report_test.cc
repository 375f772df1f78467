#include "checker/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/diagnostic.h"

namespace racer {
namespace {

Report Equivalent() {
  Report report;
  report.verdict = Verdict::kEquivalent;
  report.grade = Grade::kProved;
  report.summary = "778 output cells at 2 shapes are the same real functions of the inputs";
  report.candidate = "a.ptx:k";
  report.reference = "r.ptx:r";
  for (Gate gate : {Gate::kParse, Gate::kBounds, Gate::kEquivalence}) report.gates.push_back({gate, GateStatus::kPass, "", {}});
  report.gates.push_back({Gate::kRounding, GateStatus::kNotApplicable, "not asked for", {}});
  report.shapes.push_back({{{"N", 2}, {"H", 5}}, "term", 10, {{"same_term", 4}, {"canonical", 6}}});
  report.shapes.push_back({{{"N", 2}, {"H", 384}}, "term", 768, {{"canonical", 768}}});
  report.constants.push_back({"0x3b2aaaab", "f32", "1/384", 0.333, Place{Side::kCandidate, {"a.ptx", 33, "mul.f32", ""}}});
  for (int i = 1; i <= 8; ++i) report.assumptions.push_back("assumption " + std::to_string(i));
  report.stats = {0.25, 1000, 200, 3 << 20};
  return report;
}

TEST(ReportText, Equivalent) {
  EXPECT_EQ(ToText(Equivalent(), {}),
            "EQUIVALENT\n"
            "  778 output cells at 2 shapes are the same real functions of the inputs\n"
            "  candidate  a.ptx:k\n"
            "  reference  r.ptx:r\n"
            "shapes\n"
            "  N=2,H=5    term  10 cells: same_term 4, canonical 6\n"
            "  N=2,H=384  term  768 cells: canonical 768\n"
            "gates\n"
            "  pass           parse bounds equivalence\n"
            "  not asked for  rounding\n"
            "constants taken for the real that they round (--constants=exact takes none)\n"
            "  0x3b2aaaab (f32) = 1/384, 0.333 ulp away, candidate a.ptx:33\n"
            "assumptions\n"
            "  assumption 1\n"
            "  assumption 2\n"
            "  assumption 3\n"
            "  assumption 4\n"
            "  assumption 5\n"
            "  assumption 6\n"
            "  ... and 2 more (--verbose)\n");
}

TEST(ReportText, VerboseCutsNothing) {
  TextStyle style;
  style.verbose = true;
  std::string text = ToText(Equivalent(), style);
  EXPECT_NE(text.find("assumption 8\n"), std::string::npos);
  EXPECT_EQ(text.find("more (--verbose)"), std::string::npos);
  EXPECT_NE(text.find("0.250 s, 1000 thread instructions, 200 terms, 3.0 MiB\n"), std::string::npos);
}

Report Tested() {
  Report report = Equivalent();
  report.field.emplace();
  report.field->status = FieldReport::Status::kTested;
  report.field->error_log2 = -87;
  report.field->shapes.push_back({{{"N", 64}, {"H", 8192}}, "field", 524288, {{"field", 524288}}});
  return report;
}

TEST(ReportText, Field) {
  const std::string heading = "tested at a random point of prime fields, which proves nothing\n";
  EXPECT_NE(ToText(Tested(), {})
                .find("  N=2,H=384  term  768 cells: canonical 768\n" + heading +
                      "  N=64,H=8192  524288 cells are equal\n  wrong with a probability of at most 2^-87\ngates\n"),
            std::string::npos)
      << ToText(Tested(), {});
  Report unlike = Tested();
  unlike.field->status = FieldReport::Status::kUnlike;
  unlike.field->error_log2.reset();
  unlike.field->shapes[0].decided_by = {{"field", 524287}, {"field_unlike", 1}};
  EXPECT_NE(ToText(unlike, {}).find(heading + "  N=64,H=8192  1 of 524288 cells have unlike values\ngates\n"), std::string::npos);
  Report not_run = Equivalent();
  not_run.field.emplace();
  not_run.field->reason = "a branch depends on symbolic data (a.ptx:9)";
  EXPECT_NE(ToText(not_run, {}).find(heading + "  not run: a branch depends on symbolic data (a.ptx:9)\ngates\n"), std::string::npos);
}

// A shape that was tested is no shape that was proved, also after a report has been read back.
TEST(ReportJson, Field) {
  const nlohmann::json json = nlohmann::json::parse(ToJson(Tested()));
  EXPECT_EQ(json["shapes"].size(), 3u);
  EXPECT_EQ(json["shapes"][2]["domain"], "field");
  EXPECT_EQ(json["field"]["status"], "tested");
  EXPECT_EQ(json["field"]["error_log2"], -87);
  const std::optional<Report> read = FromJson(ToJson(Tested()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->shapes.size(), 2u);
  ASSERT_TRUE(read->field.has_value());
  EXPECT_EQ(read->field->shapes.size(), 1u);
  EXPECT_EQ(ToJson(*read), ToJson(Tested()));
  EXPECT_EQ(nlohmann::json::parse(ToJson(Equivalent()))["field"], nullptr);
}

TEST(ReportText, VerdictLines) {
  Report report = Equivalent();
  EXPECT_EQ(VerdictLine(report), "EQUIVALENT");
  report.grade = Grade::kProbabilistic;
  report.error_log2 = -40;
  EXPECT_EQ(VerdictLine(report), "EQUIVALENT (probabilistic, error <= 2^-40)");
  // Breaks if the line follows the verdict alone: nothing was proved equal.
  report.grade = Grade::kNone;
  EXPECT_EQ(VerdictLine(report), "PASS");
  report.verdict = Verdict::kDifferent;
  EXPECT_EQ(VerdictLine(report), "DIFFERENT");
  report.verdict = Verdict::kViolation;
  report.failed_gate = "race";
  EXPECT_EQ(VerdictLine(report), "VIOLATION race");
  report.verdict = Verdict::kUndecided;
  report.reason = "candidate: ex2 is not modelled (a.ptx:9)";
  EXPECT_EQ(VerdictLine(report), "UNDECIDED candidate: ex2 is not modelled (a.ptx:9)");
  report.verdict = Verdict::kInputError;
  report.reason = "no such file";
  EXPECT_EQ(VerdictLine(report), "INPUT ERROR no such file");
  report.verdict = Verdict::kInternalError;
  EXPECT_EQ(VerdictLine(report), "INTERNAL ERROR no such file");
}

TEST(ReportText, QuietAndColour) {
  TextStyle style;
  style.quiet = true;
  Report report = Equivalent();
  EXPECT_EQ(ToText(report, style), "EQUIVALENT\n");
  style.color = true;
  EXPECT_EQ(ToText(report, style), "\x1b[1;32mEQUIVALENT\x1b[0m\n");
  report.verdict = Verdict::kViolation;
  report.failed_gate = "race";
  EXPECT_EQ(ToText(report, style), "\x1b[1;31mVIOLATION\x1b[0m race\n");
  report.verdict = Verdict::kInputError;
  report.reason = "x y";
  EXPECT_EQ(ToText(report, style), "\x1b[1;31mINPUT ERROR\x1b[0m x y\n");
}

Report Different() {
  Report report;
  report.verdict = Verdict::kDifferent;
  report.summary = "y[0,3] differs";
  report.candidate = "a.ptx:k";
  report.reference = "r.ptx:r";
  Place candidate{Side::kCandidate, {"a.ptx", 88, "st.global.f32 [%rd1], %f2;", "a.cu:12"}};
  Place reference{Side::kReference, {"r.ptx", 70, "st.global.f32 [%rd9], %f1;", ""}};
  report.gates.push_back({Gate::kEquivalence, GateStatus::kFail, "y[0,3] differs (N=1,H=4)", {candidate, reference}});
  report.gates.push_back({Gate::kRounding, GateStatus::kUndecided, "not in this version", {}});
  WitnessReport witness;
  witness.cell = "y[0,3]";
  witness.dims = {{"N", 1}, {"H", 4}};
  for (int i = 0; i < 7; ++i) witness.inputs.emplace_back("x[0," + std::to_string(i) + "]", "2 (0x40000000)");
  witness.rest = "every other input is 1";
  witness.index_tensors = {{"id", {3, -1, 5, 5, 2, 2, 2, 2}}, {"at", {}}};
  for (int i = 0; i < 30; ++i) witness.index_tensors[1].second.push_back(i);
  witness.candidate = "0.5 (0x3f000000)";
  witness.reference = "1 (0x3f800000)";
  witness.candidate_real = "0.5000";
  witness.candidate_where = candidate;
  witness.reference_where = reference;
  witness.replayed = true;
  report.witness = witness;
  return report;
}

TEST(ReportText, Different) {
  EXPECT_EQ(ToText(Different(), {}),
            "DIFFERENT\n"
            "  y[0,3] differs\n"
            "  candidate  a.ptx:k\n"
            "  reference  r.ptx:r\n"
            "gates\n"
            "  FAIL           equivalence: y[0,3] differs (N=1,H=4)\n"
            "    candidate  a.ptx:88: st.global.f32 [%rd1], %f2;  (a.cu:12)\n"
            "    reference  r.ptx:70: st.global.f32 [%rd9], %f1;\n"
            "  undecided      rounding: not in this version\n"
            "witness\n"
            "  cell       y[0,3] at N=1,H=4, replayed bit for bit on both kernels\n"
            "  inputs     x[0,0] = 2 (0x40000000)\n"
            "             x[0,1] = 2 (0x40000000)\n"
            "             x[0,2] = 2 (0x40000000)\n"
            "             x[0,3] = 2 (0x40000000)\n"
            "             x[0,4] = 2 (0x40000000)\n"
            "             x[0,5] = 2 (0x40000000)\n"
            "             ... and 1 more (--verbose)\n"
            "             every other input is 1\n"
            "  index      id = 3, -1, 5, 5, 4 times 2\n"
            "             at = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, ... (30 in all; "
            "--verbose)\n"
            "  candidate  0.5 (0x3f000000)   over the reals 0.5000\n"
            "             a.ptx:88: st.global.f32 [%rd1], %f2;  (a.cu:12)\n"
            "  reference  1 (0x3f800000)\n"
            "             r.ptx:70: st.global.f32 [%rd9], %f1;\n");
}

// As it was called; the JSON stays as it is. Broken once by printing racer.
TEST(ReportText, ANextStepThatIsACommand) {
  Report report = Different();
  report.hint = "racer explain a.ptx";
  EXPECT_NE(ToText(report, {.program = "tools/racer"}).find("next step\n  tools/racer explain a.ptx\n"), std::string::npos);
  EXPECT_NE(ToText(report, {}).find("next step\n  racer explain a.ptx\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(ToJson(report))["hint"], "racer explain a.ptx");
  report.hint = "raise --timeout";
  EXPECT_NE(ToText(report, {.program = "tools/racer"}).find("next step\n  raise --timeout\n"), std::string::npos);
}

// Nothing of the input reaches a terminal unescaped.
TEST(ReportText, Escapes) {
  Report report = Different();
  report.candidate = "a\x1b[31m.ptx:k";
  report.gates[0].where[0].where.text = "\x1b]0;title\x07";
  report.witness->cell = "y\n";
  std::string text = ToText(report, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("a\\x1b[31m.ptx:k"), std::string::npos);
  EXPECT_NE(text.find("y\\x0a at"), std::string::npos);
}

TEST(ReportText, InferredContract) {
  Report report;
  report.verdict = Verdict::kEquivalent;
  report.grade = Grade::kProved;
  report.reference = "r";
  report.inferred_contract = "id = \"i\"\n\n[dims]\n";
  EXPECT_EQ(ToText(report, {}),
            "EQUIVALENT\n"
            "  reference  r\n"
            "inferred contract (save it as STEM.toml beside the candidate to keep or change it)\n"
            "  id = \"i\"\n"
            "\n"
            "  [dims]\n");
}

TEST(ReportText, GatesWithOneMessageShareALine) {
  Report report;
  report.verdict = Verdict::kUndecided;
  report.reason = "no contract";
  report.hint = "write one";
  report.contract_skeleton = "id = \"k\"\n";
  report.gates.push_back({Gate::kParse, GateStatus::kPass, "", {}});
  for (Gate gate : {Gate::kLaunch, Gate::kRace}) report.gates.push_back({gate, GateStatus::kUndecided, "no contract", {}});
  Place place{Side::kCandidate, {"a.ptx", 88, "bar.sync 0;", ""}};
  report.gates.push_back({Gate::kSync, GateStatus::kUndecided, "deep", {place}});
  report.gates.push_back({Gate::kPreserve, GateStatus::kUndecided, "deep", {place}});
  report.gates.push_back({Gate::kDeterminism, GateStatus::kUndecided, "deep", {}});
  EXPECT_EQ(ToText(report, {}),
            "UNDECIDED no contract\n"
            "gates\n"
            "  pass           parse\n"
            "  undecided      launch race: as above\n"
            "  undecided      sync preserve: deep\n"
            "    candidate  a.ptx:88: bar.sync 0;\n"
            "  undecided      determinism: deep\n"
            "next step\n"
            "  write one\n"
            "a contract to start from (made from what the kernels show; every line needs a look)\n"
            "  id = \"k\"\n");
}

TEST(ReportText, CellsThatWereNotLookedAt) {
  Report report = Equivalent();
  report.shapes = {{{{"N", 3}}, "term", 381, {{"canonical", 255}, {"refuted", 1}, {std::string(kNotLookedAt), 125}}}};
  EXPECT_NE(ToText(report, {}).find("  N=3  term  381 cells: canonical 255, refuted 1, not looked at 125\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(ToJson(report))["shapes"][0]["decided_by"]["not_looked_at"], 125);
}

TEST(ReportText, Resources) {
  Report report = Equivalent();
  report.resources = ResourcesReport{{{"b32", 3}, {"pred", 1}}, 4096, 2, {}};
  for (int i = 0; i < 26; ++i) report.resources->instructions.emplace_back("op" + std::to_string(i), 1);
  std::string text = ToText(report, {});
  EXPECT_NE(text.find("resources\n  registers             b32 3, pred 1\n  static shared memory  4096 bytes\n  loops                 2\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("op23 1, ... (26 in all; --verbose)\n"), std::string::npos) << text;
  nlohmann::json json = nlohmann::json::parse(ToJson(report));
  EXPECT_EQ(json["resources"]["static_shared_bytes"], 4096);
  EXPECT_EQ(json["resources"]["registers"]["pred"], 1);
  EXPECT_EQ(json["resources"]["instructions"].size(), 26u);
}

TEST(ReportJson, SchemaOneInOrder) {
  std::string text = ToJson(Equivalent());
  EXPECT_EQ(text, ToJson(Equivalent()));
  const char* keys[] = {"\"schema\": 1",
                        "\"racer\": \"0.1.0\"",
                        "\"verdict\": \"equivalent\"",
                        "\"grade\": \"proved\"",
                        "\"error_log2\": null",
                        "\"exit\": 0",
                        "\"summary\"",
                        "\"gates\"",
                        "\"name\": \"parse\"",
                        "\"status\": \"pass\"",
                        "\"message\": \"\"",
                        "\"where\": []",
                        "\"shapes\"",
                        "\"dims\"",
                        "\"N\": 2",
                        "\"H\": 5",
                        "\"domain\": \"term\"",
                        "\"cells\": 10",
                        "\"decided_by\"",
                        "\"same_term\": 4",
                        "\"canonical\": 6",
                        "\"variant\": \"\"",
                        "\"witness\": null",
                        "\"assumptions\"",
                        "\"constants\"",
                        "\"idioms\": []",
                        "\"stats\"",
                        "\"seconds\": 0.25",
                        "\"thread_instructions\": 1000",
                        "\"terms\": 200",
                        "\"peak_bytes\": 3145728"};
  size_t at = 0;
  for (const char* key : keys) {
    size_t found = text.find(key, at);
    EXPECT_NE(found, std::string::npos) << key;
    if (found != std::string::npos) at = found;
  }
  EXPECT_EQ(text.back(), '\n');
}

TEST(ReportJson, Witness) {
  nlohmann::json json = nlohmann::json::parse(ToJson(Different()));
  EXPECT_EQ(json["exit"], 1);
  EXPECT_EQ(json["witness"]["cell"], "y[0,3]");
  EXPECT_EQ(json["witness"]["inputs"].size(), 7u);
  EXPECT_EQ(json["witness"]["replayed"], true);
  EXPECT_EQ(json["witness"]["index_tensors"]["id"], nlohmann::json({3, -1, 5, 5, 2, 2, 2, 2}));
  EXPECT_EQ(json["witness"]["index_tensors"]["at"].size(), 30u);
  EXPECT_NE(ToText(Different(), {.verbose = true}).find("22, 23, 24, 25, 26, 27, 28, 29\n"), std::string::npos);
  EXPECT_EQ(json["gates"][0]["where"][0]["side"], "candidate");
  EXPECT_EQ(json["gates"][0]["where"][0]["line"], 88);
  EXPECT_EQ(json["gates"][0]["where"][0]["source"], "a.cu:12");
}

// Nothing is lost on the way of a report from one process to another.
TEST(ReportJson, ThereAndBack) {
  Report undecided = Different();
  undecided.verdict = Verdict::kUndecided;
  undecided.reason = undecided.hint = "r";
  undecided.contract = "c.toml";
  undecided.inferred_contract = undecided.contract_skeleton = "id = 1\n";
  undecided.unreached = {"a", "b"};
  undecided.error_log2 = -40;
  undecided.constants.push_back({"0x3b2aaaab", "f32", "1/384", 0.3, undecided.gates[0].where[0]});
  undecided.idioms.push_back({"expf", "exp(x)", "2 ulp", "every x", "nvcc 13.0", undecided.gates[0].where[0]});
  undecided.resources = ResourcesReport{{{"pred", 1}}, 4096, 2, {{"ret", 3}}};
  for (const Report& report : {Equivalent(), Different(), undecided}) {
    std::optional<Report> back = FromJson(ToJson(report));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(ToJson(*back), ToJson(report));
    EXPECT_EQ(ToText(*back, {.verbose = true}), ToText(report, {.verbose = true}));
  }
  for (const char* text : {"", "{", "{}", "[1]", "null"}) EXPECT_FALSE(FromJson(text).has_value());
}

TEST(ReportJson, AnyBytes) {
  Report report = Different();
  report.summary = "\xff\xfe \x01";
  EXPECT_TRUE(nlohmann::json::accept(ToJson(report)));
  EXPECT_TRUE(nlohmann::json::accept(ToSarif(report)));
}

TEST(ReportSarif, FailuresAndDiagnostics) {
  Report report = Different();
  auto file = std::make_shared<SourceFile>("dir/a b.toml", "x\n");
  report.diagnostics.push_back(MakeError(DiagnosticKind::kContractValue, {file, 1, 1, 1}, "bad", "good"));
  nlohmann::json json = nlohmann::json::parse(ToSarif(report));
  EXPECT_EQ(json["version"], "2.1.0");
  const nlohmann::json& results = json["runs"][0]["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0]["ruleId"], "equivalence");
  EXPECT_EQ(results[0]["level"], "error");
  // The values, and the line of the source. Seen failing without either.
  const std::string message = results[0]["message"]["text"];
  EXPECT_NE(message.find(": candidate " + report.witness->candidate + ", reference " + report.witness->reference), std::string::npos);
  EXPECT_EQ(results[0]["properties"]["witness"]["cell"], "y[0,3]");
  EXPECT_EQ(results[0]["locations"][0]["message"]["text"], "candidate");
  EXPECT_EQ(results[0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.cu");
  EXPECT_EQ(results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 12);
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.ptx");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 88);
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[2]["message"]["text"], "bad; expected good");
  EXPECT_EQ(results[2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "dir/a%20b.toml");
  EXPECT_EQ(json["runs"][0]["tool"]["driver"]["rules"].size(), 15u);
}

// A race gives one result, not seven. Broken once with all.
TEST(ReportSarif, WhatAFailureLeftOpenIsNoResult) {
  Report report = Different();
  report.gates.push_back({Gate::kRace, GateStatus::kFail, "data race", {report.gates[0].where[0]}});
  for (Gate gate : {Gate::kSync, Gate::kPreserve}) {
    report.gates.push_back({gate, GateStatus::kUndecided, std::string(kNotDecided) + "race failed first", {}});
  }
  EXPECT_EQ(nlohmann::json::parse(ToSarif(report))["runs"][0]["results"].size(), 3u);  // equivalence, rounding, race
}

TEST(Report, ExitStatus) {
  EXPECT_EQ(ExitStatus(Verdict::kEquivalent), 0);
  EXPECT_EQ(ExitStatus(Verdict::kDifferent), 1);
  EXPECT_EQ(ExitStatus(Verdict::kViolation), 1);
  EXPECT_EQ(ExitStatus(Verdict::kUndecided), 2);
  EXPECT_EQ(ExitStatus(Verdict::kInputError), 3);
  EXPECT_EQ(ExitStatus(Verdict::kInternalError), 4);
}

TEST(Report, GateNamesRoundTrip) {
  EXPECT_EQ(AllGates().size(), 13u);
  for (Gate gate : AllGates()) EXPECT_EQ(GateFromName(GateName(gate)), gate);
  EXPECT_EQ(GateFromName("racing"), std::nullopt);
}

}  // namespace
}  // namespace racer
