#include "trammel/xml/words.h"

#include <algorithm>

namespace trammel::xml {

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 100;
  text.remove_prefix(std::min(text.find_first_not_of(white), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(white) + 1));
  const bool cut = text.size() > longest;
  if (cut) {
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text = text.substr(0, end);
  }
  std::string out(text);
  std::ranges::replace_if(
      out, [](unsigned char c) { return c < 0x20; }, ' ');
  return cut ? out + "…" : out;
}

}  // namespace trammel::xml
