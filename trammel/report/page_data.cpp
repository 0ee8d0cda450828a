#include "trammel/report/page_data.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

namespace trammel {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

constexpr std::string_view marker = "<!--TRAMMEL-DATA-->";

}  // namespace

std::string base64(const void* data, std::size_t size) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t count = std::min<std::size_t>(3, size - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string page_with(std::string_view json, std::string_view page_template) {
  const std::size_t at = page_template.find(marker);
  if (at == std::string_view::npos) throw std::runtime_error("the template of the page has no place for its data");
  std::string out(page_template.substr(0, at));
  out += "<script type=\"application/json\" id=\"trammel-data\">";
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  out += "</script>";
  out += page_template.substr(at + marker.size());
  return out;
}

}  // namespace trammel
