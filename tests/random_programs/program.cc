#include "tests/random_programs/program.h"

namespace racer::programs {
namespace {

void AddLines(const std::vector<std::string>& lines, std::string& out) {
  for (const std::string& line : lines) out += line + "\n";
}

void PrintNodes(const std::vector<Node>& nodes, std::string& out) {
  for (const Node& node : nodes) {
    AddLines(node.before, out);
    if (node.instr) out += Print(*node.instr) + "\n";
    for (const Node::Part& part : node.parts) {
      PrintNodes(part.nodes, out);
      AddLines(part.after, out);
    }
  }
}

template <class F>
void ForNodes(std::vector<Node>& nodes, const F& f) {
  for (Node& node : nodes) {
    f(node);
    for (Node::Part& part : node.parts) ForNodes(part.nodes, f);
  }
}

}  // namespace

std::string Print(const Instr& instr) {
  std::string text = instr.guard + instr.name;
  for (size_t i = 0; i < instr.operands.size(); ++i) text += (i == 0 ? " " : ", ") + instr.operands[i];
  return text + ";";
}

std::string Print(const Program& program) {
  std::string out;
  AddLines(program.module_scope, out);
  for (const Function& function : program.functions) {
    AddLines(function.head, out);
    PrintNodes(function.body, out);
    AddLines(function.tail, out);
  }
  return out;
}

std::vector<Instr*> Instructions(Program& program) {
  std::vector<Instr*> found;
  for (Function& function : program.functions) {
    ForNodes(function.body, [&](Node& node) {
      if (node.instr) found.push_back(&*node.instr);
    });
  }
  return found;
}

std::vector<std::vector<Node>*> Blocks(Program& program) {
  std::vector<std::vector<Node>*> found;
  for (Function& function : program.functions) {
    found.push_back(&function.body);
    ForNodes(function.body, [&](Node& node) {
      for (Node::Part& part : node.parts) found.push_back(&part.nodes);
    });
  }
  return found;
}

}  // namespace racer::programs
