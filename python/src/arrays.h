#pragma once

#include <memory>

#include <nanobind/ndarray.h>

#include "bind.h"
#include "trammel/math/vector.h"

namespace trammel::python {

/// A read-only array of numpy's that reads the memory of `owner`, which lives as long as the array: nothing is copied. The matrix is
/// column by column in memory, and its columns are the array's rows: so are recordings.
using ReadOnly = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;

template <class Owner>
ReadOnly columns_as_rows(const Eigen::Ref<const MatX<>>& matrix, std::shared_ptr<Owner> owner) {
  using Shared = std::shared_ptr<Owner>;
  auto kept = std::make_unique<Shared>(std::move(owner));
  const nb::capsule capsule(kept.get(), [](void* p) noexcept { delete static_cast<Shared*>(p); });
  kept.release();  // the capsule has it
  return {matrix.data(),
          {static_cast<std::size_t>(matrix.cols()), static_cast<std::size_t>(matrix.rows())},
          capsule,
          {static_cast<std::int64_t>(matrix.outerStride()), 1}};
}

/// The same of a matrix that nobody else has.
inline ReadOnly columns_as_rows(MatX<> matrix) {
  const auto owned = std::make_shared<const MatX<>>(std::move(matrix));
  return columns_as_rows(*owned, owned);
}

}  // namespace trammel::python
