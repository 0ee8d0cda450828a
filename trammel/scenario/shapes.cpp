#include "trammel/scenario/shapes.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/scenario/geometry.h"

namespace trammel::scenario {
namespace {

using Color = std::array<double, 4>;

constexpr ShapeKind kinds[] = {{"box", 3, "[x, y, z], the whole edges in m"},
                               {"cylinder", 2, "[radius, length] in m"},
                               {"capsule", 2, "[radius, length] in m, without the caps"},
                               {"sphere", 1, "the radius in m"}};

constexpr NamedColor colors[] = {
    {"black", {0.1, 0.1, 0.1}},   {"white", {0.95, 0.95, 0.95}}, {"gray", {0.5, 0.5, 0.5}},
    {"steel", {0.6, 0.63, 0.67}}, {"brass", {0.78, 0.65, 0.3}},  {"copper", {0.72, 0.45, 0.3}},
    {"wood", {0.7, 0.53, 0.34}},  {"red", {0.8, 0.2, 0.18}},     {"orange", {0.93, 0.55, 0.14}},
    {"yellow", {0.93, 0.8, 0.2}}, {"green", {0.27, 0.62, 0.3}},  {"blue", {0.2, 0.43, 0.77}},
    {"purple", {0.5, 0.32, 0.68}}};

Color read_color(const Value& value, const Constants& constants) {
  if (value.is_list()) {
    const std::vector<Value> parts = value.list();
    if (parts.size() != 3 && parts.size() != 4) value.refuse("[red, green, blue] or [red, green, blue, alpha]");
    Color out{0, 0, 0, 1};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      out[i] = parts[i].number(constants, Unit::none);
      if (!(out[i] >= 0 && out[i] <= 1)) parts[i].refuse("0 to 1");
    }
    return out;
  }
  std::vector<std::string> names;
  for (const NamedColor& color : colors) names.emplace_back(color.name);
  const std::string name = value.word(names);
  const auto* const found = std::ranges::find(colors, name, &NamedColor::name);
  return {found->rgb[0], found->rgb[1], found->rgb[2], 1};
}

std::vector<double> read_sizes(const ShapeKind& kind, const Value& value, const Constants& constants) {
  if (kind.numbers == 1) return {value.positive(constants, Unit::length)};
  std::vector<double> out;
  for (const Value& part : value.list_of(kind.numbers, kind.allowed))
    out.push_back(part.positive(constants, Unit::length));
  return out;
}

Visual read_shape(const Value& value, const Vec3<>& com, const Constants& constants) {
  std::vector<std::string> keys, names;
  for (const ShapeKind& kind : kinds) names.emplace_back(kind.key);
  keys = names;
  keys.insert(keys.end(), {"at", "along", "color"});
  const Map map(value, value.what(), keys);
  const ShapeKind* found = nullptr;
  for (const ShapeKind& kind : kinds) {
    if (!map.has(kind.key)) continue;
    if (found != nullptr)
      map.refuse_key(kind.key, fmt::format("both '{}' and '{}' in {}", found->key, kind.key, map.whose()), "one shape");
    found = &kind;
  }
  if (found == nullptr) value.refuse(fmt::format("no shape in {}", value.what()), alternatives(names));
  const std::vector<double> sizes = read_sizes(*found, map.required(found->key), constants);

  Visual out;
  out.at.p = com;
  if (const auto at = map.find("at")) out.at = read_pose(*at, constants);
  if (const auto along = map.find("along")) out.at.R = out.at.R * frame_with_z(read_axis(*along, constants));
  if (const auto color = map.find("color")) out.color = read_color(*color, constants);
  const std::string_view key = found->key;
  if (key == "box") out.shape = Box{{sizes[0], sizes[1], sizes[2]}};
  if (key == "cylinder") out.shape = Cylinder{sizes[0], sizes[1]};
  if (key == "capsule") out.shape = Capsule{sizes[0], sizes[1]};
  if (key == "sphere") out.shape = Sphere{sizes[0]};
  return out;
}

}  // namespace

std::span<const ShapeKind> shape_kinds() { return kinds; }
std::span<const NamedColor> named_colors() { return colors; }

std::vector<Visual> read_shapes(const Map& body, const Vec3<>& com, const Constants& constants) {
  std::vector<Visual> out;
  const auto shape = body.find("shape"), color = body.find("color");
  if (color && !shape)
    body.refuse_key("color", fmt::format("a color of {} without a shape", body.whose()), "shape: {…} beside it");
  if (!shape) return out;
  if (shape->is_list())
    for (const Value& one : shape->list()) out.push_back(read_shape(one, com, constants));
  else
    out.push_back(read_shape(*shape, com, constants));
  if (color) {
    const Color given = read_color(*color, constants);
    for (Visual& visual : out) visual.color = visual.color.value_or(given);
  }
  return out;
}

}  // namespace trammel::scenario
