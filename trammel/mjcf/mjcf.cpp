#include "trammel/mjcf/mjcf.h"

#include <filesystem>

#include "trammel/mjcf/transmission.h"
#include "trammel/xml/file.h"

namespace trammel {
namespace {

std::vector<mjcf::Element> sections(const mjcf::Element& root, const char* tag, mjcf::Source& source) {
  std::vector<mjcf::Element> out;
  for (const mjcf::Element& element : source.children(root))
    if (element.tag() == tag) out.push_back(element);
  return out;
}

}  // namespace

RobotDescription read_mjcf(const std::string& path, const std::map<std::string, std::string>& packages) {
  return parse_mjcf(xml::read_file(path), path, packages);
}

RobotDescription parse_mjcf(std::string_view text, const std::string& file,
                            const std::map<std::string, std::string>& packages) {
  mjcf::Source source;
  mjcf::Remarks remarks;
  const mjcf::Element root = source.parse(text, file);
  mjcf::check_reference(root, source, remarks);

  RobotDescription out;
  out.place = root.place();
  out.name = root.text("model").value_or(std::filesystem::path(file).stem().string());
  out.gravity = Vec3<>(0, 0, -9.81);
  for (const mjcf::Element& option : sections(root, "option", source))
    if (const auto gravity = option.vector("gravity")) out.gravity = *gravity;
  const mjcf::Settings settings = mjcf::read_settings(sections(root, "compiler", source));
  const mjcf::Defaults defaults(root, source);
  xml::MeshFinder finder(file, packages);
  const mjcf::Assets assets = mjcf::read_assets(root, defaults, settings, source, finder, remarks);
  mjcf::Reader reader{source, settings, defaults, assets, remarks, out};
  mjcf::read_tree(root, reader);
  const mjcf::Tendons tendons = mjcf::read_tendons(root, reader);
  mjcf::read_equalities(root, tendons, reader);
  const std::vector<std::string> controls = mjcf::read_actuators(root, tendons, reader);
  mjcf::read_starts(root, controls, reader);
  out.warnings = remarks.warnings();
  out.warnings.insert(out.warnings.begin(), {root.place(), "contact is not computed: bodies pass through each other"});
  return out;
}

}  // namespace trammel
