#include "trammel/urdf/urdf.h"

#include <tinyxml2.h>

#include "trammel/model/check_description.h"
#include "trammel/urdf/grammar.h"
#include "trammel/urdf/joint.h"
#include "trammel/urdf/link.h"
#include "trammel/urdf/loop.h"
#include "trammel/urdf/mimics.h"
#include "trammel/urdf/rules.h"
#include "trammel/xml/document.h"
#include "trammel/xml/file.h"

namespace trammel {
namespace {

// What can be read. Of a link or joint with a mistake nothing is kept, so that its absence is not told as another.
RobotDescription read_robot(const urdf::Element& robot, const std::string& file, const UrdfOptions& options,
                            urdf::Remarks& remarks, Faults& faults) {
  RobotDescription out;
  out.place = robot.place();
  faults.attempt([&] { out.name = robot.name(); });
  urdf::VisualReader visuals(robot, file, options.packages, remarks, faults);
  for (const urdf::Element& element : robot.children()) {
    const std::size_t before = faults.count();
    if (element.tag() == "link") {
      Link link = urdf::read_link(element, visuals, faults);
      link.lenient = !options.strict;
      if (faults.count() == before) out.links.push_back(std::move(link));
    }
    if (element.tag() != "joint") continue;
    Joint joint = urdf::read_joint(element, remarks, faults);
    std::optional<Coupling> mimic;
    faults.attempt([&] { mimic = urdf::read_mimic(element); });
    if (faults.count() > before) continue;
    out.joints.push_back(std::move(joint));
    if (mimic) out.couplings.push_back(std::move(*mimic));
  }
  return out;
}

// All links and joints have been read.
void read_loops(const urdf::Element& robot, RobotDescription& out, Faults& faults) {
  for (const urdf::Element& element : robot.children()) {
    if (element.tag() == "loop") faults.attempt([&] { urdf::read_loop(element, out); });
    if (element.tag() == "coupling") faults.attempt([&] { urdf::read_coupling(element, out); });
  }
}

}  // namespace

RobotDescription read_urdf(const std::string& path, const UrdfOptions& options) {
  return parse_urdf(xml::read_file(path), path, options);
}

RobotDescription parse_urdf(std::string_view text, const std::string& file, const UrdfOptions& options) {
  xml::check_size(text.size(), file);
  const xml::Format format{"robot", "a URDF: <robot name=\"…\"> … </robot>", urdf::rule_of};
  tinyxml2::XMLDocument document;
  const urdf::Element robot = xml::parse_document(text, file, format, document);
  urdf::Remarks remarks;
  Faults faults;
  urdf::check_grammar(robot, remarks, faults);
  RobotDescription out = read_robot(robot, file, options, remarks, faults);
  // who must mend the file wants to hear of all; what links and joints are to each other is not known without those that could not be read
  if (faults.count() > 0)
    check_parts(out, faults);
  else
    read_loops(robot, out, faults);
  faults.refuse();
  out.warnings = remarks.warnings();
  if (!options.strict) urdf::leave_out_mimics(out);
  return out;
}

}  // namespace trammel
