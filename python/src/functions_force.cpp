#include <algorithm>

#include <fmt/core.h>
#include <nanobind/stl/string.h>

#include "functions.h"
#include "trammel/base/names.h"
#include "trammel/constraints/body_point.h"
#include "trammel/dynamics/frame_motion.h"

namespace trammel::python {
namespace {

// A Python function of doubles that returns numbers, with what it needs to be asked.
struct NumbersLaw {
  std::string whose;
  LawInPython law;
  std::shared_ptr<const Model> model;
  std::vector<std::string> inputs;

  nb::object operator()(const Movement<double>& now) const {
    const Placement<double> placement = now.placement();
    return call_on_doubles(law.law(), *model, inputs, placement, &now);
  }
};

/// A force on the origin of a frame, N along the axes of the world.
class FrameForce final : public Force {
 public:
  FrameForce(NumbersLaw law, const Frame& frame) : law_(std::move(law)), at_(frame) {}
  void add_to(const Model& model, const Movement<double>& now, VecX<>& tau) const override {
    add_generalised_force<double>(model, now.kin, at_.body, at_.wrench<double>(now.kin, force(now)), tau);
  }
  void add_wrenches(const Movement<double>& now, std::span<Vec6<>> wrenches) const override {
    wrenches[at_.body] += at_.wrench<double>(now.kin, force(now));
  }

 private:
  Vec3<> force(const Movement<double>& now) const {
    const nb::gil_scoped_acquire gil;
    const std::vector<double> f = numbers_of(law_(now), 3, law_.whose);
    return {f[0], f[1], f[2]};
  }
  NumbersLaw law_;
  BodyPoint at_;
};

/// Generalised forces, N·m or N: a map by the names of velocities, or all in the order of v.
class GeneralisedForce final : public Force {
 public:
  explicit GeneralisedForce(NumbersLaw law) : law_(std::move(law)) {
    for (int i = 0; i < law_.model->nv(); ++i) names_.push_back(law_.model->velocity_name(i));
  }
  void add_to(const Model&, const Movement<double>& now, VecX<>& tau) const override {
    const nb::gil_scoped_acquire gil;
    const nb::object result = law_(now);
    if (nb::isinstance<nb::dict>(result)) return add_named(nb::cast<nb::dict>(result), tau);
    const std::vector<double> all = numbers_of(result, static_cast<int>(names_.size()), law_.whose);
    for (std::size_t i = 0; i < all.size(); ++i) tau[static_cast<Eigen::Index>(i)] += all[i];
  }

 private:
  void add_named(const nb::dict& result, VecX<>& tau) const {
    for (const auto& [key, value] : result) {
      const std::string name = nb::cast<std::string>(nb::str(key));
      const auto found = std::ranges::find(names_, name);
      if (found == names_.end())
        throw Error(fmt::format("joint '{}' from {}", name, law_.whose), allowed_names(name, names_));
      tau[found - names_.begin()] += numbers_of(value, 1, law_.whose)[0];
    }
  }
  NumbersLaw law_;
  std::vector<std::string> names_;
};

}  // namespace

std::shared_ptr<const Force> function_force(const System& system, const std::string& name, const LawInPython& law,
                                            const std::optional<std::string>& frame) {
  NumbersLaw numbers{fmt::format("the function of force '{}'", name), law, std::make_shared<const Model>(system.model),
                     system.input_names()};
  if (!frame) return std::make_shared<GeneralisedForce>(std::move(numbers));
  const Frame& at = system.model.frame(*frame);
  if (at.body == world)
    throw Error(fmt::format("a force on frame '{}', which cannot move", at.name), "a frame of a body that moves");
  return std::make_shared<FrameForce>(std::move(numbers), at);
}

}  // namespace trammel::python
