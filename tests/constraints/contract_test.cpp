#include "trammel/constraints/contract.h"

#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "constraints/in_lanes.h"
#include "support/random_robot.h"
#include "support/seeds.h"
#include "support/worst.h"
#include "trammel/constraints/aligned.h"
#include "trammel/constraints/axis_on_path.h"
#include "trammel/constraints/checks.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/distance.h"
#include "trammel/constraints/fixed_angle.h"
#include "trammel/constraints/hinge_closure.h"
#include "trammel/constraints/jet_equation.h"
#include "trammel/constraints/joint_coupling.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/constraints/knife_edge.h"
#include "trammel/constraints/orientation_on_path.h"
#include "trammel/constraints/point_on_cylinder.h"
#include "trammel/constraints/point_on_line.h"
#include "trammel/constraints/point_on_path.h"
#include "trammel/constraints/point_on_plane.h"
#include "trammel/constraints/point_on_sphere.h"
#include "trammel/constraints/rolling.h"
#include "trammel/constraints/slide_closure.h"
#include "trammel/constraints/weld.h"
#include "trammel/math/lanes.h"

namespace trammel {
namespace {

using namespace trammel::test;

/// A kind of constraint, and how to make a random one on a model.
struct Kind {
  const char* name;
  std::function<std::unique_ptr<Constraint>(Random&, const Model&)> make;
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

BodyPoint any_point(Random& random, const Model& model) {
  return {random.integer(-1, model.body_count() - 1), random.vector(0.5)};
}
BodyPoint moving_point(Random& random, const Model& model) {
  return {random.integer(0, model.body_count() - 1), random.vector(0.5)};
}
BodyDirection any_direction(Random& random, const Model& model) {
  return {random.integer(-1, model.body_count() - 1), random.direction()};
}
Frame any_frame(Random& random, const Model& model) {
  return {"frame", random.integer(-1, model.body_count() - 1), random.pose(0.5)};
}

/// Motions whose three derivatives all count.
ScalarPath any_path(Random& random) {
  const double a = random.uniform(-1, 1), w = random.uniform(0.5, 2), c = random.uniform(-1, 1);
  return [=](const Jet& t) { return a * sin(w * t) + c * t * t; };
}
VectorPath any_vector_path(Random& random) {
  const ScalarPath x = any_path(random), y = any_path(random), z = any_path(random);
  return [=](const Jet& t) { return Vec3<Jet>(x(t), y(t), z(t)); };
}

/// Coordinates whose rates are velocities, in random order; there may be none.
std::vector<int> simple_coordinates(Random& random, const Model& model) {
  std::vector<int> out;
  for (const Body& body : model.bodies())
    for (int k = 0; k < body.nv; ++k)
      if (!drives_quaternion(body.type, k)) out.push_back(body.q + k);
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random.integer(0, static_cast<int>(i) - 1)]);
  return out;
}

const Kind kinds[] = {
    {"distance",
     [](Random& random, const Model& model) {
       return std::make_unique<Distance>(any_point(random, model), moving_point(random, model), 0.7);
     }},
    {"coincident",
     [](Random& random, const Model& model) {
       return std::make_unique<Coincident>(any_point(random, model), any_point(random, model));
     }},
    {"coincident along body axes",
     [](Random& random, const Model& model) {
       const Mat3<> R = random.rotation();
       return std::make_unique<Coincident>(any_point(random, model), any_point(random, model),
                                           random.integer(-1, model.body_count() - 1),
                                           R.leftCols(random.integer(1, 3)));
     }},
    {"knife edge",
     [](Random& random, const Model& model) {
       return std::make_unique<KnifeEdge>(moving_point(random, model), random.direction());
     }},
    {"fixed angle",
     [](Random& random, const Model& model) {
       return std::make_unique<FixedAngle>(any_direction(random, model), any_direction(random, model), 1.1);
     }},
    {"aligned",
     [](Random& random, const Model& model) {
       return std::make_unique<Aligned>(any_direction(random, model), any_direction(random, model));
     }},
    {"weld",
     [](Random& random, const Model& model) {
       return std::make_unique<Weld>(any_frame(random, model), any_frame(random, model));
     }},
    {"hinge closure",
     [](Random& random, const Model& model) {
       return std::make_unique<HingeClosure>(any_frame(random, model), any_frame(random, model));
     }},
    {"slide closure",
     [](Random& random, const Model& model) {
       return std::make_unique<SlideClosure>(any_frame(random, model), any_frame(random, model));
     }},
    {"joint coupling",
     [](Random& random, const Model& model) -> std::unique_ptr<Constraint> {
       std::vector<JointCoupling::Term> terms;
       for (const int q : simple_coordinates(random, model))
         if (terms.size() < 3) terms.push_back({q, random.uniform(0.5, 3)});
       if (terms.empty()) return nullptr;
       return std::make_unique<JointCoupling>(model, terms, any_path(random));
     }},
    {"joint speed",
     [](Random& random, const Model& model) {
       return std::make_unique<JointSpeed>(model, random.integer(0, model.nv() - 1), any_path(random));
     }},
    {"point on path",
     [](Random& random, const Model& model) {
       return std::make_unique<PointOnPath>(moving_point(random, model), any_vector_path(random));
     }},
    {"point on path in a body",
     [](Random& random, const Model& model) {
       const PointOnPath::Axes axes{true, random.integer(0, 1) == 1, random.integer(0, 1) == 1};
       return std::make_unique<PointOnPath>(moving_point(random, model), any_vector_path(random),
                                            any_frame(random, model), axes);
     }},
    {"point held at a place of a body",
     [](Random& random, const Model& model) {
       return std::make_unique<PointOnPath>(moving_point(random, model), random.vector(), any_frame(random, model));
     }},
    {"orientation on path",
     [](Random& random, const Model& model) {
       return std::make_unique<OrientationOnPath>(any_frame(random, model),
                                                  zyz_path(any_path(random), any_path(random), any_path(random)));
     }},
    {"orientation on path without a tilt",
     [](Random& random, const Model& model) {
       const ScalarPath zero = [](const Jet&) { return Jet(0); };
       return std::make_unique<OrientationOnPath>(any_frame(random, model),
                                                  zyz_path(any_path(random), zero, any_path(random)));
     }},
    {"axis on path",
     [](Random& random, const Model& model) {
       const VectorPath path = any_vector_path(random);
       const Vec3<Jet> away(5, 0, 0);  // not through zero
       return std::make_unique<AxisOnPath>(any_direction(random, model),
                                           [=](const Jet& t) -> Vec3<Jet> { return path(t) + away * (1 + t * t); });
     }},
    {"point on plane",
     [](Random& random, const Model& model) {
       return std::make_unique<PointOnPlane>(moving_point(random, model), any_point(random, model), random.direction());
     }},
    {"point on line",
     [](Random& random, const Model& model) {
       return std::make_unique<PointOnLine>(moving_point(random, model), any_point(random, model), random.direction());
     }},
    {"point on cylinder",
     [](Random& random, const Model& model) {
       return std::make_unique<PointOnCylinder>(moving_point(random, model), any_point(random, model),
                                                random.direction(), 0.4);
     }},
    {"point on sphere",
     [](Random& random, const Model& model) {
       return std::make_unique<PointOnSphere>(moving_point(random, model), any_point(random, model), 0.4);
     }},
    {"rolling disc",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingDisc>(moving_point(random, model), random.direction(), 0.3,
                                            any_point(random, model), random.direction());
     }},
    {"rolling wheel",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingWheel>(moving_point(random, model), random.direction(), 0.3, 0.05,
                                             any_point(random, model), random.direction());
     }},
    {"rolling sphere",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingSphere>(moving_point(random, model), 0.3, any_point(random, model),
                                              random.direction());
     }},
    {"disc on a sphere",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingDisc>(moving_point(random, model), random.direction(), 0.2,
                                            Ground::sphere(any_point(random, model), 0.5, Ground::Side::outside));
     }},
    {"wheel inside a sphere",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingWheel>(moving_point(random, model), random.direction(), 0.2, 0.05,
                                             Ground::sphere(any_point(random, model), 0.7, Ground::Side::inside));
     }},
    {"ball on a sphere",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingSphere>(moving_point(random, model), 0.2,
                                              Ground::sphere(any_point(random, model), 0.5, Ground::Side::outside));
     }},
    {"ball inside a cylinder",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingSphere>(
           moving_point(random, model), 0.2,
           Ground::cylinder(any_point(random, model), random.direction(), 0.5, Ground::Side::inside));
     }},
    {"ball on a cylinder",
     [](Random& random, const Model& model) {
       return std::make_unique<RollingSphere>(
           moving_point(random, model), 0.2,
           Ground::cylinder(any_point(random, model), random.direction(), 0.5, Ground::Side::outside));
     }},
    {"jet equation of places",
     [](Random& random, const Model& model) {
       std::vector<Quantity> x{Quantity::point(moving_point(random, model), random.direction()),
                               Quantity::point(any_point(random, model), random.direction())};
       for (const int q : simple_coordinates(random, model)) x.push_back(Quantity::coordinate(model, q));
       return std::make_unique<JetEquation>(x, [](std::span<const Jet> u, const Jet& t) {
         Jet sum = u[0] * u[1] * cos(t) + t * t * u[0];
         for (const Jet& xi : u) sum += sin(xi * t) * u[0];
         return sum;
       });
     }},
    {"jet equation of speeds",
     [](Random& random, const Model& model) {
       const BodyPoint P = moving_point(random, model);
       const Vec3<> axis = random.direction();
       std::vector<Quantity> x{Quantity::point_velocity(P, axis), Quantity::point(P, axis),
                               Quantity::speed(model, random.integer(0, model.nv() - 1)),
                               Quantity::point_velocity(any_point(random, model), random.direction())};
       return std::make_unique<JetEquation>(x, [](std::span<const Jet> u, const Jet& t) {
         return u[0] * u[0] * u[1] + u[2] * u[3] * t - u[2] * u[2] + sin(u[1] * t) * u[3];
       });
     }},
};

class EveryKind : public testing::TestWithParam<Kind> {};

TEST_P(EveryKind, KeepsTheContractAlongRandomMotionsOfTreesWithEveryJoint) {
  Random random(11);
  Worst worst(GetParam().name);
  for (int i = 0, all = cases(300); i < all; ++i) {
    const Model model = build_model(random_robot(random, random.integer(1, 8)));
    const std::unique_ptr<Constraint> constraint = GetParam().make(random, model);
    if (!constraint) continue;  // the model has no coordinate for it
    const VecX<> q = random_configuration(random, model);
    const VecX<> v = random.vector(model.nv(), 2), vdot = random.vector(model.nv(), 2);
    worst.see(check_contract(model, *constraint, q, v, vdot, random.uniform(0, 3)).worst());
  }
  // accelerations of a tree of eight bodies at speeds of some rad/s are sums of hundreds of terms up to about 100; where a
  // distance comes near zero, or a disc near lying flat, its direction loses digits in proportion
  EXPECT_LT(worst.value(), 1e-11);
}

TEST_P(EveryKind, HasTheSameRowsInLanesUnlessItsLawIsAFunctionOnJets) {
  const bool on_jets = std::string_view(GetParam().name).starts_with("jet equation");
  Random random(12);
  Worst worst(GetParam().name + std::string(" in lanes"));
  for (int i = 0, all = cases(300); i < all; ++i) {
    const Model model = build_model(random_robot(random, random.integer(1, 8)));
    const std::unique_ptr<Constraint> constraint = GetParam().make(random, model);
    if (!constraint) continue;
    ASSERT_EQ(constraint->in_lanes() == nullptr, on_jets);  // those are asked state by state
    if (on_jets) return;
    MatX<> q(model.nq(), lane_count), v(model.nv(), lane_count);
    for (int lane = 0; lane < lane_count; ++lane) {
      q.col(lane) = random_configuration(random, model);
      v.col(lane) = random.vector(model.nv(), 2);
    }
    worst.see(difference_in_lanes(model, *constraint, q, v, random.uniform(0, 3)));
  }
  EXPECT_LT(worst.value(), 1e-11);  // as above
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(kinds), [](const auto& test) {
  std::string name = test.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace trammel
