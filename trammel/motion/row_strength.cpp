#include "trammel/motion/row_strength.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/model/configuration.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/tree_motion.h"

namespace trammel {
namespace {

// The largest distance of a frame from the world's origin at the placed state, m; 1 where all are there.
double extent_of_frames(const Data& data) {
  double square = 0;
  for (const Frame& frame : data.problem.system().model.frames()) {
    if (frame.body == world) continue;
    square = std::max(square, (data.tree.kin.bodies[frame.body].X_WB * frame.X_BF).p.squaredNorm());
  }
  return square > 0 ? std::sqrt(square) : 1;
}

// Of each row, its norms over several postures that are above rounding.
using Norms = std::vector<std::vector<double>>;
void see_columns(const Data& data, Norms& norms) {
  const double rounding = 1e3 * rounding_of_rows(data);
  for (std::size_t row = 0; row < norms.size(); ++row) {
    const double norm = data.qr->column_norm(static_cast<int>(row));
    if (std::isfinite(norm) && norm > rounding) norms[row].push_back(norm);
  }
}

double largest_of(const std::vector<double>& norms) { return norms.empty() ? 0 : std::ranges::max(norms); }

double median_of(std::vector<double> norms) {
  std::ranges::nth_element(norms, norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2));
  return norms[norms.size() / 2];
}

// g of a row. One that vanishes all about the start is redundant, whatever it is elsewhere: the height of a disc that leans on its rim. What
// is more than a hundred times as large far from the start as it is about it says nothing of postures there: exp(12 s) = 1.
double usual_size(const std::vector<double>& near, const std::vector<double>& far) {
  const double largest = std::max(largest_of(near), largest_of(far));
  if (!(largest_of(near) > RowStrength::weak_part * largest)) return 0;
  return std::min(largest, 100 * median_of(near));
}

}  // namespace

RowStrength::RowStrength(const Problem& problem, const State& start, double duration, double least_extent)
    : usual_(problem.asked().rows, 0.0),
      per_usual_(VecX<>::Constant(problem.asked().rows, std::numeric_limits<double>::infinity())),
      coefficients_(problem.asked().rows) {
  partners_.reserve(usual_.size());
  if (!problem.is_tree() || usual_.empty()) return;
  const Model& model = problem.system().model;
  Data data(problem);
  data.least_extent = least_extent;
  Norms near(usual_.size()), far(usual_.size());
  if (factorize_motion(start.q, start.v, start.t, data)) see_columns(data, near);

  const double extent = extent_of_frames(data), fastest = start.v.size() > 0 ? start.v.cwiseAbs().maxCoeff() : 0;
  std::mt19937_64 engine(21);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1; };  // −1 … 1, on any machine
  VecX<> step(model.nv()), v(model.nv());
  for (int sample = 0; sample < 16; ++sample) {
    const bool is_near = sample % 2 == 0;
    for (int i = 0; i < step.size(); ++i) {
      step[i] = uniform() * (is_near ? 0.03 : 1) * (model.turns(i) ? std::numbers::pi : extent);
      v[i] = uniform() * (fastest > 0 ? fastest : model.turns(i) ? 1 : extent);
    }
    const double t = start.t + duration * 0.5 * (1 + uniform());
    if (factorize_motion(retract(model, start.q, step), v, t, data)) see_columns(data, is_near ? near : far);
  }
  for (std::size_t row = 0; row < usual_.size(); ++row) usual_[row] = usual_size(near[row], far[row]);
  for (int row = 0; row < per_usual_.size(); ++row) per_usual_[row] = 1 / usual_[row];
  if (const double largest = std::ranges::max(usual_); largest > 0) per_largest_usual_ = 1 / largest;
}

double RowStrength::part_left(const LayeredQr& qr, int row) const {
  if (usual_[row] == 0) return 1;
  return (qr.kept(row) ? qr.pivot(row) * qr.largest() : qr.column_norm(row)) / usual_[row];
}

// Most states are told by their smallest pivot alone.
bool RowStrength::any_weak(const Data& data) const {
  const LayeredQr& qr = data.factors();
  const int rows = static_cast<int>(usual_.size());
  if (qr.rank() == rows && bound_of_parts(qr, rows) >= weak_part) return false;
  for (int row = 0; row < rows; ++row)
    if (part_left(qr, row) < weak_part) return true;
  return false;
}

double RowStrength::smallest_part(const LayeredQr& qr, int rows) const {
  return std::min(1.0, qr.smallest_part(per_usual_, rows < qr.columns()));
}

double RowStrength::bound_of_parts(const LayeredQr& qr, int rows) const {
  const double smallest = rows < qr.columns() ? qr.smallest_physical_pivot() : qr.smallest_pivot();
  return per_largest_usual_ > 0 ? smallest * qr.largest() * per_largest_usual_ : 1;
}

int RowStrength::weakest_row(const Data& data, int rows) const {
  const LayeredQr& qr = data.factors();
  int weakest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int row = 0; row < rows; ++row)
    if (const double part = part_left(qr, row); qr.kept(row) && part < least) {
      least = part;
      weakest = row;
    }
  return weakest;
}

// The rows of which a weak row is nearly a combination, by what they add to it; none where it vanishes.
void RowStrength::find_partners(Data& data, int row) {
  LayeredQr& qr = *data.qr;
  partners_.clear();
  const double size = qr.column_norm(row);
  if (size < weak_part * usual_[row]) return;
  qr.dependence(row, coefficients_);
  for (int other = 0; other < coefficients_.size(); ++other)
    if (std::abs(coefficients_[other]) * qr.column_norm(other) > 1e-3 * size) partners_.push_back(other);
}

bool RowStrength::mark_singular(Data& data, std::vector<bool>& singular) {
  std::fill(singular.begin(), singular.end(), false);
  if (!any_weak(data)) return false;
  const std::span<const RowInfo> rows = data.problem.rows();
  for (int row = 0; row < static_cast<int>(usual_.size()); ++row) {
    if (!(part_left(data.factors(), row) < weak_part)) continue;
    singular[rows[row].constraint] = true;
    find_partners(data, row);
    for (const int partner : partners_) singular[rows[partner].constraint] = true;
  }
  return true;
}

std::vector<std::string> RowStrength::singular_texts(Data& data, std::string_view when) {
  std::vector<std::string> out;
  if (!any_weak(data)) return out;
  const System& system = data.problem.system();
  const std::span<const RowInfo> rows = data.problem.rows();
  for (int row = 0; row < static_cast<int>(usual_.size()); ++row) {
    const double part = part_left(data.factors(), row);
    if (!(part < weak_part)) continue;
    find_partners(data, row);
    const std::string& own = system.constraints[rows[row].constraint].name;
    std::vector<std::string> constraints{fmt::format("'{}'", own)}, others;
    for (const int partner : partners_) {
      const std::string name = fmt::format("'{}'", system.constraints[rows[partner].constraint].name);
      if (std::ranges::find(constraints, name) == constraints.end()) constraints.push_back(name);
      others.push_back(rows[partner].name);
    }
    const std::string why = !others.empty()
                                ? fmt::format("{} almost follows from {}", rows[row].name, fmt::join(others, ", "))
                            : rows[row].name == own ? "its gradient vanishes"
                                                    : fmt::format("the gradient of {} vanishes", rows[row].name);
    const bool one = constraints.size() == 1;
    out.push_back(fmt::format("{} {} singular {}: {} ({:.1g} of its usual size{}); {} not determined",
                              fmt::join(constraints, ", "), one ? "is" : "are", when, why, part,
                              others.empty() ? "" : " is left", one ? "its force is" : "their forces are"));
  }
  return out;
}

}  // namespace trammel
