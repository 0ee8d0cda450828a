#include "trammel/assembly/structure.h"

#include <Eigen/QR>
#include <algorithm>
#include <optional>
#include <random>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "trammel/model/configuration.h"
#include "trammel/motion/diagnosis.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/row_dependence.h"

namespace trammel {
namespace {

// Whether some rows of one column group depend on each other at the state of the factors, or say nothing at all.
bool are_dependent(Data& data, const std::vector<int>& rows) {
  const double rounding = 1e-12 * data.qr->largest();
  const std::vector<int>& velocities = data.qr->groups()[data.qr->place(rows[0]).group].group().rows;
  MatX<> picked(static_cast<int>(velocities.size()), static_cast<int>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double size = data.qr->column_norm(rows[k]);
    if (!(size > rounding)) return true;
    data.qr->column(rows[k], data.column);
    picked.col(static_cast<int>(k)) = data.column(velocities) / size;
  }
  Eigen::ColPivHouseholderQR<MatX<>> qr(picked);
  qr.setThreshold(1e-9);
  return qr.rank() < picked.cols();
}

// A posture on the constraints about q; none where the search from there does not close.
std::optional<VecX<>> posture_about(const System& system, const VecX<>& q, double t, double spread,
                                    std::mt19937_64& engine) {
  VecX<> step(system.model.nv());
  for (double& x : step) x = spread * (static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
  AssemblyOptions options;
  options.restarts = 0;
  const Assembly there = assemble(system, retract(system.model, q, step), VecX<>::Zero(step.size()), t, options);
  if (there.closed() || there.status == AssemblyStatus::velocities_open) return there.q;
  return {};
}

// The rows that follow from others at one posture, and what others tell about them.
class Redundancy {
 public:
  explicit Redundancy(Data& here) : ranks_here_(ranks(here)), ranks_(ranks_here_) {
    for (Dependence& dependence : dependences(here, here.problem.asked())) {
      const int group = here.qr->place(dependence.row).group;
      found_.push_back({std::move(dependence), group, true});
    }
  }

  void see(Data& elsewhere) {
    const std::vector<int> there = ranks(elsewhere);
    for (std::size_t g = 0; g < there.size(); ++g) ranks_[g] = std::max(ranks_[g], there[g]);
    for (Found& found : found_) {
      if (!found.everywhere) continue;
      std::vector<int> rows = found.dependence.others;
      rows.push_back(found.dependence.row);
      found.everywhere = are_dependent(elsewhere, rows);
    }
  }

  // Rows of a group that has nowhere more rank than here are redundant everywhere, although which follows from which may change.
  void tell(const Problem& problem, Structure& out) const {
    for (const Found& found : found_) {
      Structure::RedundantRow row{problem.rows()[found.dependence.row].name, {}};
      for (const int other : found.dependence.others) row.follows_from.push_back(problem.rows()[other].name);
      const bool always = found.everywhere || ranks_[found.group] == ranks_here_[found.group];
      row.here_alone = always && !found.everywhere;
      (out.samples == 0 ? out.undecided : always ? out.structural : out.momentary).push_back(std::move(row));
    }
  }

 private:
  struct Found {
    Dependence dependence;
    int group;
    bool everywhere;
  };
  static std::vector<int> ranks(const Data& data) {
    std::vector<int> out;
    for (const GroupQr& group : data.qr->groups()) out.push_back(group.rank());
    return out;
  }

  std::vector<int> ranks_here_, ranks_;  // of each column group: here, and the largest
  std::vector<Found> found_;
};

}  // namespace

Structure examine_structure(const Problem& problem, const VecX<>& q, double t, int samples, double spread,
                            const std::function<void(double)>& progress) {
  const System& system = problem.system();
  Structure out;
  out.freedoms_before = system.model.nv();
  out.has_led_rows = problem.asked().physical_rows < problem.asked().rows;
  Data data(problem);
  const VecX<> at_rest = VecX<>::Zero(system.model.nv());
  if (!factorize_motion(q, at_rest, t, data)) return out;
  out.rank = out.rank_here = data.qr->rank();
  out.physical_rank = data.qr->physical_rank();
  Redundancy redundancy(data);
  std::mt19937_64 engine(1);
  for (int i = 0; i < samples; ++i) {
    if (progress) progress(static_cast<double>(i) / samples);
    const std::optional<VecX<>> posture = posture_about(system, q, t, spread, engine);
    if (!posture || !factorize_motion(*posture, at_rest, t, data)) continue;
    ++out.samples;
    out.rank = std::max(out.rank, data.qr->rank());
    out.physical_rank = std::max(out.physical_rank, data.qr->physical_rank());
    redundancy.see(data);
  }
  redundancy.tell(problem, out);
  return out;
}

std::string Structure::text() const {
  std::string out = count_of_rows(freedoms_before, physical_rank, rank, has_led_rows) + "\n";
  for (const RedundantRow& row : structural)
    out += row.here_alone ? fmt::format("{} always follows from others, here from {}\n", row.row,
                                        fmt::join(row.follows_from, ", "))
                          : fmt::format("{} always {}\n", row.row, follows(row.follows_from));
  for (const RedundantRow& row : momentary)
    out += fmt::format("{} {} here, and not elsewhere: a singular posture\n", row.row, follows(row.follows_from));
  for (const RedundantRow& row : undecided)
    out += fmt::format("{} {} here; no other posture was found that would tell whether always\n", row.row,
                       follows(row.follows_from));
  return out;
}

}  // namespace trammel
