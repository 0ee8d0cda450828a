#include "trammel/urdf/urdf.h"

#include <tinyxml2.h>

#include "trammel/urdf/grammar.h"
#include "trammel/urdf/joint.h"
#include "trammel/urdf/link.h"
#include "trammel/urdf/loop.h"
#include "trammel/urdf/rules.h"
#include "trammel/xml/document.h"
#include "trammel/xml/file.h"

namespace trammel {

RobotDescription read_urdf(const std::string& path) { return parse_urdf(xml::read_file(path), path); }

RobotDescription parse_urdf(std::string_view text, const std::string& file) {
  xml::check_size(text.size(), file);
  const xml::Format format{"robot", "a URDF: <robot name=\"…\"> … </robot>", urdf::rule_of};
  tinyxml2::XMLDocument document;
  const urdf::Element robot = xml::parse_document(text, file, format, document);
  urdf::Remarks remarks;
  urdf::check_grammar(robot, remarks);

  RobotDescription out;
  out.place = robot.place();
  out.name = robot.name();
  urdf::VisualReader visuals(robot, file, remarks);
  for (const urdf::Element& element : robot.children()) {
    if (element.tag() == "link") out.links.push_back(urdf::read_link(element, visuals));
    if (element.tag() != "joint") continue;
    out.joints.push_back(urdf::read_joint(element, remarks));
    if (std::optional<Coupling> mimic = urdf::read_mimic(element)) out.couplings.push_back(std::move(*mimic));
  }
  for (const urdf::Element& element : robot.children()) {
    if (element.tag() == "loop") urdf::read_loop(element, out);
    if (element.tag() == "coupling") urdf::read_coupling(element, out);
  }
  out.warnings = remarks.warnings();
  return out;
}

}  // namespace trammel
