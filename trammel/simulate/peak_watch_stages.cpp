// Peaks that samples do not tell of: inside long steps, where forces leap, and in what is recorded.
#include <algorithm>

#include "trammel/simulate/peak_watch.h"

namespace trammel {

void PeakWatch::see_stage(const Data& data) {
  if (sizes_.none()) return;
  sizes_.measure_direct(data, at_stage_);
  for (int k = 0, n = sizes_.direct(); k < n; ++k)
    if (at_stage_[k] > at_stages_[k]) {
      at_stages_[k] = at_stage_[k];
      stage_times_[k] = data.at.t;
    }
}

// Where the step ends: which sizes were larger at its stages.
void PeakWatch::compare_stages(const Data& data) {
  arches_.clear();
  sizes_.measure_direct(data, direct_);
  const double end = data.at.t;
  for (int k = 0, n = sizes_.direct(); k < n; ++k) {
    const double first = direct_before_[k], last = direct_[k], at = stage_times_[k];
    const double known = std::max({found_.value[k], denied_[k], first, last});
    const bool is_new = at_stages_[k] > known * (1 + told_apart) + rounding(k);
    if (is_new && at > step_begins_ && at < end) arches_.push_back({k, {step_begins_, at, end}, first, last});
  }
  step_begins_ = end;
}

// Stages are off the motion by the error of methods of lower order: what is larger at one than the motion has it is not believed a second
// time. What is looked at here is no doubt about samples.
bool PeakWatch::look_at_stages(Data& data, const Inside& inside) {
  const long looks = looks_;
  for (const auto& [k, t, first, last] : arches_) {
    const double before = found_.value[k];
    if (measure_at(t[1], data, inside) && now_[k] > std::max({first, last, before}))
      search(k, t, {first, now_[k], last}, data, inside);
    if (!(found_.value[k] > before)) denied_[k] = at_stages_[k];
  }
  looks_ = looks;
  return !arches_.empty();
}

void PeakWatch::see_leap(Data& data) {
  if (sizes_.none()) return;
  measure(data, now_);
  note_all(data, now_, found_);
}

void PeakWatch::note(Data& data) {
  measure(data, now_);
  note_all(data, now_, recorded_);
}

}  // namespace trammel
