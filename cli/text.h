#pragma once

#include <iostream>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "trammel/math/inertia.h"

/// How the verbs write numbers, for people and as JSON.
namespace trammel::cli {

using Json = nlohmann::ordered_json;

/// On standard output. Nothing is thrown where nobody reads it any more; main looks whether all of it could be written.
template <class... Arguments>
void print(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  std::cout << fmt::format(form, std::forward<Arguments>(arguments)...);
}

// Adding 0 makes −0 a plain 0; what rounding leaves below 1e-15 is shown as 0 too.
inline double tidy(double x) { return std::abs(x) < 1e-15 ? 0.0 : x; }

inline std::string text_of(const Vec3<>& v) {
  return fmt::format("{:.6g} {:.6g} {:.6g}", tidy(v[0]), tidy(v[1]), tidy(v[2]));
}
inline std::string text_of(const Symmetric3<>& I) {
  return fmt::format("{:.4g} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g}", tidy(I.xx), tidy(I.yy), tidy(I.zz), tidy(I.xy),
                     tidy(I.xz), tidy(I.yz));
}

inline Json to_json(const Vec3<>& v) { return Json::array({v[0], v[1], v[2]}); }
inline Json to_json(const Symmetric3<>& I) { return Json::array({I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}); }
inline Json to_json(const Pose<>& X) { return Json{{"xyz", to_json(X.p)}, {"rpy", to_json(rpy_from_rotation(X.R))}}; }
inline Json to_json(const Inertia<>& inertia) {
  return Json{{"mass", inertia.mass}, {"com", to_json(inertia.com())}, {"inertia", to_json(inertia.about_com())}};
}
inline Json to_json(const VecX<>& v) { return Json(std::vector<double>(v.data(), v.data() + v.size())); }

}  // namespace trammel::cli
