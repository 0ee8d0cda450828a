#pragma once

#include <unordered_map>

#include "trammel/base/faults.h"
#include "trammel/model/description.h"
#include "trammel/urdf/xml.h"
#include "trammel/xml/mesh_finder.h"

namespace trammel::urdf {

using Color = std::array<double, 4>;

/// Reads visuals, which may refer to meshes beside the file and to materials defined anywhere in it.
class VisualReader {
 public:
  /// Collects the materials first, so that one may be defined after its use. What is wrong with them is added to `faults`.
  VisualReader(const Element& robot, const std::string& file, const std::map<std::string, std::string>& packages,
               Remarks& remarks, Faults& faults);

  Visual read(const Element& visual);

 private:
  void define_materials(const Element& robot, Faults& faults);
  std::optional<Color> color_in(const Element& material);
  std::optional<Color> color_of(const Element& visual);
  Mesh read_mesh(const Element& mesh);

  xml::MeshFinder meshes_;
  Remarks& remarks_;
  std::unordered_map<std::string, Color> colors_;  // by the material's name
};

}  // namespace trammel::urdf
