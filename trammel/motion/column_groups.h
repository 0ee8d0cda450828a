#pragma once

#include <cstdint>
#include <vector>

namespace trammel {

/// The sparsity pattern of some neighbouring columns of a matrix, such as those of one constraint: the rows where they may
/// differ from zero.
struct Footprint {
  int columns;
  std::vector<int> rows;
};

/// A connected component of the graph in which two footprints are neighbours if they share a row: its columns and rows are a
/// diagonal block of the matrix, up to permutations, and are factorised by themselves. Within the group, rows with the same set
/// of footprints make a block; blocks that fewer footprints share come first (group_qr.h has an example). The group numbers its
/// columns and rows from 0.
struct ColumnGroup {
  struct Block {
    int begin, end;  // rows
  };
  std::vector<int> columns;             // each by its number in the whole matrix, rising
  std::vector<int> rows;                // each by its number in the whole matrix, block after block
  std::vector<Block> blocks;            // 64 at most: the last has all rows that are left
  std::vector<std::uint64_t> patterns;  // of each column: bit i is set if it may differ from zero in block i
};

/// The connected components of columns with these footprints, which follow one another in the matrix.
std::vector<ColumnGroup> column_groups(const std::vector<Footprint>& footprints);

}  // namespace trammel
