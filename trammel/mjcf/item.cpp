#include "trammel/mjcf/item.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/xml/numbers.h"

namespace trammel::mjcf {

Item::Item(const Element& element, std::vector<Element> defaults) : layers_{element} {
  layers_.insert(layers_.end(), defaults.begin(), defaults.end());
}

const Element* Item::where(const char* attribute) const {
  for (const Element& layer : layers_)
    if (layer.text(attribute)) return &layer;
  return nullptr;
}

void Item::refuse(const char* attribute, const std::string& allowed, const std::string& why) const {
  const Element* said = where(attribute);
  if (said != nullptr) said->refuse(attribute, allowed, why);
  throw Error(place(), fmt::format("no {} of {}", attribute, description()), allowed);
}

std::optional<std::string> Item::text(const char* attribute) const {
  const Element* said = where(attribute);
  return said == nullptr ? std::nullopt : said->text(attribute);
}

std::string Item::word(const char* attribute, const std::vector<std::string>& known, const char* otherwise) const {
  const std::string word = text(attribute).value_or(otherwise);
  if (std::ranges::find(known, word) == known.end()) refuse(attribute, allowed_names(word, known));
  return word;
}

bool Item::boolean(const char* attribute, bool otherwise) const {
  return word(attribute, {"true", "false"}, otherwise ? "true" : "false") == "true";
}

double Item::number(const char* attribute, double otherwise) const {
  const Element* said = where(attribute);
  return said == nullptr ? otherwise : said->number(attribute).value_or(otherwise);
}

double Item::not_negative(const char* attribute, double otherwise) const {
  const double value = number(attribute, otherwise);
  if (value < 0) refuse(attribute, "0 or more");
  return value;
}

std::optional<Vec3<>> Item::vector(const char* attribute) const {
  const Element* said = where(attribute);
  return said == nullptr ? std::nullopt : said->vector(attribute);
}

std::optional<std::vector<double>> Item::numbers(const char* attribute, std::size_t fewest, std::size_t most) const {
  const auto given = text(attribute);
  if (!given) return std::nullopt;
  std::istringstream words(*given);
  std::size_t count = 0;
  for (std::string word; words >> word;) ++count;
  const std::string allowed =
      fewest == most ? xml::finite_numbers(most) : fmt::format("{} to {} finite numbers", fewest, most);
  if (count < fewest || count > most) refuse(attribute, allowed, fmt::format("{} numbers", count));
  std::vector<double> out(count);
  if (const std::string problem = xml::read_numbers(*given, out); !problem.empty()) refuse(attribute, allowed, problem);
  return out;
}

Defaults::Defaults(const Element& root, Source& source) {
  classes_["main"];
  for (const Element& element : source.children(root))
    if (element.tag() == "default") read(element, "", true, source);
}

void Defaults::read(const Element& element, const std::string& parent, bool outermost, Source& source) {
  const std::string name = outermost ? "main" : element.name("class");
  if (outermost) main_ = element.text("class").value_or(main_);
  if (!outermost && classes_.contains(name))
    throw Error(element.place(), fmt::format("a second class '{}' of defaults", name), "a name that no other has");
  Class& own = classes_[name];
  own.parent = parent;
  const std::vector<Element> children = source.children(element);
  for (const Element& child : children)
    if (child.tag() != "default") {
      std::vector<Element>& said = classes_[name].elements[std::string(child.tag())];
      said.insert(said.begin(), child);
    }
  for (const Element& child : children)
    if (child.tag() == "default") read(child, name, false, source);
}

std::string Defaults::class_in(const Element& element, const char* attribute, const std::string& otherwise) const {
  std::string name = element.text(attribute).value_or(otherwise.empty() ? "main" : otherwise);
  if (name == main_) name = "main";
  if (classes_.contains(name)) return name;
  std::vector<std::string> known;
  for (const auto& [other, values] : classes_) known.push_back(other);
  element.refuse(attribute, allowed_names(name, known));
}

Item Defaults::of(const Element& element, const std::string& childclass, const char* tag) const {
  std::vector<Element> layers;
  for (std::string at = class_in(element, "class", childclass); !at.empty(); at = classes_.at(at).parent) {
    const auto& elements = classes_.at(at).elements;
    // the shortcuts of <general> are defaults of one and the same kind: whoever asks for "general" gets them all
    for (const auto& [name, said] : elements)
      if (name == tag ||
          (std::string_view(tag) == "general" && (name == "motor" || name == "position" || name == "velocity")))
        layers.insert(layers.end(), said.begin(), said.end());
  }
  return {element, layers};
}

double Settings::angle(double given) const { return degrees ? given * (M_PI / 180) : given; }

Settings read_settings(const std::vector<Element>& compilers) {
  Settings out;
  for (const Element& element : compilers) {
    const Item item(element);
    const auto boolean = [&](const char* attribute, bool& value) { value = item.boolean(attribute, value); };
    out.degrees = item.word("angle", {"degree", "radian"}, out.degrees ? "degree" : "radian") == "degree";
    boolean("autolimits", out.autolimits);
    boolean("balanceinertia", out.balance_inertia);
    boolean("alignfree", out.align_free);
    item.word("coordinate", {"local"}, "local");
    out.inertia_from_geom = item.word("inertiafromgeom", {"false", "true", "auto"}, out.inertia_from_geom.c_str());
    out.bound_mass = item.not_negative("boundmass", out.bound_mass);
    out.bound_inertia = item.not_negative("boundinertia", out.bound_inertia);
    out.total_mass = item.number("settotalmass", out.total_mass);
    if (const auto groups = item.numbers("inertiagrouprange", 2, 2)) out.inertia_groups = {(*groups)[0], (*groups)[1]};
    out.mesh_folder = item.text("meshdir").value_or(item.text("assetdir").value_or(out.mesh_folder));
    out.eulerseq = item.text("eulerseq").value_or(out.eulerseq);
    if (out.eulerseq.size() != 3 || out.eulerseq.find_first_not_of("xyzXYZ") != std::string::npos)
      item.refuse("eulerseq", "three of x, y, z (axes that turn along) or X, Y, Z (fixed axes)");
  }
  return out;
}

Mat3<> rotation_of(const Item& item, const char* attribute, std::span<const double> wxyz) {
  Quaternion<> q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  if (!(q.norm() > 1e-14)) item.refuse(attribute, "a quaternion that is not zero");
  return rotation_from_quaternion<double>(Quaternion<>(q / q.norm()));
}

namespace {

Vec3<> direction(const Item& item, const char* attribute, const Vec3<>& given) {
  if (!(given.norm() > 1e-14)) item.refuse(attribute, "a vector with a direction");
  return given.normalized();
}

Mat3<> turn(const Vec3<>& axis, double angle) {
  return rotation_from_quaternion<double>(exp_quaternion(Vec3<>(axis * angle)));
}

// eulerseq: lower case turns about axes that turn along, upper case about fixed ones.
Mat3<> from_euler(const Vec3<>& angles, const Settings& settings) {
  Mat3<> R = Mat3<>::Identity();
  for (int i = 0; i < 3; ++i) {
    const char axis = settings.eulerseq[i];
    const bool along = axis >= 'x';
    const Mat3<> step = turn(Vec3<>::Unit(axis - (along ? 'x' : 'X')), settings.angle(angles[i]));
    R = along ? Mat3<>(R * step) : Mat3<>(step * R);
  }
  return R;
}

}  // namespace

Mat3<> least_rotation_to(const Vec3<>& z) {
  Vec3<> axis = cross<double>(Vec3<>(Vec3<>::UnitZ()), z);
  const double sine = axis.norm();
  axis = sine < 1e-10 ? Vec3<>(Vec3<>::UnitX()) : Vec3<>(axis / sine);
  return turn(axis, std::atan2(sine, z[2]));
}

std::optional<Mat3<>> read_rotation(const Item& item, const Settings& settings) {
  int given = 0;
  for (const char* way : {"axisangle", "xyaxes", "zaxis", "euler"}) given += item.element().text(way).has_value();
  if (given > 1) throw Error(item.place(), fmt::format("{} orientations of {}", given, item.description()), "one");
  if (const auto v = item.numbers("axisangle", 4, 4))
    return turn(direction(item, "axisangle", Vec3<>((*v)[0], (*v)[1], (*v)[2])), settings.angle((*v)[3]));
  if (const auto v = item.numbers("xyaxes", 6, 6)) {
    const Vec3<> x = direction(item, "xyaxes", Vec3<>((*v)[0], (*v)[1], (*v)[2]));
    const Vec3<> given_y((*v)[3], (*v)[4], (*v)[5]);
    const Vec3<> y = direction(item, "xyaxes", Vec3<>(given_y - x * x.dot(given_y)));
    Mat3<> R;
    R << x, y, cross<double>(x, y);
    return R;
  }
  if (const auto v = item.vector("zaxis")) return least_rotation_to(direction(item, "zaxis", *v));
  if (const auto v = item.vector("euler")) return from_euler(*v, settings);
  if (const auto v = item.numbers("quat", 4, 4)) return rotation_of(item, "quat", *v);
  return std::nullopt;
}

Pose<> read_pose(const Item& item, const Settings& settings) {
  return {read_rotation(item, settings).value_or(Mat3<>::Identity()), item.vector("pos").value_or(Vec3<>::Zero())};
}

}  // namespace trammel::mjcf
