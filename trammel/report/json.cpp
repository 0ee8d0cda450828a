#include "trammel/report/json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "trammel/base/version.h"

namespace trammel {
namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json number(const std::optional<double>& x) { return x ? Json(*x) : Json(); }

std::string text_of(Json json, const FileNames* files) {
  if (files) json["files"] = *files;
  return json.dump(2);
}

Json works_of(const Summary& summary) {
  Json out = Json::array();
  for (const WorkDone& of : summary.works)
    out.push_back({{"name", of.name},
                   {"kind", name_of(of.kind)},
                   {"work", number(of.work)},
                   {"put_in", number(of.put_in)},
                   {"taken_out", number(of.taken_out)},
                   {"peak_power", number(of.peak_power)}});
  return out;
}

Json object_of(const Summary& summary) {
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
          {"works", works_of(summary)},
          {"kinetic_and_weight", number(summary.kinetic_and_weight)},
          {"energy_error", number(summary.energy_error)},
          {"simulated", summary.simulated},
          {"seconds", summary.seconds},
          {"steps", summary.steps},
          {"rejected_steps", summary.rejected_steps},
          {"evaluations", summary.evaluations}};
}

Json object_of(const Diagnosis& diagnosis) {
  Json redundant = Json::array(), nearly = Json::array(), residuals = Json::array();
  for (const Diagnosis::RedundantRow& row : diagnosis.redundant)
    redundant.push_back({{"row", row.row}, {"follows_from", row.follows_from}, {"agrees", row.agrees}});
  for (const Diagnosis::NearlyRedundantRow& row : diagnosis.nearly_redundant)
    nearly.push_back({{"row", row.row}, {"tolerance", row.tolerance}});
  for (const Diagnosis::Residual& residual : diagnosis.residuals)
    residuals.push_back({{"constraint", residual.constraint},
                         {"phi", number(residual.phi.size())},
                         {"rate", number(residual.rate.size())}});
  return {{"freedoms_before", diagnosis.freedoms_before},
          {"rank", diagnosis.rank},
          {"freedoms_after", diagnosis.freedoms_after},
          {"status", name_of(diagnosis.status)},
          {"redundant", redundant},
          {"nearly_redundant", nearly},
          {"weakest_row", diagnosis.weakest_row},
          {"weakest_pivot", diagnosis.weakest_pivot},
          {"residuals", residuals},
          {"not_numbers", diagnosis.not_numbers}};
}

Json object_of(const Reproduction& study) {
  Json out{{"title", study.title}, {"numbers", Json::array()}, {"tables", Json::array()}};
  for (const Reproduction::Number& n : study.numbers)
    out["numbers"].push_back({{"what", n.what},
                              {"ours", number(n.ours)},
                              {"printed", number(n.printed)},
                              {"reference", number(n.reference)},
                              {"note", n.note}});
  for (const Reproduction::Table& t : study.tables)
    out["tables"].push_back({{"title", t.title}, {"worst_difference", number(t.worst)}});
  return out;
}

}  // namespace

std::string to_json(const Scenario& scenario, const Simulation& simulation, const Summary& summary,
                    const FileNames* files) {
  Json out{{"name", scenario.name},  {"file", scenario.file},
           {"version", version()},   {"status", name_of(simulation.status)},
           {"why", simulation.what}, {"warnings", simulation.warnings}};
  if (scenario.assembly) out["assembly"] = scenario.assembly->text();
  out.update(object_of(summary));
  return text_of(std::move(out), files);
}

std::string to_json(const Scenario& scenario, const Check& check) {
  Json out{{"name", scenario.name}, {"file", scenario.file}, {"runs", check.runs()}, {"why_not", check.obstacle}};
  if (scenario.assembly) out["assembly"] = scenario.assembly->text();
  out["diagnosis"] = object_of(check.diagnosis);
  out["structure"] = check.structure;
  out["singular"] = check.singular;
  out["beyond_limits"] = check.beyond_limits;
  return text_of(std::move(out), nullptr);
}

std::string to_json(const Scenario& scenario, const TorqueStudy& study, const FileNames* files) {
  Json motors = Json::array();
  for (std::size_t j = 0; j < study.system.actuators.size(); ++j)
    motors.push_back({{"name", study.system.actuators[j].name},
                      {"peak_torque", number(study.peaks[static_cast<int>(j)])},
                      {"limit", number(study.system.actuators[j].limit)}});
  return text_of({{"name", scenario.name},
                  {"status", name_of(study.motion.status)},
                  {"why", study.motion.what},
                  {"motors", motors},
                  {"shortfall", study.shortfall}},
                 files);
}

std::string to_json(const Scenario& scenario, const std::vector<FormulationResult>& formulations,
                    const std::vector<DriftResult>& drifts, const FileNames* files) {
  Json out{{"name", scenario.name}, {"formulations", Json::array()}, {"drift_controls", Json::array()}};
  for (const FormulationResult& f : formulations)
    out["formulations"].push_back({{"name", f.name},
                                   {"unknowns", f.unknowns},
                                   {"disagreement", number(f.disagreement)},
                                   {"microseconds", f.microseconds},
                                   {"answered", f.answered},
                                   {"asked", f.asked}});
  for (const DriftResult& d : drifts)
    out["drift_controls"].push_back({{"name", d.name},
                                     {"status", name_of(d.status)},
                                     {"worst_phi", number(d.worst_phi)},
                                     {"worst_rate", number(d.worst_rate)},
                                     {"energy_error", number(d.energy_error)},
                                     {"cost", number(d.cost)}});
  return text_of(std::move(out), files);
}

std::string to_json(const std::vector<NamedReproduction>& studies, const FileNames* files) {
  Json out = Json::object();
  for (const NamedReproduction& named : studies) out[named.name] = object_of(named.study);
  return text_of(std::move(out), files);
}

}  // namespace trammel
