#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "support/linear_algebra.h"
#include "support/paper_systems.h"

namespace trammel::test {

/// What the printed and the corrected form of an equation miss by, for a row of the table in docs/errata.md. The formulas
/// stand beside their numbers in the papers; what is true comes from Trammel's recursions, or from jets, which know none of
/// them. The states are those that the document lists.
struct Residual {
  std::string row;  // the number of the misprint, with a letter where it has several
  double printed, corrected;
};

/// Stands where a claim has no number.
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

using States = std::map<std::string, VecX<>>;

std::vector<Residual> scara_equations(const States& states);
std::vector<Residual> scara_runs(const States& states);
std::vector<Residual> parallel_equations(const States& states);
std::vector<Residual> parallel_runs(const States& states);
std::vector<Residual> serial_equations(const States& states);  // (7), written out
std::vector<Residual> serial_maggi(const States& states);      // (14) to (22), and what is said of them
std::vector<Residual> two_link(const States& states);

double largest(const MatX<>& A);

/// A moving q for jets: the rates and second rates of all coordinates.
VecX<Jet> moving(const VecX<>& q, const VecX<>& v, const VecX<>& vdot);
VecX<Jet> moving(const VecX<>& q, const VecX<>& v);

}  // namespace trammel::test
