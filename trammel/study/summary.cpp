#include "trammel/study/summary.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "trammel/motion/stages.h"

namespace trammel {
namespace {

double peak(const Recording& recording, const std::string& column) {
  return recording.rows() == 0 ? 0 : recording[column].cwiseAbs().maxCoeff();
}

// Of the rows of System::constraints[constraint].
Summary::OfConstraint of_constraint(const Problem& problem, int constraint, const Recording& recording) {
  const NamedConstraint& named = problem.system().constraints[constraint];
  Summary::OfConstraint out{named.name, named.layer == Layer::physical};
  for (const RowInfo& row : problem.rows()) {
    if (row.constraint != constraint) continue;
    out.worst_phi = std::max(out.worst_phi, peak(recording, "phi." + row.name));
    out.worst_rate = std::max(out.worst_rate, peak(recording, "phidot." + row.name));
    out.peak_force = std::max(out.peak_force, peak(recording, "lambda." + row.name));
  }
  return out;
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
    out += fmt::format("{:<24} {:>12.4g} {:>12.4g} {:>12.4g} {:>14.4g}\n", of.name, of.put_in, of.taken_out, of.work,
                       of.peak_power);
  out += fmt::format("{:<24} {:>38.4g}\n", "together", summary.together);
  out += fmt::format("{:<24} {:>38.4g}\n", "kinetic and weight", summary.kinetic_and_weight);
  return out;
}

}  // namespace

Summary summarise(const Problem& problem, const Simulation& run, double seconds) {
  const System& system = problem.system();
  Summary out;
  const Recording& recording = run.recording;
  out.steps = run.steps;
  out.rejected_steps = run.rejected_steps;
  out.evaluations = run.evaluations;
  out.seconds = seconds;
  out.worst_path = run.worst_path;
  out.rows = problem.asked().rows;

  const State start = recording.rows() > 0 ? recording.state(0) : run.end;
  Data data(problem);
  if (recording.rows() > 0) data.set_inputs(recording.inputs(0));
  const Diagnosis diagnosis = diagnose(data, start.q, start.v, start.t);
  out.freedoms_before = diagnosis.freedoms_before;
  out.freedoms_after = diagnosis.freedoms_after;
  out.rank = diagnosis.rank;
  out.status = diagnosis.status;
  add_works(run, start, data, out);

  std::size_t tracked = 0;
  for (int i = 0; i < static_cast<int>(system.constraints.size()); ++i) {
    if (problem.driven() && system.constraints[i].layer == Layer::control) {
      const Miss& miss = run.worst_misses[tracked++];
      out.constraints.push_back({system.constraints[i].name, false, miss.distance, miss.speed});
    } else {
      out.constraints.push_back(of_constraint(problem, i, recording));
    }
  }
  for (int i = 0; i < system.model.nv(); ++i) {
    const std::string name = system.model.velocity_name(i);
    out.joints.push_back({name, peak(recording, "Qc." + name)});
  }
  if (problem.driven())
    for (std::size_t j = 0; j < system.actuators.size(); ++j)
      out.motors.push_back({system.actuators[j].name, run.peak_torques[j], system.actuators[j].limit});
  if (recording.rows() == 0) return out;
  const VecX<> balance = recording["energy"] - recording["work"];
  out.energy_error = (balance.array() - balance[0]).abs().maxCoeff();
  out.simulated = run.end.t - start.t;
  return out;
}

std::string Summary::text() const {
  std::string out = has_motion(status)
                        ? fmt::format("freedoms          {} of the robot, {} rows independent, {} left ({})\n",
                                      freedoms_before, rank, freedoms_after, name_of(status))
                        : fmt::format("freedoms          {} of the robot, {} rows of constraints ({})\n",
                                      freedoms_before, rows, name_of(status));
  if (!constraints.empty())
    out += fmt::format("\n{:<24} {:>12} {:>12} {:>12}\n", "constraint", "open by", "rate", "peak force");
  for (const OfConstraint& c : constraints)
    out += fmt::format("{:<24} {:>12.2e} {:>12.2e} {:>12.4g}\n", c.name + (c.physical ? "" : " (control)"), c.worst_phi,
                       c.worst_rate, c.peak_force);
  out += fmt::format("\n{:<24} {:>22}\n", "joint", "peak constraint force");
  for (const OfJoint& joint : joints) out += fmt::format("{:<24} {:>22.4g}\n", joint.name, joint.peak_constraint_force);
  if (!motors.empty()) out += fmt::format("\n{:<24} {:>12} {:>12}\n", "motor", "peak torque", "limit");
  for (const OfMotor& motor : motors)
    out += fmt::format("{:<24} {:>12.4g} {:>12.4g}\n", motor.name, motor.peak_torque, motor.limit);
  if (!motors.empty()) out += fmt::format("\npath missed by    {:.2e} m\n", worst_path);
  out += work_text(*this);
  out += fmt::format("\nenergy balance    {:.2e} J\n", energy_error);
  out += fmt::format("steps             {} ({} rejected), {} evaluations\n", steps, rejected_steps, evaluations);
  out += fmt::format("time              {:.4g} s in {:.3g} s: {:.3g} times as fast as the clock\n", simulated, seconds,
                     seconds > 0 ? simulated / seconds : 0);
  return out;
}

}  // namespace trammel
