#pragma once

#include <array>

#include "trammel/math/pose.h"
#include "trammel/mjcf/source.h"

namespace trammel::mjcf {

/// An element with the defaults of its class: what it does not say itself, they say, the innermost class first.
class Item {
 public:
  Item(const Element& element, std::vector<Element> defaults = {});

  const Element& element() const { return layers_.front(); }
  /// The element first, then the defaults of its class, then those of the classes around that.
  const std::vector<Element>& layers() const { return layers_; }
  Place place() const { return element().place(); }
  std::string description() const { return element().description(); }

  bool has(const char* attribute) const { return where(attribute) != nullptr; }
  std::optional<std::string> text(const char* attribute) const;
  std::string word(const char* attribute, const std::vector<std::string>& known, const char* otherwise) const;
  bool boolean(const char* attribute, bool otherwise) const;
  double number(const char* attribute, double otherwise) const;
  double not_negative(const char* attribute, double otherwise) const;
  std::optional<Vec3<>> vector(const char* attribute) const;
  /// As many numbers as there are, from fewest to most.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t fewest, std::size_t most) const;

  [[noreturn]] void refuse(const char* attribute, const std::string& allowed, const std::string& why = "") const;

 private:
  const Element* where(const char* attribute) const;

  std::vector<Element> layers_;
};

/// The classes of defaults of a model.
class Defaults {
 public:
  Defaults(const Element& root, Source& source);

  /// The element with the defaults of its class, or else of the class that holds there ("" for the outermost), for elements of `tag`.
  Item of(const Element& element, const std::string& childclass, const char* tag) const;
  /// Throws Error unless the class that the attribute names exists.
  std::string class_in(const Element& element, const char* attribute, const std::string& otherwise) const;

 private:
  struct Class {
    std::string parent;
    std::map<std::string, std::vector<Element>, std::less<>> elements;  // by tag, the last first
  };
  void read(const Element& element, const std::string& parent, bool outermost, Source& source);

  std::map<std::string, Class, std::less<>> classes_;
  std::string main_ = "main";
};

/// What <compiler> says about how the rest is read.
struct Settings {
  bool degrees = true, autolimits = true;
  std::string eulerseq = "xyz";
  std::string inertia_from_geom = "auto";
  std::array<double, 2> inertia_groups{0, 5};
  bool balance_inertia = false, align_free = false;
  double bound_mass = 0, bound_inertia = 0, total_mass = -1;  // kg, kg·m², kg; none if negative
  std::string mesh_folder;

  double angle(double given) const;  // rad
};
Settings read_settings(const std::vector<Element>& compilers);

/// The least rotation that takes z to an axis, of unit length; half a turn about x to −z.
Mat3<> least_rotation_to(const Vec3<>& axis);

/// The rotation that quat, axisangle, xyaxes, zaxis or euler gives; none of them: none.
std::optional<Mat3<>> read_rotation(const Item& item, const Settings& settings);
/// pos and the rotation.
Pose<> read_pose(const Item& item, const Settings& settings);
/// A rotation from a quaternion w, x, y, z that need not be normed.
Mat3<> rotation_of(const Item& item, const char* attribute, std::span<const double> wxyz);

}  // namespace trammel::mjcf
