#include "trammel/motion/column_groups.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace trammel {
namespace {

constexpr std::size_t most_blocks = 64;
constexpr std::size_t few_rows = 8;  // a group of so few is one block: to tell blocks apart costs more than it saves

// Union-find: for each footprint, the first one of its connected component.
std::vector<int> connected(const std::vector<Footprint>& footprints) {
  std::vector<int> root(footprints.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  std::map<int, int> first_at;  // row → the first footprint there
  for (int i = 0; i < static_cast<int>(footprints.size()); ++i) {
    if (footprints[i].columns == 0) continue;
    for (const int row : footprints[i].rows) {
      const int a = find(first_at.try_emplace(row, i).first->second), b = find(i);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  for (int i = 0; i < static_cast<int>(footprints.size()); ++i) root[i] = find(i);
  return root;
}

struct SharedRows {
  std::vector<int> footprints;  // all that have these rows
  std::vector<int> rows;
};

// The rows of some footprints, those with the same set of footprints together, and those with few first.
std::vector<SharedRows> rows_by_footprints(const std::vector<Footprint>& footprints, const std::vector<int>& members) {
  std::map<int, std::vector<int>> footprints_of;  // by row
  for (const int i : members)
    for (const int row : footprints[i].rows) footprints_of[row].push_back(i);
  std::map<std::vector<int>, std::vector<int>> rows_of;
  for (const auto& [row, by] : footprints_of) rows_of[by].push_back(row);
  std::vector<SharedRows> out;
  for (const auto& [by, rows] : rows_of) out.push_back({by, rows});
  std::ranges::stable_sort(out, {}, [](const SharedRows& s) { return s.footprints.size(); });
  return out;
}

ColumnGroup group_of(const std::vector<Footprint>& footprints, const std::vector<int>& first_column,
                     const std::vector<int>& members) {
  ColumnGroup out;
  std::map<int, std::uint64_t> pattern;  // by footprint
  const std::vector<SharedRows> all = rows_by_footprints(footprints, members);
  std::size_t rows = 0;
  for (const SharedRows& shared : all) rows += shared.rows.size();
  const std::size_t most = rows <= few_rows ? 1 : most_blocks;
  for (const SharedRows& shared : all) {
    if (out.blocks.size() < most) {
      const int begin = static_cast<int>(out.rows.size());
      out.blocks.push_back({begin, begin});
    }  // beyond the most, rows go to the last block
    out.rows.insert(out.rows.end(), shared.rows.begin(), shared.rows.end());
    out.blocks.back().end = static_cast<int>(out.rows.size());
    for (const int i : shared.footprints) pattern[i] |= std::uint64_t{1} << (out.blocks.size() - 1);
  }
  for (const int i : members)
    for (int k = 0; k < footprints[i].columns; ++k) {
      out.columns.push_back(first_column[i] + k);
      out.patterns.push_back(pattern[i]);
    }
  return out;
}

}  // namespace

std::vector<ColumnGroup> column_groups(const std::vector<Footprint>& footprints) {
  const std::vector<int> root = connected(footprints);
  std::vector<int> first_column;
  std::map<int, std::vector<int>> members;
  for (int i = 0, next = 0; i < static_cast<int>(footprints.size()); next += footprints[i].columns, ++i) {
    first_column.push_back(next);
    if (footprints[i].columns > 0) members[root[i]].push_back(i);
  }
  std::vector<ColumnGroup> out;
  for (const auto& [first, of_group] : members) out.push_back(group_of(footprints, first_column, of_group));
  return out;
}

}  // namespace trammel
