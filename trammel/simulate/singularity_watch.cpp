#include "trammel/simulate/singularity_watch.h"

#include <algorithm>
#include <cmath>

#include "trammel/motion/layered_qr.h"

namespace trammel {
namespace {

constexpr double near = 0.01;  // a part that is near zero

}  // namespace

double SingularityWatch::part_of(const Data& data) const {
  const LayeredQr& qr = data.factors();
  // no smaller than this: that is near enough where nothing is near
  const double bound = strength_.bound_of_parts(qr, rows_);
  return bound > 0.3 ? bound : strength_.smallest_part(qr, rows_);
}

bool SingularityWatch::watch(Data& data, const PeakWatch::Inside& inside) {
  if (rows_ == 0) return false;
  const double part = part_of(data);
  std::shift_left(samples_.begin(), samples_.end(), 1);
  samples_[2] = {data.at.t, part, part < near ? strength_.weakest_row(data, rows_) : 0};
  largest_ = std::max(largest_, part);
  if (++count_ < 3) return false;
  if (foretells_zero()) {
    search(data, inside);
    return true;
  }
  if (turns_before_zero()) {
    near_misses_.push_back({samples_[1].t, data.problem.rows()[samples_[1].row].name, samples_[1].part});
    if (samples_[1].part < RowStrength::weak_part) ++trembles_;
  }
  return false;
}

bool SingularityWatch::turns_before_zero() const {
  const auto& [first, middle, last] = samples_;
  return middle.part < std::min(near, 0.1 * largest_) && middle.part < first.part && middle.part <= last.part &&
         (passages_.empty() || passages_.back().t < first.t);
}

// Whether the line through two samples, on one side of zero, meets the third on the other side.
bool SingularityWatch::foretells_zero() const {
  const auto& [first, middle, last] = samples_;
  if (!(middle.part <= first.part && middle.part <= last.part)) return false;
  const double before = (first.part - middle.part) / (middle.t - first.t) * (last.t - middle.t) - middle.part;
  const double after = (last.part - middle.part) / (last.t - middle.t) * (middle.t - first.t) - middle.part;
  return std::abs(before - last.part) < 0.5 * (middle.part + last.part) ||
         std::abs(after - first.part) < 0.5 * (middle.part + first.part);
}

// By secants of σ, which meets zero ahead of the last two states or, where it has turned, between them.
void SingularityWatch::search(Data& data, const PeakWatch::Inside& inside) {
  const Sample first = samples_[0], middle = samples_[1], last = samples_[2];
  constexpr double passed = 1e-3, at = 1e-9;
  Sample before = first.part > last.part ? first : last, best = middle;
  int row = strength_.weakest_row(data, rows_);
  const auto look = [&](double t) {
    if (!(t > first.t && t < last.t) || !inside.solve_at(t)) return false;
    const Sample there{t, strength_.smallest_part(data.factors(), rows_)};
    if (!(there.part < best.part)) return false;
    before = best;
    best = there;
    row = strength_.weakest_row(data, rows_);
    return true;
  };
  for (int i = 0; i < 10 && best.part > at; ++i) {
    const double way = best.t - before.t;
    const double ahead = best.t + way * best.part / (before.part - best.part);
    const double between = best.t - way * best.part / (before.part + best.part);
    if (!look(between) && !look(ahead)) break;
  }
  if (best.part < passed) passages_.push_back({best.t, data.problem.rows()[row].name, best.part});
}

}  // namespace trammel
