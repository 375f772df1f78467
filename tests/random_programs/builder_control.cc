// Choosing statements; branches, loops, tables of branches, early exits.
#include "tests/random_programs/builder.h"

namespace racer::programs {

std::vector<Node> Builder::Block(uint32_t statements, const Place& place) {
  std::vector<Node> nodes;
  nodes.reserve(statements);
  for (uint32_t i = 0; i < statements; ++i) nodes.push_back(Statement(place));
  return nodes;
}

Node Builder::Statement(const Place& place) {
  const uint32_t choice = rng_.Below(100);
  if (values_only) return choice < 10 ? Immediate() : choice < 20 ? Pack() : choice < 30 ? MoveBits() : Value();
  const bool nest = place.depth < 3 && place.trips <= 16;
  if (choice < 8 && nest) return If(place);
  if (choice < 12 && nest && place.depth < 2) return Loop(place);
  if (choice < 14 && nest) return Switch(place);
  if (place.kernel) {
    if (choice < 17 && !callees.empty()) return Call(rng_.Pick(callees));
    if (choice < 21) return LocalAccess();
    if (choice < 24) return ScratchAccess();
    if (choice < 26) return AddressArithmetic();
    if (choice < 28) return AtomicOfOwn();
    if (place.converged) {
      if (choice < 31) return Exchange();
      if (choice < 33) return AtomicOfAll();
      if (choice < 36) return Warp("-1", 32);
      if (choice < 38) return MaskedWarp();
      if (choice < 40) return Barrier();
    }
  }
  if (choice < 45) return TableLoad();
  if (choice < 48) return Pack();
  if (choice < 51) return Immediate();
  if (choice < 54) return MoveBits();
  if (choice < 57) return CarryChain();
  return Value();
}

// Sets a predicate of its own; `uniform`: the same for all threads of the CTA.
std::string Builder::Condition(std::vector<std::string>& lines, bool uniform) {
  const std::string q = "%q" + std::to_string(1 + conditions_++ % 7);
  static constexpr const char* kOrders[] = {"lt", "le", "gt", "ge", "eq", "ne"};
  if (uniform) {
    lines.push_back(std::string("setp.") + rng_.Pick(kOrders) + ".u32 " + q + ", %cta, " + std::to_string(rng_.Below(3)) + ";");
  } else if (rng_.Chance(35)) {
    lines.push_back(std::string("setp.") + rng_.Pick(kOrders) + ".u32 " + q + ", %lin, " +
                    std::to_string(rng_.Below(threads == 0 ? 64 : threads)) + ";");
  } else if (rng_.Chance(40)) {
    const std::string bit = Temp32();
    lines.push_back("and.b32 " + bit + ", " + (rng_.Chance(40) ? "%lin" : "%r" + std::to_string(rng_.Below(pool_.r))) + ", " +
                    std::to_string(uint32_t{1} << rng_.Below(8)) + ";");
    lines.push_back("setp.ne.b32 " + q + ", " + bit + ", 0;");
  } else {
    lines.push_back("mov.pred " + q + ", " + Predicate() + ";");
  }
  return q;
}

Node Builder::If(const Place& place) {
  Node node;
  const bool uniform = place.kernel && place.converged && rng_.Chance(35);
  const std::string q = Condition(node.before, uniform);
  const std::string other = Label("else"), end = Label("end");
  ++label_;
  Place inside = place;
  ++inside.depth;
  inside.converged = place.converged && uniform;
  const bool both = rng_.Chance(60);
  const std::string jump = uniform && rng_.Chance(50) ? " bra.uni " : " bra ";
  node.before.push_back((rng_.Chance(50) ? "@!" : "@") + q + jump + (both ? other : end) + ";");
  Node::Part first;
  first.nodes = Block(1 + rng_.Below(5), inside);
  if (both) {
    first.after = {"bra.uni " + end + ";", other + ":"};
    node.parts.push_back(std::move(first));
    first = {};
    first.nodes = Block(1 + rng_.Below(5), inside);
  }
  first.after = {end + ":"};
  node.parts.push_back(std::move(first));
  return node;
}

Node Builder::Loop(const Place& place) {
  Node node;
  const std::string counter = "%c" + std::to_string(counters_++), head = Label("head"), end = Label("done");
  ++label_;
  const uint32_t shape = rng_.Below(4);
  int trips = rng_.Between(1, 6);
  Place inside = place;
  ++inside.depth;
  std::string bound = std::to_string(trips);
  if (shape == 0) {
    // As often as the data says.
    node.before.push_back("and.b32 " + counter + ", %r" + std::to_string(rng_.Below(pool_.r)) + ", 3;");
    node.before.push_back("add.u32 " + counter + ", " + counter + ", 1;");
    inside.converged = false;
    trips = 4;
  } else {
    node.before.push_back("mov.u32 " + counter + ", " + bound + ";");
  }
  inside.trips *= trips;
  node.before.push_back(head + ":");
  Node::Part part;
  part.nodes = Block(1 + rng_.Below(4), shape == 1 ? Place{inside.depth, inside.trips, false, inside.kernel} : inside);
  if (shape == 1) {
    // Some leave early.
    Node leave;
    const std::string q = Condition(leave.before, false);
    leave.before.push_back("@" + q + " bra " + end + ";");
    part.nodes.insert(part.nodes.begin() + rng_.Below(static_cast<uint32_t>(part.nodes.size())), std::move(leave));
  }
  part.after = {"sub.u32 " + counter + ", " + counter + ", 1;", "setp.ne.u32 %q0, " + counter + ", 0;", "@%q0 bra " + head + ";",
                end + ":"};
  node.parts.push_back(std::move(part));
  return node;
}

Node Builder::Switch(const Place& place) {
  Node node;
  const uint32_t ways = 2 + rng_.Below(4);
  const std::string index = Temp32(), end = Label("end"), table = Label("table");
  std::vector<std::string> labels;
  labels.reserve(ways);
  for (uint32_t i = 0; i < ways; ++i) labels.push_back(Label("way" + std::to_string(i)));
  ++label_;
  Place inside = place;
  ++inside.depth;
  inside.converged = false;
  const std::string from = rng_.Chance(30) && place.kernel ? "%lin" : "%r" + std::to_string(rng_.Below(pool_.r));
  std::string list;
  // A way may be listed twice.
  for (uint32_t i = 0; i < ways + 1; ++i) list += (i == 0 ? "" : ", ") + (i < ways ? labels[i] : labels[rng_.Below(ways)]);
  node.before = {"rem.u32 " + index + ", " + from + ", " + std::to_string(ways + 1) + ";", table + ": .branchtargets " + list + ";",
                 "brx.idx " + index + ", " + table + ";", labels[0] + ":"};
  for (uint32_t i = 0; i < ways; ++i) {
    Node::Part part;
    part.nodes = Block(1 + rng_.Below(3), inside);
    if (i + 1 < ways) {
      if (rng_.Chance(80)) part.after.push_back("bra " + end + ";");  // else it goes on with the next
      part.after.push_back(labels[i + 1] + ":");
    } else {
      part.after.push_back(end + ":");
    }
    node.parts.push_back(std::move(part));
  }
  return node;
}

// Some threads store a little and leave.
Node Builder::EarlyExit() {
  Node node;
  const std::string q = Condition(node.before, false), stay = Label("stay");
  ++label_;
  node.before.push_back("@!" + q + " bra " + stay + ";");
  node.before.push_back("st.global.b32 [%row], %r" + std::to_string(rng_.Below(pool_.r)) + ";");
  node.before.push_back(rng_.Chance(50) ? "exit;" : "ret;");
  node.before.push_back(stay + ":");
  return node;
}

std::vector<std::string> Builder::Declarations() const {
  const auto of = [](const char* type, const char* name, uint32_t count) {
    return ".reg ." + std::string(type) + " " + name + "<" + std::to_string(count) + ">;";
  };
  std::vector<std::string> lines = {of("pred", "%p", pool_.p), of("b16", "%rs", pool_.rs),
                                    of("b32", "%r", pool_.r),  of("b64", "%rd", pool_.rd),
                                    of("f32", "%f", pool_.f),  of("f64", "%fd", pool_.fd),
                                    of("pred", "%q", 9),       of("b32", "%t", 8),
                                    of("b64", "%u", 8),        ".reg .b16 %w, %w1, %w2, %w3, %w4, %w5;"};
  if (counters_ > 0) lines.push_back(of("b32", "%c", counters_));
  return lines;
}

}  // namespace racer::programs
