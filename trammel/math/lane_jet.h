#pragma once

#include "trammel/math/jet.h"
#include "trammel/math/lanes.h"

namespace trammel {

/// A jet (jet.h) in each lane. Only functions that are smooth where they have a value; where one has none, what comes out is not
/// finite, and what is lost against a Jet is its care for constants there (√0 with zero rates).
struct LaneJet {
  Lanes x, dx, ddx;

  LaneJet() = default;
  LaneJet(const Lanes& value, const Lanes& rate = 0.0, const Lanes& second = 0.0) : x(value), dx(rate), ddx(second) {}
  LaneJet(double value) : LaneJet(Lanes(value)) {}
  /// The same in every lane.
  LaneJet(const Jet& all) : x(all.x), dx(all.dx), ddx(all.ddx) {}

  Jet operator[](int lane) const { return {x[lane], dx[lane], ddx[lane]}; }
  /// Lane i is jet(i).
  template <class LaneToJet>
  static LaneJet each(const LaneToJet& jet) {
    LaneJet out;
    for (int i = 0; i < lane_count; ++i) {
      const Jet one = jet(i);
      out.x.set(i, one.x), out.dx.set(i, one.dx), out.ddx.set(i, one.ddx);
    }
    return out;
  }

  friend LaneJet chain(const LaneJet& u, const Lanes& f, const Lanes& df, const Lanes& ddf) {
    return {f, df * u.dx, ddf * u.dx * u.dx + df * u.ddx};
  }
  friend LaneJet operator-(const LaneJet& u) { return {-u.x, -u.dx, -u.ddx}; }
  friend LaneJet operator+(const LaneJet& u, const LaneJet& v) { return {u.x + v.x, u.dx + v.dx, u.ddx + v.ddx}; }
  friend LaneJet operator-(const LaneJet& u, const LaneJet& v) { return {u.x - v.x, u.dx - v.dx, u.ddx - v.ddx}; }
  friend LaneJet operator*(const LaneJet& u, const LaneJet& v) {
    return {u.x * v.x, u.dx * v.x + u.x * v.dx, u.ddx * v.x + u.dx * v.dx * 2.0 + u.x * v.ddx};
  }
  friend LaneJet operator/(const LaneJet& u, const LaneJet& v) {
    const Lanes q = u.x / v.x, dq = (u.dx - q * v.dx) / v.x;
    return {q, dq, (u.ddx - dq * v.dx * 2.0 - q * v.ddx) / v.x};
  }
  LaneJet& operator+=(const LaneJet& v) { return *this = *this + v; }
  LaneJet& operator-=(const LaneJet& v) { return *this = *this - v; }
  LaneJet& operator*=(const LaneJet& v) { return *this = *this * v; }

  friend LaneJet sin(const LaneJet& u) {
    const SinCos<Lanes> both = sin_cos(u.x);
    return chain(u, both.sin, both.cos, -both.sin);
  }
  friend LaneJet cos(const LaneJet& u) {
    const SinCos<Lanes> both = sin_cos(u.x);
    return chain(u, both.cos, -both.sin, -both.cos);
  }
  friend LaneJet sqrt(const LaneJet& u) {
    const Lanes f = sqrt(u.x), df = 0.5 / f;
    return chain(u, f, df, df * -0.5 / u.x);
  }
  friend LaneJet hypot(const LaneJet& u, const LaneJet& v) { return sqrt(u * u + v * v); }
};

}  // namespace trammel

template <>
struct Eigen::NumTraits<trammel::LaneJet> : Eigen::GenericNumTraits<double> {
  using Real = trammel::LaneJet;
  using NonInteger = trammel::LaneJet;
  using Nested = trammel::LaneJet;
  using Literal = trammel::LaneJet;
};
