#include "vectors.h"

#include <cmath>
#include <cstring>

#include <fmt/core.h>

#include "numpy_arrays.h"
#include "trammel/base/error.h"

namespace trammel::python {
namespace {

std::string type_of(const nb::handle& object) { return text_of(object.type().attr("__name__")); }

// numpy.asarray, as plain doubles.
nb::object as_doubles(nb::handle given, const char* name) {
  const auto refuse = [&](const std::string& found) {
    throw nb::type_error(fmt::format("{}: found {}; allowed: an array of real numbers", name, found).c_str());
  };
  if (given.is_none()) refuse("None");
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array;
  try {
    array = numpy.attr("asarray")(given);
  } catch (const nb::python_error&) {
    refuse(fmt::format("a {} that makes no array", type_of(given)));
  }
  const std::string kind = text_of(array.attr("dtype").attr("kind"));
  if (kind != "f" && kind != "i" && kind != "u")
    refuse(fmt::format("{} of dtype {}", type_of(given), text_of(array.attr("dtype"))));
  return numpy.attr("require")(array, numpy.attr("float64"), "CA");  // in the order of C, aligned
}

// "(3,)", "(n, 7)".
std::string shape_text(Eigen::Index size, int dimensions) {
  if (size == any_size) return "(n,)";
  return dimensions == 1 ? fmt::format("({},)", size) : fmt::format("(n, {})", size);
}

[[noreturn]] void refuse_shape(const nb::handle& array, const char* name, Eigen::Index size, int dimensions) {
  throw Error(fmt::format("{} of shape {}", name, text_of(array.attr("shape"))), shape_text(size, dimensions));
}

void check_finite(const double* begin, std::size_t count, const char* name, Eigen::Index size, int dimensions) {
  double sums[8] = {};  // not a number where one is not finite; several, since one waits for itself
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += 0 * begin[i + k];
  for (; i < count; ++i) sums[0] += 0 * begin[i];
  double sum = 0;
  for (const double part : sums) sum += part;
  if (sum == 0) return;
  i = 0;
  while (std::isfinite(begin[i])) ++i;
  throw Error(dimensions == 1 ? fmt::format("{}[{}] = {}", name, i, begin[i])
                              : fmt::format("{}[{}, {}] = {}", name, i / size, i % size, begin[i]),
              "finite numbers");
}

// Numbers, and what keeps them where that is not the user's array itself.
struct Read {
  Doubles numbers;
  nb::object made;
};

// The array, whose last dimension has the size that is asked for.
Read read(nb::handle given, const char* name, Eigen::Index size, int dimensions) {
  Read out{plain_doubles(given, dimensions), {}};
  if (out.numbers.data == nullptr) {
    out.made = as_doubles(given, name);
    out.numbers = plain_doubles(out.made, dimensions);
    if (out.numbers.data == nullptr) refuse_shape(out.made, name, size, dimensions);
  }
  if (size != any_size && out.numbers.shape[dimensions - 1] != size)
    refuse_shape(out.made.is_valid() ? nb::handle(out.made) : given, name, size, dimensions);
  check_finite(out.numbers.data, static_cast<std::size_t>(out.numbers.size()), name, size, dimensions);
  return out;
}

void copy(const Doubles& from, double* to) {
  if (from.size() > 0) std::memcpy(to, from.data, static_cast<std::size_t>(from.size()) * sizeof(double));
}

}  // namespace

void read_vector(nb::handle given, const char* name, VecX<>& out) {
  copy(read(given, name, out.size(), 1).numbers, out.data());
}

VecX<> read_vector(nb::handle given, const char* name, Eigen::Index size) {
  const Read in = read(given, name, size, 1);
  return Eigen::Map<const VecX<>>(in.numbers.data, in.numbers.size());
}

void read_vectors(nb::handle given, const char* name, Eigen::Index size, MatX<>& out) {
  const Read in = read(given, name, size, 2);
  out.resize(size, in.numbers.shape[0]);
  copy(in.numbers, out.data());
}

MatX<> read_vectors(nb::handle given, const char* name, Eigen::Index size) {
  MatX<> out;
  read_vectors(given, name, size, out);
  return out;
}

double read_number(double given, const char* name) {
  if (!std::isfinite(given)) throw Error(fmt::format("{} = {}", name, given), "a finite number");
  return given;
}

Vector to_array(const VecX<>& vector) {
  double* data = nullptr;
  nb::object out = new_vector(vector.size(), data);
  Eigen::Map<VecX<>>(data, vector.size()) = vector;
  return nb::steal<Vector>(out.release());
}

Matrix to_array(const MatX<>& matrix) {
  double* data = nullptr;
  nb::object out = new_matrix(matrix.rows(), matrix.cols(), data);
  Eigen::Map<MatX<>>(data, matrix.rows(), matrix.cols()) = matrix;
  return nb::steal<Matrix>(out.release());
}

VectorView view(const VecX<>& vector, nb::handle owner) {
  return nb::steal<VectorView>(read_only(vector.data(), 1, {vector.size(), 1}, {1, 1}, owner).release());
}

MatrixView rows_view(const Eigen::Ref<const MatX<>>& matrix, nb::handle owner) {
  const Extent shape{matrix.cols(), matrix.rows()}, strides{matrix.outerStride(), 1};
  return nb::steal<MatrixView>(read_only(matrix.data(), 2, shape, strides, owner).release());
}

VectorView entry_view(const Eigen::Ref<const MatX<>>& matrix, int i, nb::handle owner) {
  const Extent shape{matrix.cols(), 1}, strides{matrix.outerStride(), 1};
  return nb::steal<VectorView>(read_only(matrix.data() + i, 1, shape, strides, owner).release());
}

}  // namespace trammel::python
