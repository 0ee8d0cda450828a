#include "trammel/study/summary.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "trammel/base/fold.h"
#include "trammel/motion/stages.h"
#include "trammel/study/summary_tables.h"

namespace trammel {
namespace {

// Of constraint i of problem.asked().
Summary::OfConstraint of_constraint(const Problem& problem, int i, const Simulation& run) {
  const int constraint = problem.asked().constraints[i];
  const NamedConstraint& named = problem.system().constraints[constraint];
  Summary::OfConstraint out;
  out.name = named.name;
  out.physical = named.layer == Layer::physical;
  out.tracked = i >= static_cast<int>(problem.held().constraints.size());
  for (const RowInfo& row : problem.rows())
    if (row.constraint == constraint)
      (row.unit == "m" ? out.in_metres : row.unit == "rad" ? out.in_radians : out.in_other) = true;
  out.compliant = named.compliance.has_value();
  out.open_by = run.worst_openings[i];
  out.rate = run.worst_rates[i];
  if (!out.tracked) out.peak = run.peaks.constraints[i];
  return out;
}

std::string force_unit(const VariableInfo& velocity) {
  return velocity.unit == "rad/s" ? "N·m" : velocity.unit == "m/s" ? "N" : "";
}

// "'a', 'b'": the names of those of which it is so.
template <class Is>
std::string names_of(const Summary& summary, const Is& is, int& count) {
  std::string out;
  count = 0;
  const auto add = [&](const std::string& name) { out += fmt::format("{}'{}'", count++ ? ", " : "", name); };
  for (const Summary::OfConstraint& c : summary.constraints)
    if (is(c.peak)) add(c.name);
  for (const Summary::OfJoint& joint : summary.joints)
    if (is(joint.peak)) add(joint.name);
  return out;
}

double if_bounded(const Peak& peak) { return std::isfinite(peak.value) ? peak.value : 0; }

// "'c': its force is unbounded near t = 0.3 s", where its peak is.
std::string singular_remark(const Summary::OfConstraint& c) {
  for (const Peak& peak : {c.peak.force, c.peak.moment, c.peak.other})
    if (!peak.is_bounded()) return fmt::format("'{}': its force is unbounded near t = {:.3g} s", c.name, peak.t);
  return fmt::format(
      "'{}' is singular at t = {:.3g} s: forces there are not determined; peaks, also of joints that it loads, are "
      "those of other times",
      c.name, *c.peak.singular_since);
}

double kinetic_and_weight_at(const State& at, Data& data) {
  evaluate_rows(at, data);
  return energy(at.v, data) - spring_energy(data);
}

// Of a run from `start`, with a data at hand.
void add_works(const Simulation& run, const State& start, Data& data, Summary& out) {
  out.works = run.works;
  std::ranges::stable_sort(out.works, std::greater(), [](const WorkDone& of) { return of.put_in + of.taken_out; });
  for (const WorkDone& of : out.works) out.together += of.work;
  out.kinetic_and_weight = kinetic_and_weight_at(run.end, data) - kinetic_and_weight_at(start, data);
}

// Nothing where no one can do work.
std::string work_text(const Summary& summary) {
  const auto is_ideal = [](const WorkDone& of) { return of.kind == PowerChannel::Kind::ideal_constraints; };
  if (std::ranges::all_of(summary.works, is_ideal)) return "";
  std::string out = fmt::format("\n{:<24} {:>12} {:>12} {:>12} {:>14}\n", "work of", "put in, J", "taken out, J",
                                "net, J", "peak power, W");
  for (const WorkDone& of : summary.works)
    out += fmt::format("{:<24} {:>12.2g} {:>12.2g} {:>12.4g} {:>14.3g}\n", of.name, of.put_in, of.taken_out, of.work,
                       of.peak_power);
  out += fmt::format("{:<24} {:>38.4g}\n", "together", summary.together);
  out += fmt::format("{:<24} {:>38.4g}\n", "kinetic and weight", summary.kinetic_and_weight);
  return out;
}

}  // namespace

Opening Summary::worst_opening() const {
  Opening out;
  for (const OfConstraint& c : constraints)
    if (!c.tracked) out.include(c.open_by);
  return out;
}

double Summary::largest_force() const {
  double out = 0;
  for (const OfConstraint& c : constraints) out = std::max(out, if_bounded(c.peak.force));
  return out;
}

double Summary::largest_moment() const {
  double out = 0;
  for (const OfConstraint& c : constraints) out = std::max(out, if_bounded(c.peak.moment));
  return out;
}

double Summary::rounding_of_force() const {
  double largest = std::max(largest_force(), largest_moment() / moment_length);
  for (const OfVelocity& v : velocities)
    largest = std::max(largest, v.unit == "N·m" ? if_bounded(v.peak) / moment_length : if_bounded(v.peak));
  for (const OfJoint& joint : joints)
    largest = std::max({largest, if_bounded(joint.peak.force), if_bounded(joint.peak.moment) / moment_length});
  return 1e-9 * largest;
}

namespace {

// "passes a singular posture at t = 0.709, 1.34 s: loop[0] has 1e-12 of its usual strength there"
std::string passages_text(std::string_view does, const std::vector<Passage>& passages) {
  std::vector<double> times;
  for (const Passage& passage : passages) times.push_back(passage.t);
  const Passage& nearest = *std::ranges::min_element(passages, {}, &Passage::part);
  return fmt::format("{} a singular posture at {}: {} has {:.1g} of its usual strength there", does,
                     folded_moments(times), nearest.row, nearest.part);
}

}  // namespace

std::vector<std::string> Summary::remarks() const {
  std::vector<std::string> out;
  int count = 0;
  const std::string shared = names_of(
      *this, [](const WrenchPeak& peak) { return peak.uniqueness == Uniqueness::shared; }, count);
  const bool gives_way = std::ranges::any_of(
      constraints, [](const OfConstraint& c) { return c.compliant && c.peak.uniqueness == Uniqueness::shared; });
  if (count > 0)
    out.push_back(fmt::format(
        "{} {} a force that the motion does not determine: {} shown (moments over {:.2g} m)", shared,
        count > 1 ? "share" : "shares with joints",
        gives_way ? "what their compliances make of it, and the least of what these leave open, is" : "the least is",
        moment_length));
  const std::string undecided = names_of(
      *this, [](const WrenchPeak& peak) { return peak.uniqueness == Uniqueness::undecided; }, count);
  if (count > 0)
    out.push_back(
        fmt::format("{}: rows follow from others so nearly that rounding decides how they share a force", undecided));
  for (const OfConstraint& c : constraints)
    if (c.peak.singular_since) out.push_back(singular_remark(c));
  if (!passages.empty()) out.push_back(passages_text("passes", passages));
  if (!near_misses.empty()) out.push_back(passages_text("comes near, and does not pass,", near_misses));
  return out;
}

std::string text_of(const EnergyBalance& energy) {
  using enum EnergyBalance::Verdict;
  const std::string sizes = fmt::format("{:.2e} J of {:.2e} J exchanged", energy.error, energy.exchanged);
  return energy.verdict == unknown ? "not known, as M changes"
         : energy.verdict == good  ? sizes
                                   : fmt::format("{}: {}", sizes, name_of(energy.verdict));
}

Summary summarise(const Problem& problem, const Simulation& run, double seconds) {
  const System& system = problem.system();
  Summary out;
  const Recording& recording = run.recording;
  out.steps = run.steps;
  out.stiff_since = run.stiff_since;
  out.rejected_steps = run.rejected_steps;
  out.evaluations = run.evaluations;
  out.seconds = seconds;
  out.worst_path = run.worst_path;
  out.rows = problem.asked().rows;
  out.moment_length = problem.moment_length();
  out.passages = run.passages;
  out.near_misses = run.near_misses;

  const State start = recording.rows() > 0 ? recording.state(0) : run.end;
  Data data(problem);
  if (recording.rows() > 0) data.set_inputs(recording.inputs(0));
  const Diagnosis diagnosis = diagnose(data, start.q, start.v, start.t);
  out.freedoms_before = diagnosis.freedoms_before;
  out.freedoms_after = diagnosis.freedoms_after;
  out.rank = diagnosis.rank;
  out.status = diagnosis.status;
  add_works(run, start, data, out);

  // in the order of the system
  const std::vector<int>& asked = problem.asked().constraints;
  for (int i = 0; i < static_cast<int>(system.constraints.size()); ++i)
    out.constraints.push_back(
        of_constraint(problem, static_cast<int>(std::ranges::find(asked, i) - asked.begin()), run));
  for (int i = 0; i < problem.nv(); ++i)
    out.velocities.push_back(
        {problem.velocities()[i].name, force_unit(problem.velocities()[i]), run.peaks.velocities[i]});
  for (std::size_t j = 0; j < run.peaks.joints.size(); ++j)
    out.joints.push_back({run.peaks.joint_names[j], run.peaks.joints[j]});
  for (std::size_t j = 0; j < problem.motors().size(); ++j)
    out.motors.push_back({system.actuators[j].name, std::string(problem.motors()[j].unit), run.peaks.motors[j],
                          system.limit_of(system.actuators[j])});
  out.energy = run.energy;
  if (recording.rows() > 0) out.simulated = run.end.t - start.t;
  return out;
}

std::string Summary::text() const {
  std::string out = has_motion(status)
                        ? fmt::format("freedoms          {} of the robot, {} rows independent, {} left ({})\n",
                                      freedoms_before, rank, freedoms_after, name_of(status))
                        : fmt::format("freedoms          {} of the robot, {} rows of constraints ({})\n",
                                      freedoms_before, rows, name_of(status));
  if (!constraints.empty()) out += "\n" + constraint_table(*this).text();
  for (const std::string& remark : remarks()) out += remark + "\n";
  if (const ResultTable table = velocity_table(*this); !table.columns().empty()) out += "\n" + table.text();
  if (const ResultTable table = joint_table(*this); !table.columns().empty()) out += "\n" + table.text();
  if (!motors.empty()) out += "\n" + motor_table(motors).text();
  if (!motors.empty()) out += fmt::format("\npath missed by    {}\n", worst_path.text(3));
  out += work_text(*this);
  out += fmt::format("\nenergy balance    {}\n", text_of(energy));
  out += fmt::format("steps             {} ({} rejected), {} evaluations\n", steps, rejected_steps, evaluations);
  if (stiff_since)
    out += fmt::format(
        "                  damping and friction of joints are stiff: from {:.3g} s on by ark5, implicitly\n",
        *stiff_since);
  out += fmt::format("time              {:.4g} s in {:.3g} s: {:.3g} times as fast as the clock\n", simulated, seconds,
                     seconds > 0 ? simulated / seconds : 0);
  return out;
}

}  // namespace trammel
