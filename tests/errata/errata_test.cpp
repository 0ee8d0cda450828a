// docs/errata.md cannot go stale: every number in its table is computed here, and everything computed here stands in it.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "errata/residuals.h"

namespace trammel::test {
namespace {

struct Row {
  std::string printed, corrected;
};

struct Document {
  std::map<std::string, Row> rows;  // | 13a | paper | equation | what is measured | printed | corrected |
  States states;                    // | scara.q | `0.5 -1` | unit |
  std::set<int> sections;           // ### (13) …
  std::vector<std::string> doubled;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) {
    std::erase(cell, '`');
    const std::size_t first = cell.find_first_not_of(' ');
    out.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return out;
}

Document read_document() {
  Document out;
  std::ifstream file(TRAMMEL_SOURCE_DIR "/docs/errata.md");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("### (")) out.sections.insert(std::stoi(line.substr(5)));
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> cells = cells_of(line);
    const std::string& name = cells[0];
    if (cells.size() == 6 && name.find_first_of("0123456789") == 0) {
      if (!out.rows.insert({name, {cells[4], cells[5]}}).second) out.doubled.push_back(name);
    } else if (cells.size() == 3 && name.find('.') != std::string::npos) {
      std::vector<double> values;
      std::stringstream numbers(cells[1]);
      for (double value; numbers >> value;) values.push_back(value);
      out.states[name] = Eigen::Map<const VecX<>>(values.data(), static_cast<int>(values.size()));
    }
  }
  return out;
}

bool is_bound(const std::string& cell) { return cell.starts_with("< "); }

// Half of the last digit of a number as it is written: 0.0005 for 0.405, 5e-8 for 3.48e-5.
double rounding(const std::string& cell) {
  const std::size_t e = cell.find('e'), point = cell.find('.');
  const std::string mantissa = cell.substr(0, e);
  const double decimals = point == std::string::npos ? 0 : static_cast<double>(mantissa.size() - point - 1);
  return 0.5 * std::pow(10, (e == std::string::npos ? 0 : std::stod(cell.substr(e + 1))) - decimals);
}

// A cell is a number, right to the digits it has; a bound (< 1e-12); or a dash where there is no number.
bool agrees(const std::string& cell, double computed) {
  if (cell == "–") return std::isnan(computed);
  if (is_bound(cell)) return computed < std::stod(cell.substr(2));
  return std::abs(std::stod(cell) - computed) <= rounding(cell) * (1 + 1e-6);
}

void compare(const Document& document, const std::vector<Residual>& computed) {
  for (const Residual& r : computed) {
    const auto found = document.rows.find(r.row);
    if (found == document.rows.end()) {
      ADD_FAILURE() << "docs/errata.md has no row " << r.row << ": " << r.printed << ", " << r.corrected;
      continue;
    }
    const auto& [printed, corrected] = found->second;
    EXPECT_TRUE(agrees(printed, r.printed)) << r.row << ": printed " << printed << ", computed " << r.printed;
    EXPECT_TRUE(agrees(corrected, r.corrected)) << r.row << ": corrected " << corrected << ", computed " << r.corrected;
    // a bound for rounding is far below what the misprint does
    if (is_bound(corrected) && !is_bound(printed) && !std::isnan(r.printed)) {
      EXPECT_LT(std::stod(corrected.substr(2)), 1e-6 * r.printed) << r.row;
    }
    std::printf("%-4s %12.5g %12.5g\n", r.row.c_str(), r.printed, r.corrected);
  }
}

using Computation = std::vector<Residual> (*)(const States&);
constexpr Computation computations[] = {
    scara_equations, scara_runs, parallel_equations, parallel_runs, serial_equations, serial_maggi, two_link};

TEST(Errata, EveryResidualOfTheDocumentIsWhatIsComputed) {
  const Document document = read_document();
  std::set<std::string> covered;
  for (const Computation compute : computations) {
    const std::vector<Residual> residuals = compute(document.states);
    compare(document, residuals);
    for (const Residual& r : residuals) EXPECT_TRUE(covered.insert(r.row).second) << r.row << " is computed twice";
  }
  for (const auto& [name, row] : document.rows) EXPECT_TRUE(covered.contains(name)) << name << " is not computed";
}

TEST(Errata, EveryMisprintHasARowAndASection) {
  const Document document = read_document();
  std::set<int> numbers;
  for (const auto& [name, row] : document.rows) numbers.insert(std::stoi(name));
  EXPECT_EQ(numbers, document.sections);
  for (int i = 1; i <= 34; ++i) EXPECT_TRUE(numbers.contains(i)) << i;
  EXPECT_TRUE(document.doubled.empty()) << document.doubled.front();
}

TEST(Errata, ANumberThatIsOffByOneInTheThirdDigitIsSeen) {
  EXPECT_TRUE(agrees("0.405", 0.40479));
  EXPECT_FALSE(agrees("0.405", 0.40579));
  EXPECT_TRUE(agrees("3.48e-5", 3.4766e-5));
  EXPECT_FALSE(agrees("3.48e-5", 3.486e-5));
  EXPECT_FALSE(agrees("0.405", -0.405));
  EXPECT_FALSE(agrees("< 1e-12", 2e-12));
  EXPECT_FALSE(agrees("< 1e-12", no_number));
  EXPECT_FALSE(agrees("0.405", no_number));
  EXPECT_FALSE(agrees("–", 1));
  EXPECT_FALSE(agrees("12", 11));
}

}  // namespace
}  // namespace trammel::test
