#include "trammel/simulate/state_sizes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "trammel/model/longest_way.h"
#include "trammel/simulate/manifold.h"

namespace trammel {
namespace {

// What is so small that its square may not be a number counts as nothing: the first of a force that sets in as exp(−1/t²) does.
double size_of(double x) { return std::abs(x) > 1e-150 ? std::abs(x) : 0; }

}  // namespace

StateSizes::StateSizes(const Problem& problem, double duration)
    : duration_(duration), sizes_{VecX<>::Ones(problem.nv()), VecX<>::Ones(problem.nv())} {
  if (!problem.is_tree()) return;
  const Model& model = problem.system().model;
  of_bodies_ = longest_way(model);
  const ModelManifold manifold(model);
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k) {
      const bool slides = problem.velocities()[body.v + k].unit == "m/s";
      components_.push_back({!slides        ? Kind::angle
                             : body.nv == 6 ? Kind::floating
                                            : Kind::sliding,
                             manifold.coordinate_of(body.v + k)});
      if (components_.back().kind == Kind::sliding) sliding_.push_back(components_.back().coordinate);
    }
}

double StateSizes::length() const { return std::max(of_bodies_, slid_); }

double StateSizes::least_extent(const Problem& problem, const State& start) {
  StateSizes sizes(problem, 0);
  sizes.see(start, VecX<>::Zero(problem.nv()));
  return sizes.length() > 1e-13 ? sizes.length() : 0.1;
}

void StateSizes::see_places(const State& at) {
  for (const int coordinate : sliding_) slid_ = std::max(slid_, size_of(at.q[coordinate]));
}

void StateSizes::see(const State& at, const VecX<>& vdot) {
  see_places(at);
  std::array<double, 3> speed{}, acceleration{};
  double flown = 0;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const auto [kind, coordinate] = components_[i];
    const int c = static_cast<int>(i);
    double& v = speed[static_cast<int>(kind)];
    double& a = acceleration[static_cast<int>(kind)];
    v = std::max(v, size_of(at.v[c]));
    a = std::max(a, size_of(vdot[c]));
    if (kind == Kind::floating) flown = std::max(flown, size_of(at.q[coordinate]));
  }
  std::array<double, 3> place{}, pace{};
  for (const Kind kind : {Kind::angle, Kind::sliding, Kind::floating}) {
    const int k = static_cast<int>(kind);
    double L = kind == Kind::angle ? 1 : length();
    if (L == 0 && kind == Kind::floating) L = flown;
    if (L == 0) way_[k] = 0.1 * (speed[k] * duration_ + 0.5 * acceleration[k] * duration_ * duration_);
    if (kind != Kind::angle) L = std::max(L, way_[k]);
    if (L == 0) L = 1;
    place[k] = L;
    pace[k] = 0.25 * std::max({duration_ > 0 ? L / duration_ : 0.0, speed[k], std::sqrt(L * acceleration[k])});
    if (pace[k] == 0) pace[k] = 1;
  }
  for (std::size_t i = 0; i < components_.size(); ++i) {
    sizes_.places[static_cast<int>(i)] = place[static_cast<int>(components_[i].kind)];
    sizes_.speeds[static_cast<int>(i)] = pace[static_cast<int>(components_[i].kind)];
  }
}

double StateSizes::largest_rate(const VecX<>& v, double length) const {
  double turning = 0, moving = 0;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    double& largest = components_[i].kind == Kind::angle ? turning : moving;
    largest = std::max(largest, std::abs(v[static_cast<int>(i)]));
  }
  return std::max(turning, moving / length);
}

double largest_rate(const Problem& problem, const VecX<>& v) {
  double out = 0;
  for (int i = 0; i < v.size(); ++i)
    out = std::max(out, std::abs(v[i]) / (problem.system().model.turns(i) ? 1 : problem.moment_length()));
  return out;
}

}  // namespace trammel
