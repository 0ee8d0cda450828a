#include "trammel/sweep/sweep_identity.h"

#include <gnu/libc-version.h>

#include <fstream>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/base/version.h"
#include "trammel/sweep/random.h"
#include "trammel/sweep/sweep_plan.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;
using sweep::fnv1a;
using Json = nlohmann::ordered_json;

constexpr const char* compiled_level() {
#if defined(__AVX512F__)
  return "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__)
  return "x86-64-v3";
#elif defined(__x86_64__)
  return "x86-64";
#else
  return "another processor";
#endif
}

// FNV-1a of a file's bytes, in hexadecimal digits; "" of one that cannot be read.
std::string hash_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return "";
  std::uint64_t hash = fnv1a("");
  std::vector<char> buffer(1 << 16);
  while (stream.read(buffer.data(), static_cast<long>(buffer.size())), stream.gcount() > 0)
    hash = fnv1a({buffer.data(), static_cast<std::size_t>(stream.gcount())}, hash);
  return fmt::format("{:016x}", hash);
}

// Texts under the keys robot, robots and file: files of robots, and what is none, which no file bears as a name.
void add_robots(const scenario::Node& node, const fs::path& folder, Json& out) {
  if (node.kind == scenario::Node::Kind::text) {
    std::error_code error;
    if (fs::is_regular_file(folder / node.text, error)) out[node.text] = hash_of(folder / node.text);
    return;
  }
  for (const scenario::Node& item : node.items) add_robots(item, folder, out);
}

// The robots' files of all cases.
Json robots_of(const SweepPlan& plan) {
  const fs::path folder = plan.scenario_file.parent_path();
  scenario::Node root = scenario::parse_yaml(plan.base.text, plan.base.file);
  for (const std::string& item : plan.overrides) put_override(root, item);
  Json out = Json::object();
  for (const char* key : {"robot", "robots"})
    if (const scenario::Node* robots = root.find(key)) add_robots(*robots, folder, out);
  for (const sweep::Varied& varied : plan.varied)
    if (varied.key.starts_with("robot"))
      for (const sweep::Choice& choice : varied.choices) add_robots(scenario::parse_yaml(choice.text, ""), folder, out);
  return out;
}

constexpr std::pair<const char*, const char*> parts[] = {
    {"version", "made by another version of the program"},
    {"instructions", "made with other instructions of the processor"},
    {"sweep", "of another sweep file, or of this one before it was changed"},
    {"scenario", "of another scenario, or of this one before it was changed"},
    {"set", "made with other --set"},
    {"robots", "of a robot whose file has changed"}};

}  // namespace

std::string instruction_level() {
  std::string libm = fmt::format("glibc {}", gnu_get_libc_version());
#if defined(__x86_64__)
  if (__builtin_cpu_supports("fma")) libm += " with fma";
#endif
  return fmt::format("{}, {}", compiled_level(), libm);
}

std::string identity_of(const Sweep& sweep) {
  const SweepPlan& plan = sweep.plan();
  return Json{{"format", 1},
              {"version", version()},
              {"instructions", instruction_level()},
              {"sweep", plan.text},
              {"scenario", plan.base.text},
              {"set", plan.overrides},
              {"robots", robots_of(plan)}}
      .dump(1);
}

std::string difference_of(const std::string& identity, const std::string& other) {
  if (identity == other) return "";
  const Json a = Json::parse(identity, nullptr, false), b = Json::parse(other, nullptr, false);
  if (!a.is_object() || !b.is_object()) return "that this program did not make";
  for (const auto& [part, text] : parts)
    if (a.value(part, Json()) != b.value(part, Json())) return text;
  return "of another format";
}

}  // namespace trammel
