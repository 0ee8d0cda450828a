#include "numpy_arrays.h"

#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#include <numpy/arrayobject.h>

namespace trammel::python {

void load_numpy() {
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
}

bool is_array(nb::handle given) { return Py_TYPE(given.ptr()) == &PyArray_Type; }

Doubles plain_doubles(nb::handle given, int dimensions) {
  if (!is_array(given)) return {};
  const auto* array = reinterpret_cast<const PyArrayObject*>(given.ptr());
  if (PyArray_NDIM(array) != dimensions || PyArray_TYPE(array) != NPY_DOUBLE || !PyArray_ISCARRAY_RO(array)) return {};
  const npy_intp* shape = PyArray_DIMS(array);
  return {.data = static_cast<const double*>(PyArray_DATA(const_cast<PyArrayObject*>(array))),
          .dimensions = dimensions,
          .shape = {shape[0], dimensions == 2 ? shape[1] : 1}};
}

namespace {

nb::object new_array(int dimensions, npy_intp* shape, double*& data) {
  const int in_columns = dimensions == 2 ? NPY_ARRAY_F_CONTIGUOUS : 0;
  PyObject* array = PyArray_New(&PyArray_Type, dimensions, shape, NPY_DOUBLE, nullptr, nullptr, 0, in_columns, nullptr);
  if (array == nullptr) throw nb::python_error();
  data = static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
  return nb::steal(array);
}

}  // namespace

nb::object new_vector(std::ptrdiff_t size, double*& data) {
  npy_intp shape[1] = {size};
  return new_array(1, shape, data);
}

nb::object new_matrix(std::ptrdiff_t rows, std::ptrdiff_t columns, double*& data) {
  npy_intp shape[2] = {rows, columns};
  return new_array(2, shape, data);
}

nb::object read_only(const double* data, int dimensions, Extent shape, Extent strides, nb::handle owner) {
  constexpr npy_intp bytes = sizeof(double);
  npy_intp in_bytes[2] = {strides[0] * bytes, strides[1] * bytes}, sizes[2] = {shape[0], shape[1]};
  PyObject* array = PyArray_New(&PyArray_Type, dimensions, sizes, NPY_DOUBLE, in_bytes, const_cast<double*>(data), 0,
                                NPY_ARRAY_ALIGNED, nullptr);
  if (array == nullptr) throw nb::python_error();
  nb::object out = nb::steal(array);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(array), owner.inc_ref().ptr()) < 0)
    throw nb::python_error();
  return out;
}

}  // namespace trammel::python
