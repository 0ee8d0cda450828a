#pragma once

#include <array>
#include <cstddef>

#include "bind.h"

namespace trammel::python {

/// numpy's arrays through numpy's own C interface. nanobind's ndarray takes half a microsecond to read or to make one, which is as long as
/// the inverse dynamics of an arm; this takes a tenth of that. Sizes and strides are in numbers, not bytes; of one dimension the first counts.

/// To be called once, when the module is loaded. Throws python_error where numpy cannot be.
void load_numpy();

bool is_array(nb::handle given);

/// The numbers of an array of doubles without gaps, in the order of C.
struct Doubles {
  const double* data = nullptr;
  int dimensions = 0;
  std::array<std::ptrdiff_t, 2> shape{};
  std::ptrdiff_t size() const { return dimensions == 1 ? shape[0] : shape[0] * shape[1]; }
};

/// Those of `given`, as long as it lives; data is null unless it is an array of numpy's itself, of so many dimensions (1 or 2), aligned and in
/// the order of this machine.
Doubles plain_doubles(nb::handle given, int dimensions);

/// A new array, whose numbers the caller writes; a matrix is column by column in memory.
nb::object new_vector(std::ptrdiff_t size, double*& data);
nb::object new_matrix(std::ptrdiff_t rows, std::ptrdiff_t columns, double*& data);

/// A read-only array over numbers that `owner` keeps.
using Extent = std::array<std::ptrdiff_t, 2>;
nb::object read_only(const double* data, int dimensions, Extent shape, Extent strides, nb::handle owner);

}  // namespace trammel::python
