#include "trammel/urdf/visual.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/urdf/origin.h"
#include "trammel/xml/words.h"

namespace trammel::urdf {
namespace {

double length(const Element& shape, const char* attribute) {
  const double value = shape.required_number(attribute);
  if (value < 0) shape.refuse(attribute, "0 or more");
  return value;
}

Box read_box(const Element& box) {
  const Vec3<> size = box.required_vector("size");
  if (size.minCoeff() < 0) box.refuse("size", "edges of 0 or more");
  return {size};
}

Color within_range(Color color) {
  for (double& part : color) part = std::clamp(part, 0.0, 1.0);
  return color;
}

// The one shape of a <geometry>; what is no shape has been remarked on.
Element only_shape(const Element& geometry) {
  static const std::vector<std::string> shapes{"box", "cylinder", "capsule", "sphere", "mesh"};
  const std::vector<Element> children = geometry.children();
  const auto is_shape = [&](const Element& e) { return std::ranges::find(shapes, e.tag()) != shapes.end(); };
  const auto first = std::ranges::find_if(children, is_shape);
  if (first == children.end()) {
    const std::string other = children.empty() ? "" : std::string(children[0].tag());
    throw Error(geometry.place(),
                fmt::format("{} in {}", other.empty() ? "nothing" : fmt::format("<{}>", shortened(other)),
                            geometry.description()),
                allowed_names(other, shapes));
  }
  const auto second = std::find_if(first + 1, children.end(), is_shape);
  if (second != children.end())
    throw Error(second->place(), fmt::format("a second shape, {}", second->description()),
                "one shape; give the link another <visual>");
  return *first;
}

}  // namespace

VisualReader::VisualReader(const Element& robot, const std::string& file,
                           const std::map<std::string, std::string>& packages, Remarks& remarks, Faults& faults)
    : meshes_(file, packages), remarks_(remarks) {
  define_materials(robot, faults);
}

// The robot's own materials come first; one that a link defines for itself serves the others that name it, too.
void VisualReader::define_materials(const Element& robot, Faults& faults) {
  std::unordered_map<std::string, int> lines;
  const std::vector<Element> children = robot.children();
  for (const Element& material : children) {
    if (material.tag() != "material") continue;
    faults.attempt([&] {
      const std::string name = material.name();
      const auto [first, is_new] = lines.emplace(name, material.place().line);
      if (!is_new)
        throw Error(material.place(),
                    fmt::format("a second {} (the first is in line {})", material.description(), first->second),
                    "a name that no other material has");
      if (const std::optional<Color> color = color_in(material)) colors_.emplace(name, *color);
    });
  }
  for (const Element& link : children) {
    if (link.tag() != "link") continue;
    for (const Element& visual : link.children()) {
      if (visual.tag() != "visual") continue;
      const std::optional<Element> material = visual.child("material");
      const std::string name = material ? material->text("name").value_or("") : "";
      if (name.empty() || !material->child("color")) continue;
      faults.attempt(
          [&] { colors_.emplace(name, within_range(material->child("color")->required_four_numbers("rgba"))); });
    }
  }
}

std::optional<Color> VisualReader::color_in(const Element& material) {
  const std::optional<Element> element = material.child("color");
  if (!element) return std::nullopt;
  const Color given = element->required_four_numbers("rgba");
  const Color color = within_range(given);
  if (color != given)
    remarks_.add(element->place(), {"color has parts outside of 0 … 1, which are cut to it",
                                    "colors have parts outside of 0 … 1, which are cut to it"});
  return color;
}

// The material's own colour, else that of the material of this name; a name alone need not be defined.
std::optional<Color> VisualReader::color_of(const Element& visual) {
  const std::optional<Element> material = visual.child("material");
  if (!material) return std::nullopt;
  if (const std::optional<Color> own = color_in(*material)) return own;
  const std::string name = material->text("name").value_or("");
  if (const auto known = colors_.find(name); known != colors_.end()) return known->second;
  remarks_.add(material->place(), "material without color", [&]() -> Remarks::Wording {
    return {fmt::format("visual has a material whose color is given nowhere ('{}')", shortened(name)),
            fmt::format("visuals have materials whose color is given nowhere (the first is '{}')", shortened(name))};
  });
  return std::nullopt;
}

Mesh VisualReader::read_mesh(const Element& mesh) {
  Mesh out;
  out.file = mesh.required_text("filename", "the name of a mesh file");
  out.path = meshes_.find(out.file, mesh.place_of("filename"), remarks_);
  out.scale = mesh.vector("scale").value_or(Vec3<>::Ones());
  return out;
}

Visual VisualReader::read(const Element& visual) {
  Visual out;
  out.at = read_origin(visual);
  out.color = color_of(visual);
  const Element shape = only_shape(visual.required_child("geometry"));
  if (shape.tag() == "box") out.shape = read_box(shape);
  if (shape.tag() == "cylinder") out.shape = Cylinder{length(shape, "radius"), length(shape, "length")};
  if (shape.tag() == "capsule") out.shape = Capsule{length(shape, "radius"), length(shape, "length")};
  if (shape.tag() == "sphere") out.shape = Sphere{length(shape, "radius")};
  if (shape.tag() == "mesh") out.shape = read_mesh(shape);
  return out;
}

}  // namespace trammel::urdf
