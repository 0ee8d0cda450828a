#include "trammel/motion/column_groups.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace trammel {
namespace {

constexpr std::size_t most_blocks = 64;
constexpr std::size_t few_rows = 8;  // to keep blocks of so few apart costs more than it saves

// For each footprint, the first one of those with which it hangs together.
std::vector<int> connected(const std::vector<Footprint>& footprints) {
  std::vector<int> leader(footprints.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  std::map<int, int> first_at;  // row → the first footprint there
  for (int i = 0; i < static_cast<int>(footprints.size()); ++i) {
    if (footprints[i].columns == 0) continue;
    for (const int row : footprints[i].rows) {
      const int a = find(first_at.try_emplace(row, i).first->second), b = find(i);
      leader[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int i = 0; i < static_cast<int>(footprints.size()); ++i) leader[i] = find(i);
  return leader;
}

struct Stretch {
  std::vector<int> footprints;  // that touch all of its rows, and no others
  std::vector<int> rows;
};

// The rows of some footprints by who touches them, those that few touch first.
std::vector<Stretch> stretches(const std::vector<Footprint>& footprints, const std::vector<int>& members) {
  std::map<int, std::vector<int>> touching;  // row → footprints
  for (const int i : members)
    for (const int row : footprints[i].rows) touching[row].push_back(i);
  std::map<std::vector<int>, std::vector<int>> rows_of;
  for (const auto& [row, by] : touching) rows_of[by].push_back(row);
  std::vector<Stretch> out;
  for (const auto& [by, rows] : rows_of) out.push_back({by, rows});
  std::ranges::stable_sort(out, {}, [](const Stretch& s) { return s.footprints.size(); });
  return out;
}

ColumnGroup group_of(const std::vector<Footprint>& footprints, const std::vector<int>& first_column,
                     const std::vector<int>& members) {
  ColumnGroup out;
  std::map<int, std::uint64_t> touched;  // by footprint
  const std::vector<Stretch> all = stretches(footprints, members);
  std::size_t rows = 0;
  for (const Stretch& stretch : all) rows += stretch.rows.size();
  const std::size_t most = rows <= few_rows ? 1 : most_blocks;
  for (const Stretch& stretch : all) {
    if (out.blocks.size() < most) {
      const int begin = static_cast<int>(out.rows.size());
      out.blocks.push_back({begin, begin});
    }  // the last block takes what is left
    out.rows.insert(out.rows.end(), stretch.rows.begin(), stretch.rows.end());
    out.blocks.back().end = static_cast<int>(out.rows.size());
    for (const int i : stretch.footprints) touched[i] |= std::uint64_t{1} << (out.blocks.size() - 1);
  }
  for (const int i : members)
    for (int k = 0; k < footprints[i].columns; ++k) {
      out.columns.push_back(first_column[i] + k);
      out.touched.push_back(touched[i]);
    }
  return out;
}

}  // namespace

std::vector<ColumnGroup> column_groups(const std::vector<Footprint>& footprints) {
  const std::vector<int> leader = connected(footprints);
  std::vector<int> first_column;
  std::map<int, std::vector<int>> members;
  for (int i = 0, next = 0; i < static_cast<int>(footprints.size()); next += footprints[i].columns, ++i) {
    first_column.push_back(next);
    if (footprints[i].columns > 0) members[leader[i]].push_back(i);
  }
  std::vector<ColumnGroup> out;
  for (const auto& [first, of_group] : members) out.push_back(group_of(footprints, first_column, of_group));
  return out;
}

}  // namespace trammel
