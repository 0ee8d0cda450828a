#include "trammel/motion/layered_qr.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace trammel {
namespace {

constexpr int physical_layer = 0, control_layer = 1;

// One footprint, of all rows.
std::vector<Footprint> everywhere(int n, int columns) {
  Footprint out{columns, std::vector<int>(n)};
  std::iota(out.rows.begin(), out.rows.end(), 0);
  return {out};
}

double smallest_of(const std::vector<GroupQr>& groups, int layer) {
  double out = std::numeric_limits<double>::infinity();
  for (const GroupQr& group : groups) out = std::min(out, group.smallest(layer));
  return out;
}

}  // namespace

LayeredQr::LayeredQr(int n, int columns) : LayeredQr(everywhere(n, columns)) {}

LayeredQr::LayeredQr(const std::vector<Footprint>& footprints) {
  for (ColumnGroup& group : column_groups(footprints)) groups_.emplace_back(std::move(group));
  int columns = 0;
  for (const Footprint& footprint : footprints) columns += footprint.columns;
  place_.resize(columns);
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t c = 0; c < groups_[g].group().columns.size(); ++c)
      place_[groups_[g].group().columns[c]] = {static_cast<int>(g), static_cast<int>(c)};
}

void LayeredQr::factorize(const MatX<>& Y, int physical, const RankTolerance& tolerance, double noise) {
  for (GroupQr& group : groups_) {
    const ColumnGroup& of = group.group();
    for (std::size_t c = 0; c < of.columns.size(); ++c)
      for (std::size_t i = 0; i < of.rows.size(); ++i)
        group.columns()(static_cast<int>(i), static_cast<int>(c)) = Y(of.rows[i], of.columns[c]);
  }
  factorize(physical, tolerance, noise);
}

void LayeredQr::factorize(int physical, const RankTolerance& tolerance, double noise) {
  consistency_ = consistency_tolerance(tolerance);
  const int compared = physical > 0 ? physical_layer : control_layer;
  largest_ = 0;
  for (GroupQr& group : groups_) {
    group.begin(physical);
    largest_ = std::max(largest_, group.largest(compared));
  }
  PivotThresholds<> thresholds(tolerance, largest_, noise);
  for (GroupQr& group : groups_) group.factorize(physical_layer, thresholds);

  smallest_ = smallest_physical_ = smallest_of(groups_, physical_layer) / largest_;
  if (physical < columns()) {
    thresholds.begin_control_layer(tolerance, smallest_, noise);
    for (GroupQr& group : groups_) group.factorize(control_layer, thresholds);
    smallest_ = std::min(smallest_, smallest_of(groups_, control_layer) / largest_);
  }
  rank_ = 0;
  for (const GroupQr& group : groups_) rank_ += group.rank();
}

void LayeredQr::limit_rank(const LayeredQr& other) {
  for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].limit_rank(other.groups_[g].rank(physical_layer));
}

void LayeredQr::free_rank() {
  for (GroupQr& group : groups_) group.limit_rank(std::numeric_limits<int>::max());
}

void LayeredQr::carry(const VecX<>& h) {
  for (GroupQr& group : groups_) group.carry(h);
}

LayeredSolution LayeredQr::solve(const VecX<>& r, const VecX<>& h, VecX<>& y) {
  for (GroupQr& group : groups_) group.load(r, h);
  return solve_loaded(y);
}

LayeredSolution LayeredQr::solve_carried(const VecX<>& r, VecX<>& y) {
  for (GroupQr& group : groups_) group.load_carried(r);
  return solve_loaded(y);
}

LayeredSolution LayeredQr::solve(const VecX<>& r, VecX<>& y) {
  for (GroupQr& group : groups_) group.load(r);
  return solve_loaded(y);
}

LayeredSolution LayeredQr::solve_loaded(VecX<>& y) {
  LayeredSolution out;
  out.physical_contradict = !solve_layer(physical_layer);
  out.control_contradict = !solve_layer(control_layer);
  y.setZero();
  for (GroupQr& group : groups_) group.solution(y);
  return out;
}

LayeredSolution LayeredQr::solve_physical(const VecX<>& r, const VecX<>& h, VecX<>& y) {
  for (GroupQr& group : groups_) group.load(r, h);
  return solve_loaded_physical(y);
}

LayeredSolution LayeredQr::solve_physical(const VecX<>& r, VecX<>& y) {
  for (GroupQr& group : groups_) group.load(r);
  return solve_loaded_physical(y);
}

LayeredSolution LayeredQr::solve_loaded_physical(VecX<>& y) {
  LayeredSolution out;
  out.physical_contradict = !solve_layer(physical_layer);
  for (GroupQr& group : groups_) group.omit(control_layer);
  y.setZero();
  for (GroupQr& group : groups_) group.solution(y);
  return out;
}

int LayeredQr::physical_rank() const {
  int out = 0;
  for (const GroupQr& group : groups_) out += group.rank(physical_layer);
  return out;
}

// Returns whether the rows that were dropped agree with those that were kept.
bool LayeredQr::solve_layer(int layer) {
  bool drops = false;
  for (GroupQr& group : groups_) {
    group.substitute(layer);
    drops |= group.drops(layer);
  }
  if (!drops) return true;
  double size = 0;
  for (GroupQr& group : groups_) size = std::max(size, group.size_of_kept(layer));
  bool agree = true;
  for (GroupQr& group : groups_) agree &= group.check_dropped(layer, consistency_, size, importance_);
  return agree;
}

void LayeredQr::physical_part(VecX<>& y) {
  y.setZero();
  for (GroupQr& group : groups_) group.physical_part(y);
}

void LayeredQr::multipliers(VecX<>& lambda) {
  for (GroupQr& group : groups_) group.multipliers(lambda);
}

void LayeredQr::control_changes(const MatX<>& X, MatX<>& H) {
  const int width = static_cast<int>(rotated_.cols()), first = columns() - static_cast<int>(H.rows());
  assert(rotated_.rows() == X.rows() && width == padded_to_packs(static_cast<int>(X.cols())));
  rotated_.leftCols(X.cols()) = X;
  for (GroupQr& group : groups_)
    for (int j = 0; j < width; j += 4) group.rotate(rotated_, j);
  for (int k = 0; k < H.rows(); ++k)
    for (int j = 0; j < H.cols(); ++j) H(k, j) = at(first + k).control_change(local(first + k), &rotated_(0, j), width);
}

double LayeredQr::control_changes(VecX<>& r) const {
  const int first = columns() - static_cast<int>(r.size());
  double square = 0;
  for (const GroupQr& group : groups_) square += group.square_of_solution();
  for (int k = 0; k < r.size(); ++k) r[k] = at(first + k).control_change_of_solution(local(first + k));
  return std::sqrt(square);
}

double LayeredQr::smallest_part(const VecX<>& per, bool physical_alone) const {
  double out = std::numeric_limits<double>::infinity();
  for (const GroupQr& group : groups_) out = std::min(out, group.smallest_part(per, physical_alone));
  return out;
}

void LayeredQr::column(int column, VecX<>& out) {
  out.setZero();
  groups_[place_[column].group].column(local(column), out);
}

void LayeredQr::dependence(int column, VecX<>& coefficients) {
  coefficients.setZero();
  groups_[place_[column].group].dependence(local(column), coefficients);
}

}  // namespace trammel
