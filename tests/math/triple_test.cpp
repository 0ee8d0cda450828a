#include "trammel/math/triple.h"

#include <gtest/gtest.h>

#include "support/random.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/math/packed_triple.h"
#include "trammel/math/spatial.h"

namespace trammel {
namespace {

using test::cases;
using test::Random;
using test::Worst;

constexpr double eps = std::numeric_limits<double>::epsilon();

Vec3<> stored(const auto& triple) {
  Vec3<> out;
  triple.store(out.data());
  return out;
}

Mat3<> matrix(const auto& columns) {
  Mat3<> out;
  columns.store(out);
  return out;
}

// Both forms of a triple: the plain one, and the wide one where the tests are compiled for a processor that has it.
template <class V>
class Triples : public testing::Test {};
using Forms = testing::Types<Triple<double>, Packed<double>>;
TYPED_TEST_SUITE(Triples, Forms);

TYPED_TEST(Triples, DoWhatVectorsDo) {
  using V = TypeParam;
  Random random(1);
  Worst worst("triples against vectors");
  for (int i = 0, all = cases(1000); i < all; ++i) {
    const Vec3<> a = random.vector(), b = random.vector();
    const V x(a), y(b);
    worst.see((stored(x + y) - (a + b)).norm());
    worst.see((stored(x - y) - (a - b)).norm());
    worst.see((stored(x * 0.7) - a * 0.7).norm());
    worst.see((stored(cross(x, y)) - cross(a, b)).norm());
    worst.see(std::abs(dot(x, y) - a.dot(b)));
    worst.see((stored(times_entry<1>(x, y)) - a * b[1]).norm());
    EXPECT_EQ(x[2], a[2]);
  }
  EXPECT_LT(worst.value(), 20 * eps);  // three products of numbers up to 2
}

TYPED_TEST(Triples, MakeMatricesThatDoWhatMatricesDo) {
  using V = TypeParam;
  Random random(2);
  Worst worst("columns against matrices");
  for (int i = 0, all = cases(1000); i < all; ++i) {
    const Mat3<> A = Mat3<>::NullaryExpr([&] { return random.uniform(-1, 1); });
    const Mat3<> B = Mat3<>::NullaryExpr([&] { return random.uniform(-1, 1); });
    const Vec3<> a = random.vector(), b = random.vector();
    const auto X = Columns<V>::of(A), Y = Columns<V>::of(B);
    worst.see((stored(X * V(a)) - A * a).norm());
    worst.see((stored(X.times(a.data())) - A * a).norm());
    worst.see((matrix(X * Y) - A * B).norm());
    worst.see((matrix(X + Y) - (A + B)).norm());
    worst.see((matrix(transpose(X)) - A.transpose()).norm());
    worst.see((matrix(X.minus_product(V(a), V(b))) - (A - a * b.transpose())).norm());
    worst.see((matrix(X.times_skew_transposed(a)) - A * skew(a).transpose()).norm());
    worst.see((matrix(skew_columns(V(a))) - skew(a)).norm());
    worst.see((matrix(Columns<V>::diagonal(0.3)) - 0.3 * Mat3<>::Identity()).norm());
  }
  EXPECT_LT(worst.value(), 50 * eps);
}

// Both forms of a symmetric matrix: six numbers, and whole columns where triples are wide.
template <class S>
class SymmetricMatrices : public testing::Test {};
using SymmetricForms = testing::Types<Symmetric3<double>, Symmetric<double>>;
TYPED_TEST_SUITE(SymmetricMatrices, SymmetricForms);

Mat3<> whole(const auto& symmetric) {
  Mat3<> out;
  for (int i = 0; i < 3; ++i) {
    const Vec3<> unit = Vec3<>::Unit(i);
    out.col(i) = stored(symmetric.times(unit.data()));
  }
  return out;
}

TYPED_TEST(SymmetricMatrices, DoWhatMatricesDo) {
  using S = TypeParam;
  using V = typename S::V;
  Random random(4);
  Worst worst("symmetric matrices");
  for (int i = 0, all = cases(1000); i < all; ++i) {
    const Mat3<> A = Mat3<>::NullaryExpr([&] { return random.uniform(-1, 1); });
    const Mat3<> B = Mat3<>::NullaryExpr([&] { return random.uniform(-1, 1); });
    const Mat3<> P = A + A.transpose(), Q = B * B.transpose();
    const Vec3<> a = random.vector(), b = random.vector();
    const S X = S::with_transpose(Columns<V>::of(A)), Y = S::times_transposed(Columns<V>::of(B), B);
    worst.see((whole(X) - P).norm());
    worst.see((whole(Y) - Q).norm());
    worst.see((stored(X * V(a)) - P * a).norm());
    worst.see((whole(X + Y) - (P + Q)).norm());
    worst.see((whole(X - Y) - (P - Q)).norm());
    worst.see((whole(X.minus_product(V(a), V(a))) - (P - a * a.transpose())).norm());
    const Mat3<> ab = a * b.transpose();
    worst.see((whole(X.minus_product(V(a), V(b)).minus_product(V(b), V(a))) - (P - ab - ab.transpose())).norm());
    worst.see((matrix(X.times_skew_transposed(a)) - P * skew(a).transpose()).norm());
    worst.see((whole(S::diagonal(0.3)) - 0.3 * Mat3<>::Identity()).norm());
  }
  EXPECT_LT(worst.value(), 50 * eps);
}

TYPED_TEST(Triples, MakeSpatialVectors) {
  using S = Spatial<TypeParam>;
  Random random(3);
  Worst worst("spatial vectors");
  for (int i = 0, all = cases(1000); i < all; ++i) {
    const Vec6<> V = random.vector6(), W = random.vector6();
    const Vec3<> r = random.vector();
    Vec6<> out;
    (S::of(V) + S::of(W) * 2.0 - S::of(V).motion_at(r)).store(out);
    worst.see((out - (V + 2.0 * W - motion_at(V, r))).norm());
    S::of(W).force_from(r).store(out);
    worst.see((out - force_from(W, r)).norm());
    worst.see(std::abs(dot(S::of(V), S::of(W)) - V.dot(W)));
  }
  EXPECT_LT(worst.value(), 50 * eps);
}

}  // namespace
}  // namespace trammel
