#include <algorithm>

#include <fmt/core.h>

#include "functions.h"
#include "trammel/constraints/bias_jets.h"
#include "trammel/model/configuration.h"

namespace trammel::python {
namespace {

using Of = Sight::Of;

// What a law looks at, each with the place of its first number among all.
struct Sights {
  std::vector<Sight> all{};
  std::vector<int> first{};
  int size = 0;
  bool time = false;
  std::vector<std::string> input_names{};

  int find(Of of, const std::string& name) const {
    const auto found =
        std::ranges::find_if(all, [&](const Sight& sight) { return sight.of == of && sight.name == name; });
    return found == all.end() ? -1 : static_cast<int>(found - all.begin());
  }
  void add(const Sight& sight) {
    all.push_back(sight);
    first.push_back(size);
    size += sight.size();
  }
  Level level() const {
    const bool moving = std::ranges::any_of(all, [](const Sight& s) { return s.level() == Level::velocity; });
    return moving ? Level::velocity : Level::position;
  }
};

void append(const Vec3<Jet>& u, std::vector<Jet>& out) { out.insert(out.end(), {u[0], u[1], u[2]}); }

// The sight's numbers as they move at v̇ = 0; at velocity level (x, ẋ at v̇ = 0, not known).
std::vector<Jet> look_ahead(const Sight& sight, const Movement<double>& now) {
  if (sight.of == Of::coordinate) return {Jet(now.q[sight.q], now.v[sight.v])};
  if (sight.of == Of::speed) return {Jet(now.v[sight.v])};
  std::vector<Jet> out;
  const BodyPoint P(sight.frame);
  if (sight.of == Of::position) append(position_jets(now.kin, P), out);
  if (sight.of == Of::velocity) append(rates(position_jets(now.kin, P)), out);
  if (sight.of == Of::angular_velocity) append(angular_velocity_jets(now.kin, P.body), out);
  if (sight.of == Of::axes)
    for (int j = 0; j < 3; ++j) append(direction_jets(now.kin, BodyDirection{P.body, sight.frame.X_BF.R.col(j)}), out);
  return out;
}

nb::object as_jets(std::span<const Traced> numbers) {
  std::vector<nb::object> objects;
  for (const Traced& number : numbers) objects.push_back(nb::cast(number));
  return as_array(objects, true);
}

// Finds out what a law looks at, in a first call. Its branches cannot depend on the state, since jets are not compared: it looks at the
// same in every call.
class FirstMoment final : public Moment {
 public:
  FirstMoment(const Model& model, Sights& sights, const Movement<double>& now)
      : Moment(sights.input_names, now.inputs), model_(&model), sights_(&sights), now_(&now) {}
  nb::object see(Of of, const std::string& name) override {
    if (sights_ == nullptr)
      throw Error(described(of, name) + " after the call of the function", "to look during the call");
    if (sights_->find(of, name) < 0) sights_->add(find_sight(*model_, of, name));
    std::vector<Traced> numbers;
    for (const Jet& u : look_ahead(sights_->all[sights_->find(of, name)], *now_)) numbers.push_back({u});
    return as_jets(numbers);
  }
  nb::object time() override {
    if (sights_ != nullptr) sights_->time = true;
    return nb::cast(Traced{Jet(0, 1)});
  }
  void end() { sights_ = nullptr; }

 private:
  const Model* model_;
  Sights* sights_;
  const Movement<double>* now_;
};

// Any other call.
class LawMoment final : public Moment {
 public:
  LawMoment(std::shared_ptr<const Sights> sights, std::vector<Traced> numbers, const Jet& t,
            std::span<const double> inputs)
      : Moment(sights->input_names, inputs), sights_(std::move(sights)), numbers_(std::move(numbers)), t_(t) {}
  nb::object see(Of of, const std::string& name) override {
    const int i = sights_->find(of, name);
    if (i < 0)
      throw Error(
          fmt::format("a constraint's function that looks at {}, and did not in its first call", described(of, name)),
          "a function that looks at the same in every call");
    return as_jets(std::span(numbers_).subspan(sights_->first[i], sights_->all[i].size()));
  }
  nb::object time() override { return nb::cast(Traced{t_}); }

 private:
  std::shared_ptr<const Sights> sights_;
  std::vector<Traced> numbers_;
  Jet t_;
};

// What the function returned, row by row.
std::vector<Traced> rows_of(nb::handle result, const std::string& name) {
  const auto refuse = [&](nb::handle item) {
    throw Error(fmt::format("{} from the function of constraint '{}'", nb::type_name(item.type()).c_str(), name),
                "a jet, or a list or array of jets, one a row");
  };
  if (const auto alone = traced(result)) return {*alone};
  if (nb::isinstance<nb::str>(result) || nb::isinstance<nb::dict>(result) || !nb::hasattr(result, "__iter__"))
    refuse(result);
  std::vector<Traced> rows;
  for (const nb::handle item : nb::borrow(result)) {
    const auto row = traced(item);
    if (!row) refuse(item);
    rows.push_back(*row);
  }
  return rows;
}

/// φ(x) = 0, row by row, with x the numbers that the function looks at; at velocity level if a velocity is among them. The function is called
/// on jets: φ of the numbers as they move at v̇ = 0 is (φ, φ̇, −b), and its slopes ∂φ/∂xᵢ times the rows of the xᵢ make A. The row of xᵢ is what
/// multiplies v̇ in ẍᵢ (in ẋᵢ at velocity level): 1 on a joint's velocity; the unit force at a frame's origin; for the axis e of a frame along
/// the direction d of the world the moment e × d; for its angular velocity the moment d.
class FunctionConstraint final : public Constraint {
 public:
  FunctionConstraint(const System& system, std::string name, LawInPython law, int rows, std::string unit)
      : name_(std::move(name)), unit_(std::move(unit)), law_(std::move(law)), rows_(rows) {
    look_first(system);
    find_slots();
    check_result(system);
  }

  int rows() const override { return rows_; }
  Level level(int) const override { return level_; }
  std::span<const int> bodies() const override { return bodies_; }
  std::span<const int> velocities() const override { return velocities_; }
  double row_scale(int) const override { return 1; }
  std::string_view unit(int) const override { return unit_; }
  bool is_catastatic() const override { return level_ == Level::position && !sights_->time; }
  BodyPoint point_of_force(const Positions<>&) const override {
    for (const Sight& sight : sights_->all)
      if (!sight.of_joint() && sight.frame.body != world) return BodyPoint(sight.frame);
    return {};
  }

  void evaluate(const Movement<double>& now, Rows& out) const override {
    const std::vector<Traced> rows = call(ahead(now), Jet(now.t, 1), now.inputs);
    out.clear();
    for (int k = 0; k < rows_; ++k) {
      if (level_ == Level::position)
        write_position_row(rows[k].u, k, out);
      else
        write_velocity_row(rows[k].u, k, out);
      if (rows[k].slopes.empty()) continue;
      for (std::size_t i = 0; i < sights_->all.size(); ++i)
        if (sights_->all[i].level() == level_) add_row(i, &rows[k].slopes[sights_->first[i]], now.kin, k, out);
    }
  }

  void phi(const Placement<double>& now, Eigen::Ref<VecX<double>> out) const override {
    if (level_ == Level::position) put(now, out, [](const Traced& row) { return row.u.x; });
  }
  void phi(const Placement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override {
    if (level_ == Level::position) put(now, out, [](const Traced& row) { return row.u; });
  }
  void psi(const Movement<double>& now, Eigen::Ref<VecX<double>> out) const override {
    if (level_ == Level::velocity) put(now, out, [](const Traced& row) { return row.u.x; });
  }
  void psi(const Movement<Jet>& now, Eigen::Ref<VecX<Jet>> out) const override {
    if (level_ == Level::velocity) put(now, out, [](const Traced& row) { return row.u; });
  }

 private:
  // Calls with how the system stands at its zero.
  template <class Use>
  static void at_zero(const System& system, const Use& use) {
    const VecX<> q = neutral_configuration(system.model), v = VecX<>::Zero(system.model.nv());
    Kinematics<> kin(system.model);
    kinematics<double>(system.model, q, v, kin);
    const std::vector<double> inputs = system.input_values();
    use(Movement<double>{kin, q, v, 0, inputs});
  }

  void look_first(const System& system) {
    Sights sights{.input_names = system.input_names()};
    at_zero(system, [&](const Movement<double>& now) {
      auto* const moment = new FirstMoment(system.model, sights, now);
      const nb::object argument = handed(moment);
      struct End {
        FirstMoment& moment;
        ~End() { moment.end(); }
      } const end{*moment};
      const int found = static_cast<int>(rows_of(law_.law()(argument), name_).size());
      if (rows_ == 0) rows_ = found;
    });
    if (rows_ == 0) throw Error(fmt::format("no row from the function of constraint '{}'", name_), "one jet or more");
    level_ = sights.level();
    sights_ = std::make_shared<const Sights>(std::move(sights));
  }

  void find_slots() {
    const auto slot_in = [](std::vector<int>& list, int item) {
      const auto found = std::ranges::find(list, item);
      const int slot = static_cast<int>(found - list.begin());
      if (found == list.end()) list.push_back(item);
      return slot;
    };
    for (const Sight& sight : sights_->all)
      slots_.push_back(sight.of_joint() ? slot_in(velocities_, sight.v) : slot_in(bodies_, sight.frame.body));
  }

  void check_result(const System& system) const {
    at_zero(system, [&](const Movement<double>& now) {
      const std::vector<Traced> rows = call(ahead(now), Jet(0, 1), now.inputs);
      for (int k = 0; k < rows_; ++k)
        if (rows[k].slopes.empty())
          throw Error(fmt::format("row {} of constraint '{}', which does not depend on {}", k, name_,
                                  level_ == Level::position ? "where the robot is" : "how the robot moves"),
                      "a function of the jets that it is given (not of their .value)");
    });
  }

  std::vector<Traced> ahead(const Movement<double>& now) const {
    std::vector<Traced> numbers;
    for (const Sight& sight : sights_->all)
      for (const Jet& u : look_ahead(sight, now)) {
        numbers.push_back({u});
        if (sight.level() != level_) continue;
        numbers.back().slopes.resize(sights_->size);
        numbers.back().slopes[numbers.size() - 1] = 1;
      }
    return numbers;
  }

  std::vector<Traced> call(std::vector<Traced> numbers, const Jet& t, std::span<const double> inputs) const {
    const nb::gil_scoped_acquire gil;
    const nb::object argument = handed(new LawMoment(sights_, std::move(numbers), t, inputs));
    std::vector<Traced> rows = rows_of(law_.law()(argument), name_);
    if (static_cast<int>(rows.size()) != rows_)
      throw Error(
          fmt::format("{} row{} from the function of constraint '{}'", rows.size(), rows.size() == 1 ? "" : "s", name_),
          std::to_string(rows_));
    return rows;
  }

  template <class Now, class Out, class Part>
  void put(const Now& now, Out& out, const Part& part) const {
    std::vector<Traced> numbers;
    for (const Sight& sight : sights_->all)
      for (const auto& x : look(sight, now)) numbers.push_back({x});
    const std::vector<Traced> rows = call(std::move(numbers), now.t, now.inputs);
    for (int k = 0; k < rows_; ++k) out[k] = part(rows[k]);
  }

  void add_row(std::size_t i, const double* slopes, const Positions<>& where, int k, Rows& out) const {
    const Sight& sight = sights_->all[i];
    if (sight.of_joint()) {
      out.coefficients(k, slots_[i]) += slopes[0];
      return;
    }
    const Vec3<> g(slopes[0], slopes[1], slopes[2]);
    auto wrench = out.wrench(slots_[i], k);
    if (sight.of == Of::position || sight.of == Of::velocity)
      wrench += BodyPoint(sight.frame).wrench<double>(where, g);
    else if (sight.of == Of::angular_velocity)
      wrench.head<3>() += g;
    else
      for (int j = 0; j < 3; ++j) {
        const Vec3<> e = BodyDirection{sight.frame.body, sight.frame.X_BF.R.col(j)}.direction(where);
        wrench.head<3>() += cross<double>(e, Vec3<>(slopes[3 * j], slopes[3 * j + 1], slopes[3 * j + 2]));
      }
  }

  std::string name_, unit_;
  LawInPython law_;
  int rows_;
  Level level_ = Level::position;
  std::shared_ptr<const Sights> sights_;
  std::vector<int> bodies_, velocities_, slots_;  // slots: of each sight, in one of the two
};

}  // namespace

std::shared_ptr<const Constraint> function_constraint(const System& system, const std::string& name,
                                                      const LawInPython& law, int rows, const std::string& unit) {
  return std::make_shared<FunctionConstraint>(system, name, law, rows, unit);
}

}  // namespace trammel::python
