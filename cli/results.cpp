#include "results.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "trammel/report/csv.h"

namespace trammel::cli {
namespace {

std::vector<std::string> columns_with(const Recording& recording, const std::string& prefix) {
  std::vector<std::string> out;
  for (const std::string& name : recording.names())
    if (name.starts_with(prefix)) out.push_back(name);
  return out;
}

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

// Whether a column is a coordinate of a frame: tool.x.
bool is_place(const std::string& column) {
  for (const char* other : {"q.", "v.", "vdot.", "Qc.", "phi.", "phidot.", "lambda.", "u.", "path.", "angle."})
    if (column.starts_with(other)) return false;
  return column.ends_with(".x") || column.ends_with(".y") || column.ends_with(".z");
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
std::vector<std::string> listed_files(const std::filesystem::path& json_file) {
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

Figure figure_over_time(const Recording& recording, const std::string& title, const std::string& y_label,
                        const std::vector<std::string>& columns, bool log_y) {
  Figure out{title, "t (s)", y_label, {}, log_y};
  const VecX<> t = recording["t"];
  for (const std::string& column : columns) out.curves.push_back({column, t, recording[column]});
  return out;
}

std::vector<Figure> figures_of(const Scenario& scenario, const Recording& recording) {
  struct Usual {
    const char *title, *y_label, *prefix;
    bool log_y;
  };
  constexpr Usual usual[] = {{"Coordinates", "q (rad, m)", "q.", false},
                             {"Velocities", "v (rad/s, m/s)", "v.", false},
                             {"Constraint errors", "|φ| (m, rad)", "phi.", true},
                             {"Constraint forces", "Qc (N·m, N)", "Qc.", false},
                             {"Motor torques", "u (N·m, N)", "u.", false},
                             {"Path errors", "|φ| (m, rad)", "path.", true},
                             {"Energy", "J", "energy", false}};
  std::vector<Figure> out;
  if (recording.rows() == 0) return out;
  for (const Usual& figure : usual) {
    const std::vector<std::string> columns = columns_with(recording, figure.prefix);
    if (!columns.empty())
      out.push_back(figure_over_time(recording, figure.title, figure.y_label, columns, figure.log_y));
  }
  for (const Plot& plot : scenario.plots) {
    const bool path = is_place(plot.x) && std::ranges::all_of(plot.columns, is_place);
    Figure figure{plot.title, plot.x == "t" ? "t (s)" : plot.x, "", {}, false, path};
    for (const std::string& column : plot.columns)
      figure.curves.push_back({column, recording[plot.x], recording[column]});
    out.push_back(std::move(figure));
  }
  return out;
}

std::vector<ResultFile> files_of_run(const Recording& recording, const std::vector<Figure>& figures) {
  std::vector<ResultFile> files{{"recording.csv", to_csv(recording)}};
  for (const Figure& figure : figures) files.push_back({free_name(figure.title, files), to_svg(figure)});
  return files;
}

void write_results(const OutputFolder& folder, const std::string& json_name, Json json,
                   const std::vector<ResultFile>& files) {
  const std::vector<std::string> before = listed_files(folder.path() / json_name);
  json["files"] = Json::array();
  for (const ResultFile& file : files) {
    folder.write(file.name, file.content);
    json["files"].push_back(file.name);
  }
  folder.write(json_name, json.dump(2) + "\n");
  for (const std::string& old : before)
    if (std::ranges::find(files, old, &ResultFile::name) == files.end()) folder.remove(old);
}

}  // namespace trammel::cli
