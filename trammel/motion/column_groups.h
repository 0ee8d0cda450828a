#pragma once

#include <cstdint>
#include <vector>

namespace trammel {

/// Which rows of a matrix some neighbouring columns may touch: outside of these, the columns are zero.
struct Footprint {
  int columns;
  std::vector<int> rows;
};

/// Columns that share no row with those of other groups, and their rows: a matrix of their own. Rows that the same
/// footprints touch stand together in a block; blocks that few footprints touch come first. Columns and rows have numbers of
/// their own in the group.
struct ColumnGroup {
  struct Block {
    int begin, end;  // rows
  };
  std::vector<int> columns;            // each by its number in the whole matrix, rising
  std::vector<int> rows;               // likewise
  std::vector<Block> blocks;           // 64 at most
  std::vector<std::uint64_t> touched;  // by each column: bit i for block i
};

/// The groups into which columns with these footprints, in their order, fall apart.
std::vector<ColumnGroup> column_groups(const std::vector<Footprint>& footprints);

}  // namespace trammel
