#pragma once

#include <filesystem>
#include <optional>

#include "trammel/figure/figure.h"
#include "trammel/simulate/recording.h"
#include "trammel/study/compare.h"

namespace trammel {

/// A study that is written down in a YAML file: runs of scenarios, and the curves and numbers of them beside those that somebody
/// printed. docs/reproduce.md has every key.
struct Reproduction {
  struct Number {
    std::string what;
    double ours = 0;
    std::optional<double> printed{}, reference{};  // what the paper says, and what an independent implementation found
    std::string note{};
  };
  struct Table {
    std::string title;
    std::vector<std::string> columns;
    std::vector<double> times{};
    std::vector<VecX<>> ours{};  // a row for each time
    double worst = 0;            // largest difference from the reference
  };
  struct Agreement {
    std::string run;
    std::vector<FormulationResult> formulations;
  };

  std::string title, about;
  std::vector<std::string>
      warnings{};  // "run 'a': energy does not balance: …": runs that finished and are not to be trusted
  std::vector<Number> numbers{};
  std::vector<Table> tables{};
  std::vector<Figure> figures{};
  std::vector<Agreement> agreements{};
};

/// Reads the file, runs what it says, and looks everything up. Throws Error, with file, line and column, where the file is
/// wrong or a run does not finish. Scenarios are looked for beside the file.
Reproduction reproduce(const std::filesystem::path& file);

/// The files of studies that a user names: a file of the user's (NAME.yaml), one of those in the folder by its name, or "all" of these.
/// Throws Error, with the nearest name, for others.
std::vector<std::filesystem::path> study_files(const std::string& what, const std::filesystem::path& folder);

}  // namespace trammel
