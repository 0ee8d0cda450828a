#include "trammel/constraints/jet_equation.h"

#include <fmt/core.h>

#include <array>

#include "trammel/constraints/checks.h"

namespace trammel {

JetEquation::JetEquation(std::vector<Quantity> x, Law law, double length)
    : x_(std::move(x)),
      law_(checked_path(std::move(law), "an equation")),
      length_(checked_positive(length, "length in m per unit of an equation")) {
  if (x_.size() < 1 || x_.size() > most)
    throw Error(fmt::format("an equation among {} quantities", x_.size()), fmt::format("1 to {}", most));
}

void JetEquation::evaluate(const Movement<double>& now, Rows& out) const {
  // φ, φ̇ and −b in one call
  std::array<Jet, most> room;
  const std::span<Jet> x = std::span(room).first(x_.size());
  for (int i = 0; i < x_.size(); ++i) x[i] = x_[i].bias_jet(now);
  const Jet law = law_(x, {now.t, 1});
  if (x_.level() == Level::position)
    write_position_row(law, 0, out);
  else
    write_velocity_row(law, 0, out);

  // φᵢ: the rate of φ when xᵢ alone moves, at unit rate
  out.clear();
  for (Jet& xi : x) xi = xi.x;
  for (int i = 0; i < x_.size(); ++i) {
    if (x_[i].level() != x_.level()) continue;
    x[i].dx = 1;
    x_.add_row(i, law_(x, now.t).dx, now.kin, 0, out);
    x[i].dx = 0;
  }
}

template <class Moment>
Jet JetEquation::law(const Moment& now) const {
  std::array<Jet, most> x;
  for (int i = 0; i < x_.size(); ++i) x[i] = x_[i].value(now);
  return law_(std::span(x).first(x_.size()), now.t);
}

void JetEquation::phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const {
  if (x_.level() == Level::position) out[0] = law(now).x;
}
void JetEquation::phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const {
  if (x_.level() == Level::position) out[0] = law(now);
}
void JetEquation::psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const {
  if (x_.level() == Level::velocity) out[0] = law(now).x;
}
void JetEquation::psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const {
  if (x_.level() == Level::velocity) out[0] = law(now);
}

}  // namespace trammel
