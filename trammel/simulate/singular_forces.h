#pragma once

#include "trammel/motion/row_strength.h"

namespace trammel {

/// Which forces of a run are singular at a state, and so are not shown as forces: those of the constraints that RowStrength marks, and
/// what these are part of, Qc at the velocities and the reactions in the joints on the way from their bodies to the world. What motors give
/// is theirs whatever the constraints do. Of a problem that is given by its matrices nothing is known: none is singular.
class SingularForces {
 public:
  SingularForces(const Problem& problem, RowStrength& strength);

  /// Looks at the state of the factors. Next to nothing where no force is singular; allocates nothing.
  void look(Data& data);

  /// At the state that was last looked at: whether there are any, and which.
  bool any() const { return any_; }
  bool constraint(int i) const { return any_ && constraints_[i]; }                  // of problem.held()
  bool row(const RowInfo& row) const { return any_ && singular_[row.constraint]; }  // one of the problem's
  bool velocity(int c) const { return any_ && velocities_[c]; }                     // Qc there
  bool joint(int body) const { return any_ && joints_[body]; }  // the reaction in the joint of a body

 private:
  void load(const Model& model, const Constraint& law);

  RowStrength& strength_;
  bool any_ = false;
  std::int64_t factor_ = -2;    // the stamp of the factors that were last looked at
  std::vector<bool> singular_;  // of all constraints of the system
  std::vector<bool> constraints_, velocities_, joints_;
};

}  // namespace trammel
