#pragma once

#include <string>
#include <vector>

namespace trammel {

/// A table of results: names to the left; to the right columns under a title that several may share, each with its unit.
class ResultTable {
 public:
  struct Column {
    std::string title, unit;
    std::vector<std::string> cells;  // one for each row
    std::size_t width;               // characters
  };

  ResultTable(std::string title, std::vector<std::string> names) : title_(std::move(title)), names_(std::move(names)) {}

  static constexpr const char* none = "–";

  /// A column of which all cells are none is left out.
  void add_column(std::string title, std::string unit, std::vector<std::string> cells);

  const std::string& title() const { return title_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Column>& columns() const { return columns_; }

  /// For a terminal. The line of units is left out where no column has one.
  std::string text() const;

 private:
  std::string title_line() const;
  std::string unit_line() const;

  std::string title_;
  std::vector<std::string> names_;
  std::vector<Column> columns_;
};

}  // namespace trammel
