#include "trammel/mjcf/source.h"

#include <filesystem>

#include <fmt/core.h>
#include <tinyxml2.h>

#include "trammel/base/names.h"
#include "trammel/mjcf/reference.h"
#include "trammel/xml/document.h"
#include "trammel/xml/file.h"
#include "trammel/xml/words.h"

namespace trammel::mjcf {
namespace {

using xml::shortened;

constexpr std::size_t most_files = 100;

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  const std::string here = path == "worldbody" || path == "frame" ? "body" : path;
  for (const std::string& known : paths())
    if (known.starts_with(here + "/") && known.find('/', here.size() + 1) == std::string::npos)
      names.push_back(known.substr(here.size() + 1));
  if (here == "body") names.insert(names.end(), {"body", "frame"});
  if (here == "mujoco")
    for (const std::string& known : paths())
      if (known.find('/') == std::string::npos) names.push_back(known);
  return names;
}

// What is common and of one kind is told once.
std::string_view theme_of(const std::string& attribute, std::string_view tag) {
  static const std::vector<std::string> contact{"contype",  "conaffinity", "condim",   "priority",
                                                "friction", "margin",      "gap",      "solmix",
                                                "fitscale", "fluidshape",  "fluidcoef"};
  static const std::vector<std::string> display{"group", "rgba", "material", "user", "width", "castshadow"};
  if (attribute.starts_with("solref") || attribute.starts_with("solimp") || xml::contains(contact, attribute))
    return "contact and soft constraints";
  return xml::contains(display, attribute) || tag == "site" || tag == "material" ? "display" : "";
}

void remark_on_attribute(const Element& element, const std::string& name, Remarks& remarks) {
  const std::string_view theme = theme_of(name, element.tag());
  const std::string kind = theme.empty() ? fmt::format("{} of {}", name, element.tag()) : std::string(theme);
  remarks.add(element.place_of(name.c_str()), kind, [&]() -> Remarks::Wording {
    if (theme.empty())
      return {fmt::format("attribute {} of <{}> is not used", name, element.tag()),
              fmt::format("attributes {} of <{}> are not used", name, element.tag())};
    return {fmt::format("attribute for {} is not used ({} of <{}>)", theme, name, element.tag()),
            fmt::format("attributes for {} are not used (the first is {} of <{}>)", theme, name, element.tag())};
  });
}

void check_attributes(const Element& element, const Entry& entry, Remarks& remarks) {
  for (const auto* a = element.xml().FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string name = a->Name();
    const auto found = entry.attributes.find(name);
    if (found == entry.attributes.end()) {
      std::vector<std::string> known;
      for (const auto& [attribute, treatment] : entry.attributes) known.push_back(attribute);
      throw Error(element.place_of(a->Name()),
                  fmt::format("the attribute {} of {}", shortened(name), element.description()),
                  known.empty() ? "no attributes" : allowed_names(name, known));
    }
    if (found->second == Treatment::refused)
      element.refuse(a->Name(), "a model without it: it changes the motion in a way that is not computed");
    if (found->second == Treatment::noted) remark_on_attribute(element, a->Name(), remarks);
  }
}

void check_element(const Element& element, const std::string& path, Source& source, Remarks& remarks) {
  const Entry& entry = *entry_of(path);
  check_attributes(element, entry, remarks);
  for (const Element& child : source.children(element)) {
    const std::string inner = path_of(path, std::string(child.tag()));
    const Entry* known = entry_of(inner);
    if (known == nullptr)
      throw Error(child.place(), fmt::format("<{}> in <{}>", shortened(child.tag()), element.tag()),
                  allowed_names(child.tag(), names_in(path)));
    if (known->treatment == Treatment::refused)
      throw Error(child.place(), fmt::format("{}", child.description()),
                  "a model without it: it changes the motion in a way that is not computed");
    if (known->treatment == Treatment::noted)
      remarks.add(child.place(), {fmt::format("<{}> in <{}> is not used", child.tag(), element.tag()),
                                  fmt::format("<{}> in <{}> are not used", child.tag(), element.tag())});
    else
      check_element(child, inner, source, remarks);
  }
}

}  // namespace

struct Source::Document {
  std::string file;
  tinyxml2::XMLDocument xml;
};

Source::Source() = default;
Source::~Source() = default;

Element Source::parse(std::string_view text, const std::string& file, bool included) {
  xml::check_size(text.size(), file);
  if (documents_.empty()) folder_ = std::filesystem::path(file).parent_path().string();
  documents_.push_back(std::make_unique<Document>());
  Document& document = *documents_.back();
  document.file = file;
  const bool is_part = included && text.find("<mujocoinclude") != std::string_view::npos;
  const xml::Format format{is_part ? "mujocoinclude" : "mujoco", "MJCF: <mujoco> … </mujoco>"};
  return xml::parse_document(text, document.file, format, document.xml);
}

std::vector<Element> Source::children(const Element& element) {
  std::vector<Element> out;
  add_children(element, out);
  return out;
}

void Source::add_children(const Element& element, std::vector<Element>& out) {
  for (const Element& child : element.children()) {
    if (child.tag() != "include") {
      out.push_back(child);
      continue;
    }
    auto known = included_.find(&child.xml());
    if (known == included_.end()) known = included_.emplace(&child.xml(), read_included(child)).first;
    add_children(known->second, out);
  }
}

Element Source::read_included(const Element& include) {
  const std::string name = include.required_text("file", "the name of a file");
  const std::string file = (std::filesystem::path(folder_) / name).lexically_normal().string();
  if (documents_.size() > most_files) include.refuse("file", fmt::format("up to {} files", most_files));
  for (const auto& document : documents_)
    if (std::filesystem::path(document->file).lexically_normal() == file)
      include.refuse("file", "a file that is not read already: each is included once");
  std::string text;
  try {
    text = xml::read_file(file);
  } catch (const Error& error) {
    include.refuse("file", "the name of a file, by its path from the folder of the model", error.found());
  }
  return parse(text, file, true);
}

void check_reference(const Element& root, Source& source, Remarks& remarks) {
  check_element(root, "mujoco", source, remarks);
}

}  // namespace trammel::mjcf
