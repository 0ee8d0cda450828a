#pragma once

#include "trammel/math/vector.h"

/// Eigen's decompositions, compiled once for all tests: a second opinion for what Trammel factorises by itself.
namespace trammel::test {

/// An orthogonal matrix: Q of A = Q R.
MatX<> orthogonal_factor(const MatX<>& A);

/// X of M X = B, M symmetric and positive definite, by Cholesky; M symmetric, by LDLᵀ.
MatX<> solve_definite(const MatX<>& M, const MatX<>& B);
MatX<> solve_symmetric(const MatX<>& M, const MatX<>& B);

/// The least of all X that leave the least |A X − B|, by a complete orthogonal decomposition.
MatX<> least_squares(const MatX<>& A, const MatX<>& B);

/// A⁻¹ of a square matrix, by LU with partial pivoting.
MatX<> inverse_of(const MatX<>& A);

/// How many columns of A are independent, by Householder's QR with column pivoting; pivots below `threshold` times the largest count as
/// zero (Eigen's default if negative).
int rank_of(const MatX<>& A, double threshold = -1);

/// Of a symmetric matrix, ascending.
VecX<> eigenvalues(const MatX<>& M);

/// Mᵖ of a symmetric positive definite M, by its eigenvalues.
MatX<> power(const MatX<>& M, double exponent);

/// B⁺, by a complete orthogonal decomposition.
MatX<> pseudo_inverse(const MatX<>& B);

/// A's singular values, descending, and all right singular vectors, one to a column: those behind the values are in its kernel.
struct RightSingular {
  VecX<> values;
  MatX<> vectors;
};
RightSingular right_singular(const MatX<>& A);

/// The directions that A takes to zero, one to a column, by LU with full pivoting.
MatX<> kernel_of(const MatX<>& A);

}  // namespace trammel::test
