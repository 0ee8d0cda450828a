#include "vectors.h"

#include <cmath>
#include <cstring>

#include <fmt/core.h>

#include "trammel/base/error.h"

namespace trammel::python {
namespace {

template <int dimensions>
using Given = nb::ndarray<const double, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

std::string type_of(const nb::handle& object) { return text_of(object.type().attr("__name__")); }

// Whether it is an array of numpy's itself. What only acts like one goes by numpy.asarray: nanobind crashes at a numpy.datetime64.
bool is_array(nb::handle given) {
  static PyObject* const type = nb::object(nb::module_::import_("numpy").attr("ndarray")).release().ptr();
  return given.type().ptr() == type;
}

// numpy.asarray, as doubles.
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
  return numpy.attr("asarray")(array, numpy.attr("float64"), nb::arg("order") = "C");
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
  double sum = 0;  // not a number where one is not finite
  for (std::size_t i = 0; i < count; ++i) sum += 0 * begin[i];
  if (sum == 0) return;
  std::size_t i = 0;
  while (std::isfinite(begin[i])) ++i;
  throw Error(dimensions == 1 ? fmt::format("{}[{}] = {}", name, i, begin[i])
                              : fmt::format("{}[{}, {}] = {}", name, i / size, i % size, begin[i]),
              "finite numbers");
}

// The array, whose last dimension has the size that is asked for.
template <int dimensions>
Given<dimensions> read(nb::handle given, const char* name, Eigen::Index size) {
  Given<dimensions> array;
  nb::object made;
  if (!is_array(given) || !nb::try_cast(given, array, false)) {
    made = as_doubles(given, name);
    if (!nb::try_cast(made, array, false)) refuse_shape(made, name, size, dimensions);
  }
  if (size != any_size && static_cast<Eigen::Index>(array.shape(dimensions - 1)) != size)
    refuse_shape(made.is_valid() ? nb::handle(made) : given, name, size, dimensions);
  check_finite(array.data(), array.size(), name, size, dimensions);
  return array;
}

using Sizes = std::initializer_list<std::size_t>;
using Strides = std::initializer_list<std::int64_t>;

// An array of numpy's over numbers that it takes with it.
template <int dimensions, class Numbers>
ArrayObject<dimensions> owned(Numbers numbers, Sizes shape, Strides strides) {
  auto kept = std::make_unique<Numbers>(std::move(numbers));
  double* data = kept->data();
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Numbers*>(p); });
  kept.release();  // the capsule has it
  return nb::ndarray<nb::numpy, double, nb::ndim<dimensions>>(data, shape, owner, strides).cast();
}

template <int dimensions>
ArrayObject<dimensions, const double> seen(const double* data, nb::handle owner, Sizes shape, Strides strides) {
  return nb::ndarray<nb::numpy, const double, nb::ndim<dimensions>>(data, shape, owner, strides).cast();
}

std::size_t rows_of(const Eigen::Ref<const MatX<>>& matrix) { return static_cast<std::size_t>(matrix.rows()); }
std::size_t columns_of(const Eigen::Ref<const MatX<>>& matrix) { return static_cast<std::size_t>(matrix.cols()); }

}  // namespace

void read_vector(nb::handle given, const char* name, VecX<>& out) {
  const Given<1> array = read<1>(given, name, out.size());
  if (out.size() > 0) std::memcpy(out.data(), array.data(), array.size() * sizeof(double));
}

VecX<> read_vector(nb::handle given, const char* name, Eigen::Index size) {
  const Given<1> array = read<1>(given, name, size);
  return Eigen::Map<const VecX<>>(array.data(), static_cast<Eigen::Index>(array.size()));
}

MatX<> read_vectors(nb::handle given, const char* name, Eigen::Index size) {
  const Given<2> array = read<2>(given, name, size);
  MatX<> out(size, array.shape(0));
  if (out.size() > 0) std::memcpy(out.data(), array.data(), array.size() * sizeof(double));
  return out;
}

double read_number(double given, const char* name) {
  if (!std::isfinite(given)) throw Error(fmt::format("{} = {}", name, given), "a finite number");
  return given;
}

Vector to_array(VecX<> vector) {
  const auto n = static_cast<std::size_t>(vector.size());
  return owned<1>(std::move(vector), {n}, {1});
}

Matrix to_array(MatX<> matrix) {
  const std::size_t rows = rows_of(matrix), columns = columns_of(matrix);
  return owned<2>(std::move(matrix), {rows, columns}, {1, static_cast<std::int64_t>(rows)});
}

VectorView view(const VecX<>& vector, nb::handle owner) {
  return seen<1>(vector.data(), owner, {static_cast<std::size_t>(vector.size())}, {1});
}

MatrixView rows_view(const Eigen::Ref<const MatX<>>& matrix, nb::handle owner) {
  return seen<2>(matrix.data(), owner, {columns_of(matrix), rows_of(matrix)}, {matrix.outerStride(), 1});
}

VectorView entry_view(const Eigen::Ref<const MatX<>>& matrix, int i, nb::handle owner) {
  return seen<1>(matrix.data() + i, owner, {columns_of(matrix)}, {matrix.outerStride()});
}

}  // namespace trammel::python
