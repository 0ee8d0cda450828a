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

// Nothing where it was not determined at any moment.
Json object_of(const Peak& peak, std::string_view unit) {
  if (std::isnan(peak.value)) return {};
  Json out{{"value", number(peak.value)}};
  if (!unit.empty()) out["unit"] = unit;
  out[peak.is_bounded() ? "t" : "unbounded_near"] = number(peak.t);
  return out;
}

// Of what exists, by unit.
Json object_of(const Opening& opening, const Summary::OfConstraint& c, const std::string& per) {
  Json out = Json::object();
  if (c.in_metres) out["m" + per] = number(opening.length);
  if (c.in_radians) out["rad" + per] = number(opening.angle);
  if (c.in_other) out["other" + per] = number(opening.other);
  return out;
}

void add_wrench(const WrenchPeak& peak, Json& out) {
  out["peak_force"] = object_of(peak.force, "N");
  out["peak_moment"] = object_of(peak.moment, "N·m");
  if (peak.other.value > 0) out["peak_multiplier"] = object_of(peak.other, "");
  out["force"] = name_of(peak.uniqueness);
  if (peak.singular_since) out["singular_since"] = *peak.singular_since;
}

Json object_of(const Summary::OfConstraint& c) {
  Json out{{"name", c.name},
           {"layer", c.physical ? "physical" : "control"},
           {"open_by", object_of(c.open_by, c, "")},
           {"rate", object_of(c.rate, c, "/s")}};
  if (!c.tracked) add_wrench(c.peak, out);
  return out;
}

Json object_of(const EnergyBalance& energy) {
  Json out{
      {"verdict", name_of(energy.verdict)}, {"error", number(energy.error)}, {"exchanged", number(energy.exchanged)}};
  if (energy.since) out["since"] = number(*energy.since);
  return out;
}

Json array_of(const std::vector<Summary::OfMotor>& motors) {
  Json out = Json::array();
  for (const Summary::OfMotor& m : motors)
    out.push_back({{"name", m.name}, {"peak_torque", object_of(m.peak, m.unit)}, {"limit", number(m.limit)}});
  return out;
}

Json object_of(const Summary& summary) {
  Json constraints = Json::array(), joints = Json::array(), reactions = Json::array();
  for (const Summary::OfConstraint& c : summary.constraints) constraints.push_back(object_of(c));
  for (const Summary::OfVelocity& v : summary.velocities)
    joints.push_back({{"name", v.name}, {"peak_constraint_force", object_of(v.peak, v.unit)}});
  for (const Summary::OfJoint& joint : summary.joints) {
    reactions.push_back({{"name", joint.name}});
    add_wrench(joint.peak, reactions.back());
  }
  const auto postures = [](const std::vector<Passage>& passages) {
    Json out = Json::array();
    for (const Passage& passage : passages)
      out.push_back({{"t", passage.t}, {"row", passage.row}, {"part", passage.part}});
    return out;
  };
  return {{"freedoms_before", summary.freedoms_before},
          {"rank", summary.rank},
          {"freedoms_after", summary.freedoms_after},
          {"constraints_at_start", name_of(summary.status)},
          {"constraints", constraints},
          {"joints", joints},
          {"reactions", reactions},
          {"motors", array_of(summary.motors)},
          {"worst_path",
           {{"m", number(summary.worst_path.length)},
            {"rad", number(summary.worst_path.angle)},
            {"other", number(summary.worst_path.other)}}},
          {"singular_postures", postures(summary.passages)},
          {"nearly_singular_postures", postures(summary.near_misses)},
          {"works", works_of(summary)},
          {"kinetic_and_weight", number(summary.kinetic_and_weight)},
          {"energy_error", number(summary.energy.error)},
          {"energy_balance", object_of(summary.energy)},
          {"simulated", summary.simulated},
          {"seconds", summary.seconds},
          {"steps", summary.steps},
          {"rejected_steps", summary.rejected_steps},
          {"evaluations", summary.evaluations},
          {"stiff_since", summary.stiff_since ? Json(*summary.stiff_since) : Json()}};
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
          {"physical_rank", diagnosis.physical_rank},
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
  Json out{{"title", study.title}, {"warnings", study.warnings}, {"numbers", Json::array()}, {"tables", Json::array()}};
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
  return text_of({{"name", scenario.name},
                  {"status", name_of(study.motion.status)},
                  {"why", study.motion.what},
                  {"motors", array_of(study.motors)},
                  {"singular", study.singular},
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
