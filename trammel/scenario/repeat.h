#pragma once

#include <functional>
#include <map>

#include "trammel/expression/vocabulary.h"
#include "trammel/scenario/node.h"

namespace trammel::scenario {

/// Which copy of a repeated block a place is in: "i = 3". Places of copies have a file of their own, "arm.yaml (i = 3)", from which this
/// finds the author's file and the index again.
class Copies {
 public:
  /// The file of places in a copy.
  std::string file_of(const std::string& file, const std::string& index);
  bool empty() const { return by_file_.empty(); }

  Place written(const Place& place) const;  // with the author's file
  /// The error where the author wrote it, with the index behind what was found.
  Error told(const Error& error) const;

 private:
  struct Copy {
    std::string file, index;
  };
  std::map<std::string, Copy, std::less<>> by_file_;
};

/// The scenario with its repeat: written out:
///
///   repeat:
///     - for: {i: 1..6}
///       bodies: {rod<i>: {mass: 0.2}}
///       constraints: [{name: ball<i>, coincide: [tip<i>, plate<i+1>]}]
///
/// Each block stands once for every value of its index, or for all combinations of several, the last the fastest. In names and
/// values, what stands in < > is computed of the indices, with the functions of expressions, and must be a whole number; where no
/// index or function stands between < and > they are what they are in expressions. Lists go behind those that are there,
/// maps are joined. Bounds are whole numbers, of constants as well. At most 100 000 values in all.
Node written_out(const Node& root, const Constants& constants, Copies& copies);

}  // namespace trammel::scenario
