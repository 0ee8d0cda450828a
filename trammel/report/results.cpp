#include "trammel/report/results.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/figure/svg.h"
#include "trammel/report/convert.h"
#include "trammel/report/staged_folder.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

// "Tool path, x" → "tool-path-x". Letters beyond ASCII stay.
std::string stem_of(const std::string& title) {
  std::string out;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || byte >= 0x80)
      out += static_cast<char>(std::tolower(byte));
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.empty() ? "plot" : out;
}

// Of a file in a folder, not of the folder or of one elsewhere.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

// Of the JSON that an earlier run left; none if there is none. Names alone: nothing outside of the folder.
std::vector<std::string> listed_files(const fs::path& json_file) {
  std::vector<std::string> out;
  std::ifstream stream(json_file);
  const nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) return out;
  for (const nlohmann::json& name : json["files"])
    if (name.is_string() && is_plain_name(name)) out.push_back(name);
  return out;
}

// Writes what can be made, and keeps the first reason why something cannot.
class Writer {
 public:
  explicit Writer(StagedFolder& staged) : staged_(staged) {}

  void write(const std::string& name, const std::string& content) {
    staged_.write(name, content);
    written_.push_back(name);
  }
  template <class Make>
  void try_to_write(const std::string& name, const Make& make) {
    try {
      write(name, make());
    } catch (const std::bad_alloc&) {
      if (problem_.empty()) problem_ = fmt::format("{}: not enough memory to make it", name);
    } catch (const std::exception& error) {
      if (problem_.empty()) problem_ = error.what();
    }
  }
  const std::vector<std::string>& written() const { return written_; }
  const std::string& problem() const { return problem_; }

 private:
  StagedFolder& staged_;
  std::vector<std::string> written_;
  std::string problem_;
};

}  // namespace

void write_results(const OutputFolder& folder, const Results& results) {
  StagedFolder staged(folder);
  Writer writer(staged);
  for (const Results::File& file : results.data) writer.write(file.name, file.content());
  for (const Results::File& page : results.pages) writer.try_to_write(page.name, page.content);
  for (const Results::Picture& picture : results.figures)
    for (const std::string& format : results.formats)
      writer.try_to_write(picture.stem + "." + format, [&] {
        const std::string svg = to_svg(picture.figure);
        return format == "svg" ? svg : converted_svg(svg, format);
      });
  staged.write(results.json_name, results.json(writer.written()));
  staged.commit(results.json_name, [&] { return listed_files(folder.path() / results.json_name); });
  if (!writer.problem().empty()) throw std::runtime_error(writer.problem());
}

std::vector<Results::Picture> pictures_of(const std::vector<Figure>& figures) {
  std::vector<Results::Picture> out;
  for (const Figure& figure : figures) {
    const std::string stem = stem_of(figure.title);
    std::string name = stem;
    for (int k = 2; std::ranges::find(out, name, &Results::Picture::stem) != out.end(); ++k)
      name = fmt::format("{}-{}", stem, k);
    out.push_back({name, figure});
  }
  return out;
}

double expected_bytes(const Scenario& scenario) {
  const double every = scenario.simulate.record_every > 0 ? scenario.simulate.record_every : scenario.simulate.step;
  const double rows = every > 0 ? scenario.simulate.duration / every : 1e4;
  const std::size_t columns = columns_of(scenario.problem(), scenario.simulate).columns().size();
  return 22 * rows * static_cast<double>(columns) + 1e6;
}

}  // namespace trammel
