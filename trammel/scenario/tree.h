#pragma once

#include <optional>

#include "trammel/scenario/numbers.h"
#include "trammel/scenario/repeat.h"
#include "trammel/system/parameters.h"

namespace trammel::scenario {

/// A scenario as a tree of values, with its repeat: written out (repeat.h). Overrides of what `repeat` itself reads, its blocks and
/// the author's constants, are put before that, all others after it.
class ScenarioTree {
 public:
  explicit ScenarioTree(Node parsed);

  const Node& root() const { return root_; }
  const Copies& copies() const { return copies_; }

  /// "constants.r=0.1", as --set takes it.
  void put(const std::string& override_text);

  /// With other numbers, which are taken out of `changes`; those that it does not have stay there. `numbers`: of root().
  Node with(Changes& changes, const std::vector<ScenarioNumber>& numbers) const;

 private:
  bool is_read_by_repeat(std::string_view name) const;
  void write_out();

  std::optional<Node> parsed_;      // as the author wrote it, where it has a repeat:
  std::vector<std::string> later_;  // overrides of what has been written out
  Copies copies_;
  Node root_;
};

}  // namespace trammel::scenario
