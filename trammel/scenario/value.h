#pragma once

#include <optional>
#include <span>

#include "trammel/expression/expression.h"
#include "trammel/math/vector.h"
#include "trammel/scenario/node.h"

namespace trammel::scenario {

/// What a number stands for, where a unit would show that something else was meant. Expressions do not carry units: only
/// a number alone ("30 deg") is checked.
enum class Unit { any, none, length, time, angle, mass };

/// A value of the scenario and what it is there, "duration of simulate", so that complaints can say so. The tree must
/// outlive it.
class Value {
 public:
  Value(const Node& node, std::string what) : node_(&node), what_(std::move(what)) {}

  const Node& node() const { return *node_; }
  const std::string& what() const { return what_; }
  const Place& place() const { return node_->place; }
  bool is_text() const { return node_->kind == Node::Kind::text; }
  bool is_list() const { return node_->kind == Node::Kind::list; }
  bool is_map() const { return node_->kind == Node::Kind::map; }

  /// Each refuses values of another kind. A name has up to 200 characters on one line.
  const std::string& text(const std::string& allowed = "a text") const;
  std::string name() const;
  std::string word(std::span<const std::string> known) const;
  bool boolean() const;
  std::vector<Value> list(const std::string& allowed = "a list") const;
  std::vector<Value> list_of(std::size_t count, const std::string& allowed) const;

  double number(const Constants& constants, Unit unit = Unit::any) const;
  double positive(const Constants& constants, Unit unit = Unit::any) const;      // above 0
  double not_negative(const Constants& constants, Unit unit = Unit::any) const;  // 0 or above
  Vec3<> vector(const Constants& constants, Unit unit = Unit::any) const;

  /// "found 'x' as duration of simulate; allowed: …", or another finding.
  [[noreturn]] void refuse(const std::string& allowed) const;
  [[noreturn]] void refuse(const std::string& found, const std::string& allowed) const;
  /// Refuses "30 deg" where a length is asked for.
  void check_unit(Unit unit) const;

 private:
  const Node* node_;
  std::string what_;
};

/// A value that is a map with known keys; refuses unknown ones. `whose` stands in complaints: "simulate".
class Map {
 public:
  Map(const Value& value, std::string whose, std::vector<std::string> known);

  const Place& place() const { return node_->place; }
  const std::string& whose() const { return whose_; }
  bool has(std::string_view key) const { return node_->find(key) != nullptr; }
  std::optional<Value> find(std::string_view key) const;
  Value required(std::string_view key) const;
  /// Complains at the key, which must be there, not at its value.
  [[noreturn]] void refuse_key(std::string_view key, const std::string& found, const std::string& allowed) const;

 private:
  const Node* node_;
  std::string whose_;
};

/// A value that is a map from the user's own names.
struct NamedValue {
  Node::Key key;
  Value value;
};
std::vector<NamedValue> named_values(const Value& value, const std::string& whose);

/// "plane, line or sphere", for complaints.
std::string alternatives(std::span<const std::string> words);

/// Runs what may throw an Error without a place, and puts it at this one.
template <class Work>
decltype(auto) at_place(const Place& place, Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.place().file.empty() && error.place().line == 0) throw error.at(place);
    throw;
  }
}

}  // namespace trammel::scenario
