#pragma once

#include "trammel/constraints/body_point.h"

namespace trammel {

/// The product of a direction x of one body with a direction y of another: the part of which rows about orientations
/// are made. For unit vectors it is the cosine of the angle between them,
///
///   φ  = x · y
///   φ̇  = ẋ · y + x · ẏ = (ω_y − ω_x) · (y × x)          ẋ = ω_x × x, ẏ = ω_y × y
///   φ̈  = ẍ · y + 2 ẋ · ẏ + x · ÿ                        ẍ = ω̇_x × x + ω_x × (ω_x × x), ÿ likewise
///
/// so the row is the moment y × x on y's body and the opposite one on x's. It vanishes where x and y are parallel: the
/// product is stationary there, so only products near zero (right angles) make good rows.
struct DirectionProduct {
  BodyDirection x, y;

  template <class Scalar>
  Scalar value(const Positions<Scalar>& where) const {
    return x.direction(where).dot(y.direction(where));
  }
};

/// Where the moment of its row is shown: the origin of y's body, or of x's where y is fixed to the world.
inline BodyPoint origin_of_moved(const DirectionProduct& product) {
  return {product.y.body != world ? product.y.body : product.x.body, Vec3<>::Zero()};
}

}  // namespace trammel
