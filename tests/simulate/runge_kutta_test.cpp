#include "trammel/simulate/runge_kutta.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "simulate/methods.h"
#include "support/worst.h"
#include "trammel/base/error.h"

namespace trammel {
namespace {

using namespace trammel::test;
using Real = long double;

// The conditions for order p (Butcher): Σ b_i Φ_i(τ) = 1/γ(τ) for every rooted tree τ of up to p nodes, where a tree is
// the list of the subtrees on its root, Φ_i(τ) = Π Σ_j a_ij Φ_j(subtree) and γ(τ) = |τ| Π γ(subtree).
struct Tree {
  int nodes;
  Real gamma;
  std::vector<int> subtrees;  // by index, in descending order
};

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> trees;
  for (int nodes = 1; nodes <= order; ++nodes) {
    const int smaller = static_cast<int>(trees.size());
    std::vector<int> subtrees;
    const std::function<void(int, int)> grow = [&](int left, int largest) {
      if (left == 0) {
        Real gamma = nodes;
        for (const int i : subtrees) gamma *= trees[i].gamma;
        trees.push_back({nodes, gamma, subtrees});
      }
      for (int i = largest; i >= 0; --i)
        if (trees[i].nodes <= left) {
          subtrees.push_back(i);
          grow(left - trees[i].nodes, i);
          subtrees.pop_back();
        }
    };
    grow(nodes - 1, smaller - 1);
  }
  return trees;
}

// All stages of a method, those of the dense output included, as one square matrix.
struct Square {
  explicit Square(const Tableau& method) : n(method.slopes()), a(n * n), c(n) {
    const int end = method.end_slope();
    for (int i = 0; i < n; ++i) {
      const auto row = i < method.stages() ? method.a_row(i) : i == end ? method.b : method.dense_a_row(i - end - 1);
      std::copy(row.begin(), row.end(), a.begin() + i * n);
      c[i] = i < method.stages() ? method.c[i] : i == end ? 1 : method.dense_c[i - end - 1];
    }
  }
  int n;
  std::vector<Real> a, c;
};

// Φ_i of every tree, and the same with |a_ij|: what rounding of the coefficients is relative to.
struct Weights {
  Weights(const Square& method, const std::vector<Tree>& trees) {
    for (const Tree& tree : trees) {
      std::vector<Real> product(method.n, 1), size(method.n, 1);
      for (const int subtree : tree.subtrees)
        for (int i = 0; i < method.n; ++i) {
          Real sum = 0, size_sum = 0;
          for (int j = 0; j < method.n; ++j) {
            sum += method.a[i * method.n + j] * phi[subtree][j];
            size_sum += std::abs(method.a[i * method.n + j]) * phi_size[subtree][j];
          }
          product[i] *= sum;
          size[i] *= size_sum;
        }
      phi.push_back(product);
      phi_size.push_back(size);
    }
  }
  std::vector<std::vector<Real>> phi, phi_size;
};

// The worst of |Σ b_i Φ_i(τ) − target(τ)| over trees up to an order, in rounding errors of its own terms.
double worst_condition(std::span<const Real> b, std::span<const Real> b_size, const Weights& weights,
                       const std::vector<Tree>& trees, int order, const std::function<Real(const Tree&)>& target) {
  const Real rounding = std::numeric_limits<double>::epsilon() / 2;
  Real worst = 0;
  for (std::size_t k = 0; k < trees.size(); ++k) {
    if (trees[k].nodes > order) continue;
    Real sum = 0, size = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      sum += b[i] * weights.phi[k][i];
      size += b_size[i] * weights.phi_size[k][i];
    }
    worst = std::max(worst, std::abs(sum - target(trees[k])) / (rounding * size));
  }
  return static_cast<double>(worst);
}

double worst_condition(std::span<const double> b, const Weights& weights, const std::vector<Tree>& trees, int order,
                       const std::function<Real(const Tree&)>& target) {
  const std::vector<Real> real(b.begin(), b.end());
  std::vector<Real> size;
  for (const Real x : real) size.push_back(std::abs(x));
  return worst_condition(real, size, weights, trees, order, target);
}

TEST(RootedTrees, AreAsManyAsCayleyCounted) {
  const std::vector<Tree> trees = trees_up_to(8);
  int count[9] = {};
  for (const Tree& tree : trees) ++count[tree.nodes];
  const int cayley[9] = {0, 1, 1, 2, 4, 9, 20, 48, 115};
  for (int nodes = 1; nodes <= 8; ++nodes) EXPECT_EQ(count[nodes], cayley[nodes]);
}

class EveryMethod : public testing::TestWithParam<const Tableau*> {
 protected:
  const Tableau& method = *GetParam();
  const std::vector<Tree> trees = trees_up_to(method.order + 1);
  const Weights weights{Square(method), trees};
};

// A tree of p nodes multiplies p rounded numbers.
TEST_P(EveryMethod, HasItsOrderAndNoMore) {
  const auto exact = [](const Tree& tree) { return 1 / tree.gamma; };
  Worst worst(std::string(method.name) + ": order conditions, in roundings");
  worst.see(worst_condition(method.b, weights, trees, method.order, exact));
  EXPECT_LT(worst.value(), method.order + 1);
  EXPECT_GT(worst_condition(method.b, weights, trees, method.order + 1, exact), 1e6);
}

TEST_P(EveryMethod, RowsSumToTheTimesOfTheStages) {
  const Square square(method);
  for (int i = 0; i < square.n; ++i) {
    Real sum = 0, size = 0;
    for (int j = 0; j < square.n; ++j) sum += square.a[i * square.n + j], size += std::abs(square.a[i * square.n + j]);
    EXPECT_LE(std::abs(sum - square.c[i]), std::numeric_limits<double>::epsilon() * (size + square.c[i])) << i;
  }
}

TEST_P(EveryMethod, IntegratesPowersOfTimeExactly) {
  for (int k = 0; k < method.order; ++k) {
    Real sum = 0;
    for (int i = 0; i < method.stages(); ++i) sum += method.b[i] * std::pow(Real(method.c[i]), Real(k));
    EXPECT_NEAR(static_cast<double>(sum), 1.0 / (k + 1), 20 * 1.2e-16) << k;  // Σ|b| is up to 13
  }
}

TEST_P(EveryMethod, EstimatesVanishUpToTheirOrder) {
  if (!method.adaptive()) return;
  const auto nothing = [](const Tree&) { return Real(0); };
  const int fine = method.order == 8 ? 5 : method.order - 1;
  EXPECT_LT(worst_condition(method.error, weights, trees, fine, nothing), fine + 1);
  EXPECT_GT(worst_condition(method.error, weights, trees, fine + 1, nothing), 1e6);
  if (method.rough_error.empty()) return;
  EXPECT_LT(worst_condition(method.rough_error, weights, trees, 3, nothing), 4);
  EXPECT_GT(worst_condition(method.rough_error, weights, trees, 4, nothing), 1e6);
}

// The weights b_i(θ) of the dense output, its formula with k = e_i, and the size of the terms in them.
struct DenseWeights {
  DenseWeights(const Tableau& method, Real theta) {
    for (int i = 0; i < method.slopes(); ++i) {
      const Real b_i = i < method.stages() ? Real(method.b[i]) : 0;
      const Real first = i == 0, last = i == method.end_slope();
      std::vector<Real> r = {b_i, first - b_i, b_i - last - (first - b_i)};
      for (int m = 0; m < method.dense_rows(); ++m) r.push_back(method.dense_d_row(m)[i]);
      Real sum = 0, sum_size = 0;
      for (int m = static_cast<int>(r.size()) - 1; m >= 0; --m) {
        const Real factor = m % 2 == 0 ? theta : 1 - theta;
        sum = (sum + r[m]) * factor;
        sum_size = (sum_size + std::abs(r[m])) * factor;
      }
      b.push_back(sum);
      size.push_back(sum_size);
    }
  }
  std::vector<Real> b, size;
};

TEST_P(EveryMethod, HasTheOrderOfItsDenseOutputInsideTheStep) {
  Worst worst(std::string(method.name) + ": dense order conditions, in roundings");
  double beyond = 0;
  for (int i = 1; i < 16; ++i) {
    const Real theta = i / Real(16);
    const auto exact = [&](const Tree& tree) { return std::pow(theta, Real(tree.nodes)) / tree.gamma; };
    const DenseWeights at(method, theta);
    worst.see(worst_condition(at.b, at.size, weights, trees, method.dense_order, exact));
    beyond = std::max(beyond, worst_condition(at.b, at.size, weights, trees, method.dense_order + 1, exact));
  }
  EXPECT_LT(worst.value(), method.dense_order + 1);
  EXPECT_GT(beyond, 1e6);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         test_name);

// Of a partitioned method, where every edge of a tree stands for one matrix or the other, and its dense output, by a d that stands for both.
class EveryPartitionedMethod : public testing::Test {
 protected:
  // Φ_i and γ of all trees with up to `order` nodes, an edge of either matrix
  struct Coloured {
    int nodes;
    Real gamma;
    std::vector<Real> phi, size;
  };
  static std::vector<Coloured> coloured_trees(const Tableau& method, int order) {
    const int n = method.slopes();
    Square square(method);
    std::vector<Real> implicit = square.a;
    for (int i = 1; i < method.stages(); ++i) {
      const auto row = method.implicit_a_row(i);
      std::copy(row.begin(), row.end(), implicit.begin() + i * n);
      implicit[i * n + i] = method.implicit_diagonal;
    }
    std::vector<Coloured> trees, branches;
    for (int nodes = 1; nodes <= order; ++nodes) {
      const std::size_t first = trees.size();
      const std::function<void(int, std::size_t, const Coloured&)> grow = [&](int left, std::size_t from,
                                                                              const Coloured& tree) {
        if (left == 0) trees.push_back(tree);
        for (std::size_t k = from; k < branches.size(); ++k) {
          if (branches[k].nodes > left) continue;
          Coloured next = tree;
          next.gamma *= branches[k].gamma;
          for (int i = 0; i < n; ++i) next.phi[i] *= branches[k].phi[i], next.size[i] *= branches[k].size[i];
          grow(left - branches[k].nodes, k, next);
        }
      };
      grow(nodes - 1, 0, {nodes, Real(nodes), std::vector<Real>(n, 1), std::vector<Real>(n, 1)});
      const std::size_t end = trees.size();
      for (std::size_t k = first; k < end; ++k)
        for (const std::vector<Real>* a : {&square.a, &implicit}) {
          Coloured branch{nodes, trees[k].gamma, std::vector<Real>(n, 0), std::vector<Real>(n, 0)};
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
              branch.phi[i] += (*a)[i * n + j] * trees[k].phi[j];
              branch.size[i] += std::abs((*a)[i * n + j]) * trees[k].size[j];
            }
          branches.push_back(branch);
        }
    }
    return trees;
  }
};

TEST_F(EveryPartitionedMethod, HasItsOrdersForEveryTreeOfBothMatrices) {
  const Real rounding = std::numeric_limits<double>::epsilon() / 2;
  for (const Tableau* method : all_methods()) {
    if (!method->implicit()) continue;
    const std::vector<Coloured> trees = coloured_trees(*method, method->order + 1);
    EXPECT_EQ(std::ranges::count(trees, 5, &Coloured::nodes), 107);
    Worst whole("order conditions of both matrices, in roundings"), estimate("of the estimate"), dense("inside");
    double beyond = 0;
    for (const Coloured& tree : trees) {
      const auto error = [&](const auto& b, Real target) {
        Real sum = 0, size = 0;
        for (std::size_t i = 0; i < b.size(); ++i)
          sum += b[i] * tree.phi[i], size += std::abs(Real(b[i])) * tree.size[i];
        return static_cast<double>(std::abs(sum - target) / (rounding * size));
      };
      if (tree.nodes <= method->order)
        whole.see(error(method->b, 1 / tree.gamma));
      else
        beyond = std::max(beyond, error(method->b, 1 / tree.gamma));
      if (tree.nodes < method->order) estimate.see(error(method->error, 0));
      if (tree.nodes <= method->dense_order)
        for (const Real theta : {Real(0.25), Real(0.7)})
          dense.see(error(DenseWeights(*method, theta).b, std::pow(theta, Real(tree.nodes)) / tree.gamma));
    }
    EXPECT_LT(whole.value(), method->order + 1);
    EXPECT_LT(estimate.value(), 2 * method->order);
    EXPECT_LT(dense.value(), 20 * method->order);  // terms of d that cancel are larger than their sum
    EXPECT_GT(beyond, 1e6);
    // the implicit method ends with its last stage
    for (int i = 0; i + 1 < method->stages(); ++i)
      EXPECT_EQ(method->b[i], method->implicit_a_row(method->stages() - 1)[i]);
    EXPECT_EQ(method->b.back(), method->implicit_diagonal);
  }
}

TEST(MethodNamed, FindsAMethodAndNamesTheNearestOne) {
  EXPECT_EQ(&method_named("dopri5"), &dopri5);
  try {
    (void)method_named("dopri");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'dopri5'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace trammel
