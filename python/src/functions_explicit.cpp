#include <numeric>

#include <fmt/core.h>

#include "functions.h"
#include "trammel/constraints/body_point.h"

namespace trammel::python {
namespace {

/// A constraint by functions of doubles, which give φ (or ψ), A (one entry for each velocity, row by row), b of A v̇ = b, and φ̇ where it is
/// not A v. Nothing is differentiated here, and nobody checks that the functions belong together.
class ExplicitConstraint final : public Constraint {
 public:
  ExplicitConstraint(const System& system, std::string name, Level level, LawInPython law, int rows, std::string unit)
      : name_(std::move(name)),
        unit_(std::move(unit)),
        level_(level),
        law_(std::move(law)),
        model_(std::make_shared<const Model>(system.model)),
        inputs_(system.input_names()),
        rows_(rows),
        velocities_(system.model.nv()) {
    std::iota(velocities_.begin(), velocities_.end(), 0);
  }

  int rows() const override { return rows_; }
  Level level(int) const override { return level_; }
  std::span<const int> bodies() const override { return {}; }
  std::span<const int> velocities() const override { return velocities_; }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return unit_; }
  BodyPoint point_of_force(const Positions<>&) const override { return {}; }

  void evaluate(const Movement<double>& now, Rows& out) const override {
    const nb::gil_scoped_acquire gil;
    const Placement<double> placement = now.placement();
    const int n = model_->nv();
    const std::vector<double> A = call("A", rows_ * n, placement, &now);
    out.coefficients = Eigen::Map<const RowMatrixOf<double>>(A.data(), rows_, n);
    out.b = vector(call("b", rows_, placement, &now));
    const bool moving = level_ == Level::velocity;
    const VecX<> value = vector(call("phi", rows_, placement, moving ? &now : nullptr));
    out.phi.setZero();
    if (moving) {
      out.rate = value;
      return;
    }
    out.phi = value;
    if (law_.law().attr("rate").is_none())
      out.rate = out.coefficients * now.v;
    else
      out.rate = vector(call("rate", rows_, placement, &now));
  }

  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const override {
    if (level_ != Level::position) return;
    const nb::gil_scoped_acquire gil;
    out = vector(call("phi", rows_, now, nullptr));
  }
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const override {
    if (level_ != Level::velocity) return;
    const nb::gil_scoped_acquire gil;
    const Placement<double> placement = now.placement();
    out = vector(call("phi", rows_, placement, &now));
  }
  void phi(const Placement<Jet>&, Eigen::Ref<VecX<Jet>>) const override { refuse_jets(); }
  void psi(const Movement<Jet>&, Eigen::Ref<VecX<Jet>>) const override { refuse_jets(); }

 private:
  static VecX<> vector(const std::vector<double>& x) {
    return Eigen::Map<const VecX<>>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  std::vector<double> call(const char* what, int count, const Placement<double>& now,
                           const Movement<double>* moving) const {
    return numbers_of(call_on_doubles(law_.law().attr(what), *model_, inputs_, now, moving), count,
                      fmt::format("the function {} of constraint '{}'", what, name_));
  }
  [[noreturn]] void refuse_jets() const {
    throw Error(fmt::format("derivatives of constraint '{}', whose functions know doubles alone", name_),
                "a function on jets");
  }

  std::string name_, unit_;
  Level level_;
  LawInPython law_;
  std::shared_ptr<const Model> model_;
  std::vector<std::string> inputs_;
  int rows_;
  std::vector<int> velocities_;
};

}  // namespace

std::shared_ptr<const Constraint> explicit_constraint(const System& system, const std::string& name, Level level,
                                                      const LawInPython& law, int rows, const std::string& unit) {
  return std::make_shared<ExplicitConstraint>(system, name, level, law, rows, unit);
}

}  // namespace trammel::python
