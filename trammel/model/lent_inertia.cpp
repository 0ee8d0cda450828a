#include "trammel/model/lent_inertia.h"

#include <algorithm>

namespace trammel {
namespace {

bool is_idle(const Model& model, int v) {
  return std::ranges::binary_search(model.idle_velocities(), v) && model.coordinates()[v].rotor_inertia == 0;
}

// Couplings go by coordinates, of joints that have one.
int velocity_of_coordinate(const Model& model, int q) {
  for (const Body& body : model.bodies())
    if (body.q == q) return body.v;
  return -1;
}

int coordinate_of_velocity(const Model& model, int v) { return model.bodies()[model.body_of_velocity(v)].q; }

double largest_inertia(const Model& model, bool turning) {
  double largest = 0;
  for (int v = 0; v < model.nv(); ++v)
    if (model.turns(v) == turning) largest = std::max(largest, model.inertia_scales()[v]);
  return largest > 0 ? largest : model.moving_mass();
}

}  // namespace

std::optional<Leader> leader_of(const Model& model, int idle) {
  Leader at{idle, 1};
  for (std::size_t steps = 0; steps <= model.couplings().size(); ++steps) {
    if (!is_idle(model, at.velocity)) return at;
    const auto mimic =
        std::ranges::find(model.couplings(), coordinate_of_velocity(model, at.velocity), &ModelCoupling::q);
    if (mimic == model.couplings().end()) return std::nullopt;
    at = {velocity_of_coordinate(model, mimic->source), at.multiplier * mimic->multiplier};
  }
  return std::nullopt;
}

VecX<> lent_inertia(const Model& model, std::span<const char> held) {
  constexpr double part = 1e-6;
  VecX<> added = VecX<>::Zero(model.nv());
  for (const int v : model.idle_velocities()) {
    if (!is_idle(model, v)) continue;
    const std::optional<Leader> leader = held[v] != 0 ? leader_of(model, v) : std::nullopt;
    if (!leader) {
      added[v] += part * largest_inertia(model, model.turns(v));
      continue;
    }
    const double m2 = leader->multiplier * leader->multiplier, taken = part * model.inertia_scales()[leader->velocity];
    const double rho = m2 > 0 ? taken / m2 : taken;
    added[v] += rho;
    added[leader->velocity] -= m2 * rho;
  }
  return added;
}

}  // namespace trammel
