#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/figure/figure.h"
#include "trammel/report/scene.h"

namespace trammel {

/// A report that opens from disk, in one file (viewer/src/data.ts has the same from the page's side).
struct ReportPage {
  struct Fact {
    std::string label, value;
  };
  struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
  };
  struct Section {
    std::string title, text;
    std::optional<Table> table{};
    std::vector<Figure> plots{};
  };

  std::string title, version, file, scenario, command;
  bool good = true;
  std::string verdict;
  std::vector<Fact> facts{};
  std::vector<std::string> warnings{};
  std::optional<Scene> scene{};  // with its own times
  std::vector<Figure> plots{};
  std::vector<Section> sections{};
};

/// Puts the page's data into the template, in place of its marker. Nothing in the data can become markup. Long curves are
/// thinned, peaks kept.
std::string to_html(const ReportPage& page, std::string_view page_template);

}  // namespace trammel
