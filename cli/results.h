#pragma once

#include "figure_formats.h"
#include "text.h"
#include "trammel/report/figure.h"
#include "trammel/report/output_folder.h"
#include "trammel/scenario/scenario.h"
#include "trammel/study/summary.h"

namespace trammel::cli {

/// How large the results of a run may become.
double expected_bytes(const Scenario& scenario);

Json to_json(const Summary& summary);
Json to_json(const Scenario& scenario, const Simulation& simulation, const Summary& summary);

struct ResultFile {
  std::string name, content;
};

/// Writes the files, and the JSON under its name, which lists them. Those that are called .svg are figures, left in the formats
/// asked for; they come last, so that nothing else is lost if they cannot be made. Files that an earlier JSON of that name lists
/// and that are not written again are removed: results of two runs do not mix.
void write_results(const OutputFolder& folder, const std::string& json_name, Json json,
                   const std::vector<ResultFile>& files, const FigureFormats& formats);

/// What a run leaves besides its summary.json: recording.csv and the figures.
std::vector<ResultFile> files_of_run(const Recording& recording, const std::vector<Figure>& figures);

/// The command that was typed, as a shell would take it again.
const std::string& command_line();
void set_command_line(int argc, char** argv);

/// A number, or null where it is infinite or none: JSON has no other word for these.
Json number(double x);

}  // namespace trammel::cli
