#include "results.h"

#include <cmath>

#include "trammel/report/csv.h"

namespace trammel::cli {
namespace {

std::vector<std::string> columns_with(const Recording& recording, const std::string& prefix) {
  std::vector<std::string> out;
  for (const std::string& name : recording.names())
    if (name.starts_with(prefix)) out.push_back(name);
  return out;
}

// "Tool path, x" → "tool-path-x": what is safe as the name of a file.
std::string file_name(const std::string& title) {
  std::string out;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "plot" : out;
}

}  // namespace

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

Figure figure_of(const Recording& recording, const std::string& title, const std::string& y_label,
                 const std::vector<std::string>& columns, bool log_y) {
  Figure out{title, "t (s)", y_label, {}, log_y};
  const VecX<> t = recording["t"];
  for (const std::string& column : columns) out.curves.push_back({column, t, recording[column]});
  return out;
}

void write_results(const OutputFolder& folder, const Scenario& scenario, const Simulation& simulation,
                   const Json& json) {
  const Recording& recording = simulation.recording;
  folder.write("recording.csv", to_csv(recording));
  folder.write("summary.json", json.dump(2) + "\n");
  const auto draw = [&](const std::string& title, const std::string& y_label, const std::string& prefix, bool log_y) {
    const std::vector<std::string> columns = columns_with(recording, prefix);
    if (!columns.empty() && recording.rows() > 0)
      folder.write(file_name(title) + ".svg", to_svg(figure_of(recording, title, y_label, columns, log_y)));
  };
  draw("Coordinates", "q (rad, m)", "q.", false);
  draw("Velocities", "v (rad/s, m/s)", "v.", false);
  draw("Constraint errors", "|φ| (m, rad)", "phi.", true);
  draw("Constraint forces", "Qc (N·m, N)", "Qc.", false);
  draw("Motor torques", "u (N·m, N)", "u.", false);
  draw("Path errors", "|φ| (m, rad)", "path.", true);
  draw("Energy", "J", "energy", false);
  for (const Plot& plot : scenario.plots)
    if (recording.rows() > 0)
      folder.write(file_name(plot.title) + ".svg", to_svg(figure_of(recording, plot.title, "", plot.columns)));
}

}  // namespace trammel::cli
