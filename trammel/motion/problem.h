#pragma once

#include <cassert>
#include <memory>
#include <span>

#include "trammel/base/indirect.h"
#include "trammel/motion/motion.h"

namespace trammel {

struct Branch;
struct MatrixSystem;

/// What a row is for.
enum class Role {
  constraint,  // holds whatever happens
  control,     // is asked for: by itself, or by the motors that track it
  motion       // the same, and leads one joint along a path
};

/// One row of a problem. The one place where its name is made and its kind decided.
struct RowInfo {
  std::string name;     // "loop[2]" for the third row of "loop"; the constraint's name alone where it has but one row
  int constraint, row;  // its place: row `row` of the system's constraint `constraint`
  Layer layer;
  Level level;
  Role role;
  std::string_view unit;  // of φ: "m" or "rad"; empty where none is known. ψ, at velocity level, is so many per second
};

/// A coordinate, a velocity, a motor or an input of a problem.
struct VariableInfo {
  std::string name;       // "shoulder"; "base[2]" of a joint with several
  std::string_view unit;  // "rad", "m/s", "N·m"; empty where it has none or none is known
};

/// Rows that are solved together, physical ones first: which they are, and where the columns of Y = L⁻¹Aᵀ are not zero.
struct RowSet {
  /// The physical rows of a system, with or without its control rows.
  RowSet(const System& system, bool with_control);
  /// All rows of a system that is given by its matrices: Y has no known zeros.
  explicit RowSet(const MatrixSystem& system);

  std::vector<int> constraints;  // by their index in the system
  std::vector<int> first_row;    // of constraints[i]
  int rows = 0, physical_rows = 0;
  Indirect<std::vector<Branch>> branches;  // the bodies that feel constraints[i]; rows as its group in the QR has them
  std::vector<std::vector<int>> direct_rows;  // likewise, of the velocities on which it acts directly
  VecX<> weight;  // by which each row is multiplied, to be a length: its own scale, or one over its usual gradient
  void weigh(const System& system);  // fills it, and tells the QR the scale that users gave their rows
  bool has_working_forces = false;
  Indirect<LayeredQr> qr;  // of no Y yet: the column groups
};

/// A system with the options under which it is solved, checked and laid out once: which rows hold, which are asked for, in which
/// order, with which weights and names. Immutable and shared between threads; a handle, cheap to copy. What changes from state to
/// state is in Data.
class Problem {
 public:
  /// The system: a tree, or one that is given by its matrices. Asking for the other is a mistake.
  bool is_tree() const { return seen().system; }
  const System& system() const {
    assert(is_tree());
    return *seen_.system;
  }
  const MatrixSystem& matrices() const;
  const MotionOptions& options() const { return *seen().options; }
  /// Baumgarte's gains of a constraint: its own, or else those of the options.
  const Baumgarte& baumgarte(int constraint) const {
    const std::optional<Baumgarte>& own = system().constraints[constraint].baumgarte;
    return own ? *own : options().baumgarte;
  }

  /// The numbers that can be changed by name (parameters.h), as the author gave them; none where the system's source does not know them.
  std::vector<Parameter> parameters() const;
  /// The same problem with other numbers, besides those that were changed before, as if it were compiled anew with the same options.
  /// Throws Error where a change is of no parameter, or changes more than numbers.
  Problem with(const Changes& changes) const;
  /// What differs from what the author gave.
  const Changes& changes() const;

  /// By which moments are divided to be compared with forces, m: the radius of gyration of the bodies about their own centres,
  /// ℓ² = Σ ½ tr I / Σ m. Where they have none: the longest way from a joint to the mass centre or to the next joint; else 1.
  double moment_length() const { return seen().moment_length; }

  int nq() const;
  int nv() const;

  /// Every row: those that the plant holds, then those that are asked for.
  const RowSet& asked() const { return *seen().asked; }
  /// The rows that hold by themselves: all of them, unless motors track the control rows. They are the first of asked().
  const RowSet& held() const { return *seen().held; }
  /// Those of held() that speak of places: rows at velocity level have no say in where things are.
  std::span<const int> position_rows() const;
  /// Whether motors track control rows: the system has both.
  bool driven() const;

  /// Of asked(), row by row.
  std::span<const RowInfo> rows() const;
  std::span<const VariableInfo> coordinates() const;
  std::span<const VariableInfo> velocities() const;
  /// The motors that track rows; none where nothing is driven.
  std::span<const VariableInfo> motors() const;
  /// Numbers that are set from outside while the system moves. An Error names the nearest input.
  std::span<const VariableInfo> inputs() const;
  int input(std::string_view name) const;

  /// The coordinates that are the same angle a whole turn later, for every constraint and joint spring. A run takes whole turns
  /// off them, so that they keep their digits.
  std::span<const int> endless() const;

 private:
  friend Problem compile(System system, const MotionOptions& options);
  friend Problem compile(MatrixSystem system, const MotionOptions& options);
  struct Compiled;
  explicit Problem(std::shared_ptr<const Compiled> compiled);
  const Compiled& compiled() const;

  // What every evaluation asks for, at hand.
  struct Seen {
    const System* system;  // none where it is given by its matrices
    const MotionOptions* options;
    const RowSet *asked, *held;
    double moment_length;
  };
  // A Problem that was moved from has nothing to say.
  const Seen& seen() const {
    assert(compiled_);
    return seen_;
  }

  std::shared_ptr<const Compiled> compiled_;
  Seen seen_;
};

/// Throws Error where the system names what its model does not have, or the options make no sense.
Problem compile(System system, const MotionOptions& options = {});
Problem compile(MatrixSystem system, const MotionOptions& options = {});

}  // namespace trammel
