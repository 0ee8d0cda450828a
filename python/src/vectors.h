#pragma once

#include <nanobind/ndarray.h>

#include "bind.h"
#include "trammel/math/vector.h"

namespace trammel::python {

/// Numbers as users give them: an array of numpy's, or what numpy makes one of (a list, whole numbers, an array with gaps). An array of
/// doubles without gaps takes no detour. What has another shape or no finite numbers is an Error, what is no real numbers a TypeError;
/// both name the argument.

/// Into `out`, whose size is the one that is asked for.
void read_vector(nb::handle given, const char* name, VecX<>& out);
VecX<> read_vector(nb::handle given, const char* name, Eigen::Index size);
inline constexpr Eigen::Index any_size = -1;
/// One vector of this size to each row of the array: a column of the matrix.
MatX<> read_vectors(nb::handle given, const char* name, Eigen::Index size);
void read_vectors(nb::handle given, const char* name, Eigen::Index size, MatX<>& out);

/// A number, if it is finite; else throws Error with its name.
double read_number(double given, const char* name);

/// Arrays for users. Their memory is their own, and lives as long as they do.
template <int dimensions, class Scalar = double>
using ArrayObject = decltype(std::declval<nb::ndarray<nb::numpy, Scalar, nb::ndim<dimensions>>>().cast());
using Vector = ArrayObject<1>;
using Matrix = ArrayObject<2>;

Vector to_array(const VecX<>& vector);
Matrix to_array(const MatX<>& matrix);

/// Read-only arrays that read the memory of `owner`, a Python object that lives as long as they do: nothing is copied.
using VectorView = ArrayObject<1, const double>;
using MatrixView = ArrayObject<2, const double>;

VectorView view(const VecX<>& vector, nb::handle owner);
/// The matrix's columns are the array's rows.
MatrixView rows_view(const Eigen::Ref<const MatX<>>& matrix, nb::handle owner);
/// Entry i of every column.
VectorView entry_view(const Eigen::Ref<const MatX<>>& matrix, int i, nb::handle owner);

}  // namespace trammel::python
