#pragma once

#include <functional>

#include "trammel/figure/figure.h"
#include "trammel/report/figure_formats.h"
#include "trammel/report/output_folder.h"
#include "trammel/scenario/scenario.h"

namespace trammel {

/// What a verb leaves in a folder.
struct Results {
  /// Made when its turn comes to be written.
  struct File {
    std::string name;
    std::function<std::string()> content;
  };
  struct Picture {
    std::string stem;  // "coordinates" of coordinates.svg
    Figure figure;
  };

  std::vector<File> data{};   // numbers and tables, written first
  std::vector<File> pages{};  // then these
  std::vector<Picture> figures{};
  FigureFormats formats{"svg"};
  std::string json_name;  // "summary.json": one JSON object, which lists the other files
  std::function<std::string(const std::vector<std::string>& files)> json;
};

/// Puts the results into the folder in one step (StagedFolder says where that can be had), in place of those that its JSON of that name
/// lists. Files that no such JSON lists stay. A page or a figure that cannot be made costs no other file: the rest is
/// put there, and then std::runtime_error says what is missing. Data that cannot be written leave the folder as it was.
void write_results(const OutputFolder& folder, const Results& results);

/// Pictures of figures under names that are safe for files: "Tool path, x" as tool-path-x, with a number behind a second one.
std::vector<Results::Picture> pictures_of(const std::vector<Figure>& figures);

/// How large the results of a run may become.
double expected_bytes(const Scenario& scenario);

}  // namespace trammel
