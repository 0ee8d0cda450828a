#pragma once

#include <string>
#include <string_view>

namespace trammel {

/// The worst of errors that may differ in unit, to be told in its own. Errors are compared as lengths, each times the weight of its row
/// (Constraint::row_scale times NamedConstraint::scale); what is told is the error itself, since an angle is no length.
class WorstError {
 public:
  /// φ of a row, its rate or its acceleration, and the unit of φ: "m", "rad", or empty where none is known. Returns whether it is the
  /// worst so far: the larger length, or the first that is not a number.
  bool see(double error, double weight, std::string_view unit);

  double size() const { return size_; }      // |error|, in its own unit
  double length() const { return length_; }  // the same times its weight, m
  /// "0.1 rad"; with per = "/s" or "/s²", of rates and accelerations, "0.1 rad/s"; the number alone where the unit is unknown.
  std::string text(std::string_view per = "", int digits = 3) const;

 private:
  double size_ = 0, length_ = 0;
  std::string unit_;
};

}  // namespace trammel
