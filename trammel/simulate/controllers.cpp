#include "trammel/simulate/controllers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "trammel/math/eps.h"

namespace trammel {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

void check(const Controller& controller, double resolution) {
  if (!(controller.every > 2 * resolution) || !std::isfinite(controller.every))
    throw Error(fmt::format("controller '{}' every {:g} s", controller.name, controller.every),
                fmt::format("above {:.2g} s, the resolution of the clock in this run", 2 * resolution));
  if (!(controller.delay >= 0) || !std::isfinite(controller.delay))
    throw Error(fmt::format("controller '{}' with a delay of {:g} s", controller.name, controller.delay),
                "0 s or above");
}

}  // namespace

Controllers::Controllers(const Problem& problem, const std::vector<Controller>& all, double start, double span)
    : start_(start), resolution_(8 * eps * std::max(std::abs(start), std::abs(start + span))) {
  if (all.empty()) return;
  if (!problem.is_tree()) throw Error("controllers of a system that is given by its matrices", "those of a tree");
  const System& system = problem.system();
  const std::vector<std::string> names = system.input_names();
  std::vector<const Controller*> sets(names.size(), nullptr);
  const auto bound = [&](const Controller& of, const std::vector<Controller::Setting>& settings) {
    std::vector<Setting> out;
    for (const Controller::Setting& setting : settings) {
      if (setting.input < 0 || setting.input >= std::ssize(names))
        throw Error(fmt::format("input {} of controller '{}'", setting.input, of.name),
                    fmt::format("0 to {}", std::ssize(names) - 1));
      const Controller*& other = sets[static_cast<std::size_t>(setting.input)];
      if (other != nullptr)
        throw Error(fmt::format("input '{}', which '{}' and '{}' set", names[static_cast<std::size_t>(setting.input)],
                                other->name, of.name),
                    "one controller for each input");
      other = &of;
      out.push_back({setting.input, BoundExpression(system.model, setting.value, setting.start, names)});
    }
    return out;
  };
  for (const Controller& controller : all) {
    check(controller, resolution_);
    Bound& out = all_.emplace_back();
    out.of = &controller;
    out.next = bound(controller, controller.next);
    out.out = bound(controller, controller.out);
    if (controller.delay > 2 * resolution_) out.delay = controller.delay;
    out.sample = start;
    const double waiting = out.delay > 0 ? std::min(out.delay, span) / controller.every + 2 : 0;
    if (waiting > 1e7)
      throw Error(fmt::format("controller '{}' with a delay of {:g} samples", controller.name, waiting),
                  "10 million at most");
    out.waiting = static_cast<int>(waiting);
    out.computed.resize(static_cast<std::size_t>(out.waiting) * out.out.size());
    values_.resize(std::max(values_.size(), out.next.size() + out.out.size()));
  }
}

// When what was sampled first of all that waits is set.
double Controllers::due(const Bound& bound) const {
  if (bound.delay == 0 || bound.set == bound.samples) return never;
  return start_ + static_cast<double>(bound.set) * bound.of->every + bound.delay;
}

double Controllers::next() const {
  double out = never;
  for (const Bound& bound : all_) out = std::min({out, bound.sample, due(bound)});
  return out;
}

bool Controllers::act(Data& data) {
  const double t = data.at.t;
  for (Bound& bound : all_)
    for (; is_due(due(bound), t); ++bound.set) {
      const std::size_t part = static_cast<std::size_t>(bound.set % bound.waiting) * bound.out.size();
      for (std::size_t i = 0; i < bound.out.size(); ++i) data.inputs[bound.out[i].input] = bound.computed[part + i];
    }
  return std::ranges::all_of(all_, [&](Bound& bound) { return !is_due(bound.sample, t) || look(bound, data); });
}

bool Controllers::look(Bound& bound, Data& data) {
  data.turned_q = data.at.q + data.turns;  // as the coordinates are recorded
  const Movement<double> now = data.turned_movement();
  std::size_t count = 0;
  for (const std::vector<Setting>* settings : {&bound.next, &bound.out})
    for (const Setting& setting : *settings) {
      const double value = setting.value.value(now);
      values_[count++] = value;
      if (std::isfinite(value)) continue;
      what_ = fmt::format("controller '{}' gives {} for '{}'", bound.of->name,
                          std::isnan(value) ? "no number" : "what is infinite",
                          data.problem.system().inputs[static_cast<std::size_t>(setting.input)].name);
      return false;
    }
  count = 0;
  for (const Setting& memory : bound.next) data.inputs[memory.input] = values_[count++];
  if (bound.delay == 0)
    for (const Setting& setting : bound.out) data.inputs[setting.input] = values_[count++];
  else
    std::copy_n(
        values_.begin() + static_cast<std::ptrdiff_t>(count), bound.out.size(),
        bound.computed.begin() + static_cast<std::ptrdiff_t>((bound.samples % bound.waiting) * std::ssize(bound.out)));
  bound.sample = start_ + static_cast<double>(++bound.samples) * bound.of->every;
  return true;
}

}  // namespace trammel
