#include "results.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "trammel/report/convert.h"
#include "trammel/report/csv.h"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

// "Tool path, x" → "tool-path-x": what is safe as the name of a file. Letters beyond ASCII stay.
std::string file_name(const std::string& title) {
  std::string out;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || byte >= 0x80)
      out += static_cast<char>(std::tolower(byte));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "plot" : out;
}

// pen.svg, or pen-2.svg where a file before it has that name.
std::string free_name(const std::string& title, const std::vector<ResultFile>& files) {
  const std::string stem = file_name(title);
  std::string name = stem + ".svg";
  for (int k = 2; std::ranges::find(files, name, &ResultFile::name) != files.end(); ++k)
    name = fmt::format("{}-{}.svg", stem, k);
  return name;
}

// Of the JSON that an earlier run left; none if there is none. Names alone: nothing outside of the folder.
std::vector<std::string> listed_files(const fs::path& json_file) {
  std::vector<std::string> out;
  std::ifstream stream(json_file);
  const Json json = Json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) return out;
  for (const Json& name : json["files"])
    if (name.is_string() && name.get<std::string>().find('/') == std::string::npos) out.push_back(name);
  return out;
}

}  // namespace

namespace {
std::string typed;
}

const std::string& command_line() { return typed; }

void set_command_line(int argc, char** argv) {
  typed = "trammel";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain =
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+") ==
        std::string::npos;
    std::string quoted;
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    typed += plain && !word.empty() ? " " + word : " '" + quoted + "'";
  }
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

double expected_bytes(const Scenario& scenario) {
  const double every = scenario.simulate.record_every > 0 ? scenario.simulate.record_every : scenario.simulate.step;
  const double rows = every > 0 ? scenario.simulate.duration / every : 1e4;
  double constraint_rows = 0;
  for (const NamedConstraint& constraint : scenario.system.constraints) constraint_rows += constraint.law->rows();
  return 22 * rows * (4.0 * scenario.system.model.nv() + 3 * constraint_rows + 10) + 1e6;
}

Json to_json(const Summary& summary) {
  Json constraints = Json::array(), joints = Json::array(), motors = Json::array();
  for (const Summary::OfConstraint& c : summary.constraints)
    constraints.push_back({{"name", c.name},
                           {"layer", c.physical ? "physical" : "control"},
                           {"worst_phi", number(c.worst_phi)},
                           {"worst_rate", number(c.worst_rate)},
                           {"peak_force", number(c.peak_force)}});
  for (const Summary::OfJoint& j : summary.joints)
    joints.push_back({{"name", j.name}, {"peak_constraint_force", number(j.peak_constraint_force)}});
  for (const Summary::OfMotor& m : summary.motors)
    motors.push_back({{"name", m.name}, {"peak_torque", number(m.peak_torque)}, {"limit", number(m.limit)}});
  return {{"freedoms_before", summary.freedoms_before},
          {"rank", summary.rank},
          {"freedoms_after", summary.freedoms_after},
          {"constraints_at_start", name_of(summary.status)},
          {"constraints", constraints},
          {"joints", joints},
          {"motors", motors},
          {"worst_path", number(summary.worst_path)},
          {"energy_error", number(summary.energy_error)},
          {"simulated", summary.simulated},
          {"seconds", summary.seconds},
          {"steps", summary.steps},
          {"rejected_steps", summary.rejected_steps},
          {"evaluations", summary.evaluations}};
}

Json to_json(const Scenario& scenario, const Simulation& simulation, const Summary& summary) {
  Json out{{"name", scenario.name},      {"file", scenario.file},
           {"version", TRAMMEL_VERSION}, {"status", name_of(simulation.status)},
           {"why", simulation.what},     {"warnings", simulation.warnings}};
  if (scenario.assembly) out["assembly"] = scenario.assembly->text();
  out.update(to_json(summary));
  return out;
}

std::vector<ResultFile> files_of_run(const Recording& recording, const std::vector<Figure>& figures) {
  std::vector<ResultFile> files{{"recording.csv", to_csv(recording)}};
  for (const Figure& figure : figures) files.push_back({free_name(figure.title, files), to_svg(figure)});
  return files;
}

void write_results(const OutputFolder& folder, const std::string& json_name, Json json,
                   const std::vector<ResultFile>& files, const FigureFormats& formats) {
  const std::vector<std::string> before = listed_files(folder.path() / json_name);
  std::vector<std::string> written;
  const auto write = [&](const std::string& name, const std::string& content) {
    folder.write(name, content);
    written.push_back(name);
  };
  const auto is_figure = [](const ResultFile& file) { return file.name.ends_with(".svg"); };
  for (const ResultFile& file : files)
    if (!is_figure(file)) write(file.name, file.content);
  for (const ResultFile& file : files)
    for (const std::string& format : formats)
      if (is_figure(file))
        write(fs::path(file.name).replace_extension(format),
              format == "svg" ? file.content : converted_svg(file.content, format));
  json["files"] = written;
  folder.write(json_name, json.dump(2) + "\n");
  for (const std::string& old : before)
    if (std::ranges::find(written, old) == written.end()) folder.remove(old);
}

}  // namespace trammel::cli
