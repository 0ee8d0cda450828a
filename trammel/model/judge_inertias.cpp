#include "trammel/model/judge_inertias.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/core.h>

#include "trammel/base/faults.h"
#include "trammel/base/listed.h"
#include "trammel/model/check_description.h"
#include "trammel/model/configuration.h"
#include "trammel/model/mass_pivots.h"

namespace trammel {
namespace {

// The links that move, by their bodies.
std::vector<std::vector<int>> links_of_bodies(const std::vector<Seat>& seats) {
  int count = 0;
  for (const Seat& seat : seats) count = std::max(count, seat.body + 1);
  std::vector<std::vector<int>> out(count);
  for (std::size_t i = 0; i < seats.size(); ++i)
    if (seats[i].body != world) out[seats[i].body].push_back(static_cast<int>(i));
  return out;
}

// Of all links that are fixed together, about their mass centre: a sum without cancellation.
Inertia<> inertia_of_body(const RobotDescription& robot, const std::vector<Seat>& seats,
                          const std::vector<int>& links) {
  double mass = 0;
  Vec3<> moment = Vec3<>::Zero();
  for (const int i : links) {
    mass += robot.links[i].mass;
    moment += robot.links[i].mass * (seats[i].X_BL * robot.links[i].com);
  }
  const Vec3<> com = mass > 0 ? Vec3<>(moment / mass) : Vec3<>(Vec3<>::Zero());
  Inertia<> out;
  for (const int i : links) {
    const Link& link = robot.links[i];
    out = out + Inertia<>::from_com(link.mass, seats[i].X_BL * link.com - com, link.inertia.rotated(seats[i].X_BL.R));
  }
  return out;
}

enum class Kind { physical, massless, beyond_the_others, negative };

Kind kind_of(double mass, const Symmetric3<>& about_com) {
  constexpr double rounding = 1e-6;
  const double smallest = 1e-18 * mass;  // of a body of a nanometre: what exporters leave of a zero
  const Vec3<> moments = principal_moments(about_com);
  if (moments[0] < -rounding * moments[2] - smallest) return Kind::negative;
  if (mass == 0 && moments[2] > 0) return Kind::massless;
  return moments[0] + moments[1] - moments[2] >= -rounding * moments[2] - smallest ? Kind::physical
                                                                                   : Kind::beyond_the_others;
}

// Links whose own inertia is of the kind, else all that the body has.
std::vector<int> to_blame(const RobotDescription& robot, const std::vector<int>& links, Kind kind) {
  std::vector<int> out;
  for (const int i : links)
    if (kind_of(robot.links[i].mass, robot.links[i].inertia) == kind) out.push_back(i);
  return out.empty() ? links : out;
}

std::vector<Named> named(const RobotDescription& robot, const std::vector<int>& links) {
  std::vector<Named> out;
  for (const int i : links) out.push_back({robot.links[i].place, robot.links[i].name});
  return out;
}

// Links with moments that no body has, where the author is held to every word: it does not matter where the link does not move, nor where it
// is a small part of a body that can be. Moments that vanish but for one are a place holder.
void judge_strictly(const RobotDescription& robot, const std::vector<Seat>& seats,
                    const std::vector<std::vector<int>>& links_of, std::vector<Warning>& out) {
  Faults faults;
  std::vector<int> odd;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const Link& link = robot.links[i];
    if (link.lenient || is_physical(link.inertia)) continue;
    const Vec3<> moments = principal_moments(link.inertia);
    const bool is_place_holder = moments[1] <= 1e-9 * moments[2];
    const auto whole = [&] { return inertia_of_body(robot, seats, links_of[seats[i].body]).about_origin; };
    if (seats[i].body != world && !is_place_holder && !is_physical(whole()))
      faults.attempt([&] { refuse_inertia(link); });
    odd.push_back(static_cast<int>(i));
  }
  faults.refuse();
  if (odd.empty()) return;
  out.push_back({robot.links[odd.front()].place,
                 "a principal moment of inertia above the sum of the other two, which no body has, of " +
                     listed("link", named(robot, odd))});
}

bool judged_leniently(const RobotDescription& robot, const std::vector<int>& links) {
  return std::ranges::any_of(links, [&](int i) { return robot.links[i].lenient; });
}

// The links of the bodies whose inertia is of the kind.
std::vector<int> links_of_kind(const RobotDescription& robot, const std::vector<Seat>& seats,
                               const std::vector<std::vector<int>>& links_of, Kind kind) {
  std::vector<int> out;
  for (const std::vector<int>& links : links_of) {
    if (!judged_leniently(robot, links)) continue;
    const Inertia<> whole = inertia_of_body(robot, seats, links);
    if (kind_of(whole.mass, whole.about_origin) != kind) continue;
    const std::vector<int> blamed = to_blame(robot, links, kind);
    out.insert(out.end(), blamed.begin(), blamed.end());
  }
  std::ranges::sort(out);
  return out;
}

// Angles all around, lengths within a metre.
VecX<> random_posture(const Model& model, std::mt19937_64& random) {
  VecX<> step(model.nv());
  for (int i = 0; i < step.size(); ++i) {
    const double part = 2 * std::ldexp(static_cast<double>(random() >> 11), -53) - 1;  // the same with every library
    step[i] = model.turns(i) ? std::numbers::pi * part : part;
  }
  return retract(model, neutral_configuration(model), step);
}

}  // namespace

std::vector<Warning> judge_inertias(const RobotDescription& robot, const std::vector<Seat>& seats) {
  const std::vector<std::vector<int>> links_of = links_of_bodies(seats);
  std::vector<Warning> out;
  judge_strictly(robot, seats, links_of, out);
  const auto warn = [&](Kind kind, const char* text) {
    const std::vector<int> links = links_of_kind(robot, seats, links_of, kind);
    if (links.empty()) return;
    out.push_back({robot.links[links.front()].place,
                   fmt::format("{} of {} is used as it is given", text, listed("link", named(robot, links)))});
  };
  warn(Kind::massless, "an inertia without mass");
  warn(Kind::beyond_the_others, "a principal moment of inertia above the sum of the other two, which no body has,");
  warn(Kind::negative, "a negative principal moment of inertia, with which the mass matrix stays positive definite,");
  return out;
}

void check_definite(const RobotDescription& robot, const std::vector<Seat>& seats, const Model& model) {
  const std::vector<int> negative = links_of_kind(robot, seats, links_of_bodies(seats), Kind::negative);
  if (negative.empty()) return;
  constexpr int postures = 100;
  std::mt19937_64 random(25);
  for (int k = 0; k < postures; ++k) {
    const std::optional<int> joint = indefinite_joint(model, random_posture(model, random));
    if (!joint) continue;
    Faults faults;
    for (const int i : negative)
      faults.add(
          Error(robot.links[i].place,
                fmt::format("principal moments of inertia {} kg·m² of link '{}', with which the mass matrix is not "
                            "positive definite (joint '{}')",
                            moments_text(robot.links[i].inertia), robot.links[i].name, model.joint_name(*joint)),
                "none negative"));
    faults.refuse();
  }
}

}  // namespace trammel
