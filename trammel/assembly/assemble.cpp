#include "trammel/assembly/assemble.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/core.h>

#include "trammel/assembly/place_search.h"
#include "trammel/math/eps.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

std::vector<char> marked(const std::vector<int>& velocities, int nv) {
  std::vector<char> out(nv, 0);
  for (const int i : velocities) out[i] = 1;
  return out;
}

// All but floating joints on the world, and what is held already.
std::vector<char> all_but_bases(const Model& model, const std::vector<char>& held) {
  std::vector<char> out(model.nv(), 1);
  for (const Body& body : model.bodies())
    if (body.type == JointType::floating && body.parent == world)
      for (int k = 0; k < body.nv; ++k) out[body.v + k] = held[body.v + k];
  return out;
}

bool any_free(const std::vector<char>& held) { return std::ranges::find(held, 0) != held.end(); }

bool has_limits(const Model& model) {
  return std::ranges::any_of(model.coordinates(),
                             [](const Coordinate& c) { return c.lower > -unlimited || c.upper < unlimited; });
}

// The floating joint on the world that carries a body; none where another does.
const Body* base_of(const Model& model, int body) {
  while (body != world && model.bodies()[body].parent != world) body = model.bodies()[body].parent;
  const Body* const root = body == world ? nullptr : &model.bodies()[body];
  return root && root->type == JointType::floating ? root : nullptr;
}

// Errors or rates of all rows, times their scales.
VecX<> scaled(const System& system, VecX<> rows) {
  int row = 0;
  for (const NamedConstraint& constraint : system.constraints)
    for (int k = 0; k < constraint.law->rows(); ++k) rows[row++] *= constraint.law->row_scale(k) * constraint.scale;
  return rows;
}

// Names the constraint whose errors, times their scales, are largest: of a point that is off along x and y the distance.
void name_open(const System& system, const VecX<>& errors, Assembly& out) {
  int first = 0;
  for (const NamedConstraint& constraint : system.constraints) {
    const Constraint& law = *constraint.law;
    const auto own = errors.segment(first, law.rows());
    first += law.rows();
    if (!own.allFinite()) {
      out.status = AssemblyStatus::not_a_number;
      out.open = constraint.name;
      return;
    }
    for (int k = 0; k < law.rows(); ++k) {
      double square = 0;
      for (int other = 0; other < law.rows(); ++other)
        if (law.unit(other) == law.unit(k) && law.row_scale(other) == law.row_scale(k))
          square += own[other] * own[other];
      const double weight = law.row_scale(k) * constraint.scale;
      if (out.residual.see(std::sqrt(square) / weight, weight, law.unit(k))) out.open = constraint.name;
    }
  }
}

// Attempts to find a place on the constraints, one set of velocities after the other.
class Places {
 public:
  Places(const System& system, double t, const AssemblyOptions& options, Assembly& out)
      : system_(system), options_(options), search_(system, t, options.rank_tolerance), t_(t), out_(out) {}

  void find(const VecX<>& guess) {
    const std::vector<char> kept = marked(options_.keep, system_.model.nv());
    search_.measure(guess);
    if (!is_closed_already(guess)) {
      from_ = with_bases_turned(guess, kept);
      if (!move_bases(kept) && !move_all(kept)) tell_why();
    }
    out_.iterations = search_.iterations();
  }

 private:
  bool is_closed(const PlaceSearch::End& end, const VecX<>& q) {
    return end.error <= options_.tolerance * end.size && !search_.misaligned(q);
  }

  bool is_closed_already(const VecX<>& guess) {
    const PlaceSearch::End end = search_.look(guess);
    return end.error <= 100 * eps * end.size && !search_.misaligned(guess);
  }

  // Turns floating joints so that what they carry is aligned: from far off, Newton's steps end at false solutions.
  VecX<> with_bases_turned(VecX<> q, const std::vector<char>& kept) const {
    const Model& model = system_.model;
    const std::vector<double> inputs = system_.input_values();
    Positions<> where(model);
    for (const NamedConstraint& constraint : system_.constraints) {
      const auto misalignment = [&](const VecX<>& at) {
        positions<double>(model, at, where);
        return Vec3<>(constraint.law->misalignment({where, at, t_, inputs}));
      };
      for (const int body : constraint.law->bodies()) {
        const Body* const base = base_of(model, body);
        if (!base || kept[base->v + 3] + kept[base->v + 4] + kept[base->v + 5] > 0) continue;
        const Vec3<> turn = misalignment(q);
        if (!(turn.norm() > 1)) break;
        const Mat3<> R_WB = where.bodies[base - model.bodies().data()].X_WB.R;
        for (const double sign : {-1.0, 1.0}) {  // the body may carry either side
          VecX<> step = VecX<>::Zero(model.nv());
          step.segment<3>(base->v + 3) = sign * (R_WB.transpose() * turn);
          const VecX<> turned = retract(model, q, step);
          if (!(misalignment(turned).norm() < 1e-6)) continue;
          q = turned;
          break;
        }
      }
    }
    return q;
  }

  // Floating joints go before others contort: alone where all rows can be met by them, else as far as they go.
  bool move_bases(const std::vector<char>& kept) {
    const VecX<> guess = from_;
    const std::vector<char> held = all_but_bases(system_.model, kept);
    if (!any_free(held) || held == kept) return false;
    search_.allow(held, false, guess);
    if (search_.rank(guess, held) == search_.rank(guess, kept)) return try_from(guess, held);
    const double before = search_.look(guess).error;
    VecX<> q = guess;
    if (search_.run(q).error < before) from_ = q;
    return false;
  }

  bool move_all(const std::vector<char>& kept) {
    if (options_.within_limits && has_limits(system_.model)) {
      search_.allow(kept, true, from_);
      if (try_from(from_, kept)) return true;
    }
    search_.allow(kept, false, from_);
    return try_from(from_, kept);
  }

  // From there, and then from about there, further and further off. Of those that close takes the nearest.
  bool try_from(const VecX<>& from, const std::vector<char>& held) {
    std::mt19937_64 engine(2026);
    const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1; };  // −1 … 1, on any machine
    double nearest = std::numeric_limits<double>::infinity();
    ends_.clear();
    best_ = {nearest, true, 1};
    for (int attempt = 0; attempt <= options_.restarts; ++attempt) {
      VecX<> start = VecX<>::Zero(system_.model.nv());
      for (int i = 0; i < start.size(); ++i)
        if (held[i] == 0 && attempt > 0) start[i] = uniform() * 0.2 * attempt;
      VecX<> q = retract(system_.model, from, start);
      const PlaceSearch::End end = search_.run(q);
      ++out_.attempts;
      if (is_closed(end, q)) {
        const double away = difference(system_.model, from, q).norm();
        if (away < nearest) out_.q = q;
        nearest = std::min(nearest, away);
        if (attempt == 0) break;
      } else {
        if (std::isinf(nearest) && end.error < best_.error) {
          out_.q = q;
          best_ = end;
        }
        ends_.push_back(end.error);
      }
    }
    return std::isfinite(nearest);
  }

  void tell_why() {
    const std::optional<Misaligned> misaligned = search_.misaligned(out_.q);
    const auto again = std::ranges::count_if(ends_, [&](double error) { return error < 1.01 * best_.error + 1e-9; });
    const bool false_solution = misaligned && best_.error <= options_.tolerance * best_.size;
    out_.status = !best_.resting                                                  ? AssemblyStatus::unfinished
                  : !false_solution && 2 * again > static_cast<int>(ends_.size()) ? AssemblyStatus::out_of_reach
                                                                                  : AssemblyStatus::stuck;
    name_open(system_, position_errors(system_, out_.q, t_), out_);
    if (false_solution) {
      out_.open = system_.constraints[misaligned->constraint].name;
      out_.misaligned = misaligned;
    }
    if (out_.status != AssemblyStatus::not_a_number && closes_without_keep()) out_.status = AssemblyStatus::kept;
  }

  // Whether what is kept is the reason, by trying without.
  bool closes_without_keep() {
    if (options_.keep.empty()) return false;
    AssemblyOptions free = options_;
    free.keep.clear();
    Assembly other;
    other.q = from_;
    Places(system_, t_, free, other).find(from_);
    return other.closed();
  }

  const System& system_;
  const AssemblyOptions& options_;
  PlaceSearch search_;
  double t_;
  Assembly& out_;
  VecX<> from_;               // the guess, floating joints moved
  std::vector<double> ends_;  // the errors at which attempts ended
  PlaceSearch::End best_{};   // of these
};

// v ← v − L⁻ᵀ Y⁺ (φ̇ or ψ), repeated where rows are not linear in v.
void find_speeds(const System& system, double t, const AssemblyOptions& options, Assembly& out) {
  LeastMove least(system, options.rank_tolerance);
  const std::vector<char> held = marked(options.keep_speeds, system.model.nv());
  double before = std::numeric_limits<double>::infinity();
  VecX<> step(out.v.size());
  while (true) {
    const bool regular = least.factorize_speeds(out.q, out.v, t, held);
    const VecX<> rates = least.scaled_rates();
    const double error = rates.norm();
    const double size = least.size() * (1 + (out.v.size() > 0 ? out.v.cwiseAbs().maxCoeff() : 0.0));
    if (error <= 10 * eps * size || !(error < 0.5 * before) || !regular) {
      if (error <= options.tolerance * size) return;
      out.status = AssemblyStatus::velocities_open;
      name_open(system, scaled(system, least.rates()), out);
      return;
    }
    before = error;
    least.newton(step);
    for (int i = 0; i < step.size(); ++i)
      if (held[i] == 0) out.v[i] += step[i];
  }
}

}  // namespace

VecX<> position_errors(const System& system, const VecX<>& q, double t) {
  Positions<> where(system.model);
  return scaled_errors(system, q, t, system.input_values(), where);
}

std::string_view name_of(AssemblyStatus status) {
  switch (status) {
    case AssemblyStatus::closed:
      return "closed";
    case AssemblyStatus::velocities_open:
      return "velocities open";
    case AssemblyStatus::not_a_number:
      return "not a number";
    case AssemblyStatus::stuck:
      return "stuck";
    case AssemblyStatus::unfinished:
      return "unfinished";
    case AssemblyStatus::kept:
      return "kept";
    default:
      return "out of reach";
  }
}

std::string Assembly::text() const {
  const std::string opening =
      fmt::format("'{}' is open by {}", open, misaligned ? misaligned->text() : residual.text());
  switch (status) {
    case AssemblyStatus::closed:
      return fmt::format("closed in {} iterations; moved by up to {:.2g}", iterations, moved);
    case AssemblyStatus::velocities_open:
      return fmt::format("'{}' moves apart at {}, and no speeds that may be changed prevent it", open,
                         residual.text("/s"));
    case AssemblyStatus::not_a_number:
      return fmt::format("'{}' has no finite value at the start", open);
    case AssemblyStatus::stuck:
      return fmt::format(
          "{}; {} attempts came to rest in different places, from where no step closes it: try a better guess", opening,
          attempts);
    case AssemblyStatus::unfinished:
      return fmt::format("{}; {} attempts did not come to rest in {} iterations: try a better guess", opening, attempts,
                         iterations);
    case AssemblyStatus::kept:
      return fmt::format("{}, and what 'keep' holds is the reason: without it the start closes", opening);
    default:
      return fmt::format("'{}' is out of reach by {}: most of {} attempts came no nearer", open, residual.text(),
                         attempts);
  }
}

Assembly assemble(const System& system, const VecX<>& q, const VecX<>& v, double t, const AssemblyOptions& options) {
  Assembly out;
  out.q = q;
  out.v = v;
  Places(system, t, options, out).find(q);
  const VecX<> change = difference(system.model, q, out.q);
  out.moved = change.size() == 0 ? 0 : change.cwiseAbs().maxCoeff();
  if (out.closed()) find_speeds(system, t, options, out);
  return out;
}

}  // namespace trammel
