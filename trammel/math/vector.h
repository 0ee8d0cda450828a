#pragma once

// The address sanitizer's malloc aligns by 16 bytes, as the C library's does. With gcc Eigen does not rely on it, and would allocate
// otherwise than in objects that are compiled without the sanitizer.
#if defined(__SANITIZE_ADDRESS__) && !defined(__AVX__) && !defined(EIGEN_MALLOC_ALREADY_ALIGNED)
#define EIGEN_MALLOC_ALREADY_ALIGNED 1
#endif
#include <Eigen/Core>

/// How Eigen allocates and aligns matrices depends on the flags of the compiler (-mavx, -march=native) and on macros that are defined
/// before it is included. Objects that differ in this must not hand matrices to each other: memory that one allocates, the other frees
/// in another way. So each object that includes this header asks the linker for a symbol whose name says how its Eigen does it (alignment
/// on the heap, on the stack, assumed; whether malloc suffices), and the library defines the symbol of its own way alone (vector.cpp):
/// other objects do not link. Compile both with the same flags; where only the sanitizer differs, include this header before Eigen's.
#define TRAMMEL_JOIN_EXPANDED(name, heap, stack, assumed, malloc) name##heap##_##stack##_##assumed##_##malloc
#define TRAMMEL_JOIN(...) TRAMMEL_JOIN_EXPANDED(__VA_ARGS__)
#define TRAMMEL_EIGEN_ABI                                                                      \
  TRAMMEL_JOIN(library_was_compiled_with_other_vector_flags_than_this_object_whose_eigen_is_,  \
               EIGEN_DEFAULT_ALIGN_BYTES, EIGEN_MAX_STATIC_ALIGN_BYTES, EIGEN_MAX_ALIGN_BYTES, \
               EIGEN_MALLOC_ALREADY_ALIGNED)

namespace trammel {

extern const char TRAMMEL_EIGEN_ABI;
[[gnu::used, gnu::retain]] static const char* const eigen_abi = &TRAMMEL_EIGEN_ABI;

template <class Scalar = double>
using Vec3 = Eigen::Matrix<Scalar, 3, 1>;
template <class Scalar = double>
using Mat3 = Eigen::Matrix<Scalar, 3, 3>;
template <class Scalar = double>
using Vec6 = Eigen::Matrix<Scalar, 6, 1>;
template <class Scalar = double>
using Mat6 = Eigen::Matrix<Scalar, 6, 6>;
template <class Scalar = double>
using VecX = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <class Scalar = double>
using MatX = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// Three numbers, made of three: a Vec3, or a Triple (triple.h).
template <class V>
concept ThreeNumbers = requires(const V& a) { V(a[0], a[1], a[2]); };

/// a × b, of any form of a vector.
template <ThreeNumbers V>
[[gnu::always_inline]] inline V cross_product(const V& a, const V& b) {
  return V(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/// The same of Eigen's vectors and expressions. (Eigen's own needs <Eigen/Geometry>, which the headers leave out to compile fast.)
template <class Scalar>
[[gnu::always_inline]] inline Vec3<Scalar> cross(const Vec3<Scalar>& a, const Vec3<Scalar>& b) {
  return cross_product(a, b);
}

}  // namespace trammel
