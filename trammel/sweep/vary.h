#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trammel/scenario/value.h"

namespace trammel::sweep {

/// What a varied key is in a case: a number in SI units, or any other value as YAML on one line.
struct Choice {
  bool is_number = true;
  double number = 0;
  std::string text{};  // as --set takes it behind the =
};

/// How a key varies:
///
///   KEY: {from: 150 mm, to: 250 mm, steps: 11}     a grid, both ends in it; with spacing: log, of equal ratios
///   KEY: [projection, none]                        a list of any values
///   KEY: {normal: [mean, deviation]}               drawn; likewise uniform: [from, to]
///   KEY: {lognormal: [median, deviation]}          median·exp(deviation·z), z standard normal
///   KEY: {choice: [1, 2, 3]}                       drawn from a list, each with equal chance
struct Varied {
  enum class Kind { grid, list, normal, uniform, lognormal, choice };

  std::string key;
  Place place{};  // of the key
  Kind kind = Kind::list;
  std::vector<Choice> choices{};  // of a grid, a list or a choice
  std::vector<Place> places{};    // of those of a list or a choice
  double a = 0, b = 0;            // of a distribution

  bool is_drawn() const { return kind != Kind::grid && kind != Kind::list; }
  bool has_numbers() const;
  /// From a number of (0, 1).
  Choice drawn(double u) const;
};

const char* name_of(Varied::Kind kind);

std::vector<Varied> read_vary(const scenario::Value& value);

/// A number as --set takes it: the shortest text that reads back as the same one.
Choice choice_of(double number);

}  // namespace trammel::sweep
