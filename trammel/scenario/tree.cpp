#include "trammel/scenario/tree.h"

#include "trammel/scenario/constants.h"

namespace trammel::scenario {

ScenarioTree::ScenarioTree(Node parsed) : root_(std::move(parsed)) {
  if (root_.find("repeat") == nullptr) return;
  parsed_ = root_;
  write_out();
}

void ScenarioTree::put(const std::string& override_text) {
  if (!parsed_) return put_override(root_, override_text);
  if (is_read_by_repeat(override_text.substr(0, override_text.find('=')))) {
    put_override(*parsed_, override_text);
    return write_out();
  }
  put_override(root_, override_text);
  later_.push_back(override_text);
}

// repeat.0.for.i, or a constant that the author wrote: constants.n.
bool ScenarioTree::is_read_by_repeat(std::string_view name) const {
  constexpr std::string_view of_constants = "constants.";
  while (name.ends_with(' ')) name.remove_suffix(1);
  if (name == "repeat" || name.starts_with("repeat.")) return true;
  const Node* const constants = parsed_->find("constants");
  return name.starts_with(of_constants) && constants != nullptr &&
         constants->find(name.substr(of_constants.size())) != nullptr;
}

void ScenarioTree::write_out() {
  const auto write = [&] {
    Node out = written_out(*parsed_, read_constants(*parsed_), copies_);
    for (const std::string& item : later_) put_override(out, item);
    return out;
  };
  try {
    root_ = write();
  } catch (const Error& error) {
    throw copies_.told(error);
  }
}

Node ScenarioTree::with(Changes& changes, const std::vector<ScenarioNumber>& numbers) const {
  const auto put_all = [&](const std::vector<ScenarioNumber>& known, Node& out) {
    for (const ScenarioNumber& number : known)
      if (const auto change = changes.find(number.name); change != changes.end()) {
        put_number(out, number, change->second);
        changes.erase(change);
      }
  };
  ScenarioTree out = *this;
  bool writes_anew = false;
  if (parsed_)
    for (const auto& [name, value] : changes) writes_anew |= is_read_by_repeat(name);
  if (!writes_anew) {
    put_all(numbers, out.root_);
    return std::move(out.root_);
  }
  put_all(numbers_of(*parsed_, read_constants(*parsed_)), *out.parsed_);
  out.write_out();
  put_all(numbers_of(out.root_, read_constants(out.root_)), out.root_);
  return std::move(out.root_);
}

}  // namespace trammel::scenario
