#include "trammel/sweep/sweep_identity.h"

#include <gnu/libc-version.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/base/version.h"
#include "trammel/sweep/sweep_plan.h"

namespace trammel {
namespace {

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

// What the robots' files came to.
Json numbers_of_base(const Sweep& sweep) {
  Json out = Json::object();
  for (const Parameter& parameter : sweep.plan().base.system.source->parameters())
    out[parameter.name] = parameter.value;
  return out;
}

constexpr std::pair<const char*, const char*> parts[] = {
    {"version", "made by another version of the program"},
    {"instructions", "made with other instructions of the processor"},
    {"sweep", "of another sweep file, or of this one before it was changed"},
    {"scenario", "of another scenario, or of this one before it was changed"},
    {"set", "made with other --set"},
    {"numbers", "of a scenario whose robot has changed"}};

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
              {"numbers", numbers_of_base(sweep)}}
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
