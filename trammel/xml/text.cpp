#include "trammel/xml/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/xml/words.h"

namespace trammel::xml {
namespace {

[[noreturn]] void refuse_at(std::string_view text, std::size_t position, const std::string& file,
                            const std::string& found, const std::string& allowed) {
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n') + 1;
  throw Error(Place{file, static_cast<int>(line)}, found, allowed);
}

// Whether XML 1.0 allows the character.
bool is_xml_character(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) || (c >= 0xE000 && c <= 0x10FFFF);
}

// How many bytes the character at `position` takes; 0 if they are no UTF-8 or no character of XML.
std::size_t character_length(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return is_xml_character(lead) ? 1 : 0;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || position + length > text.size()) return 0;
  char32_t c = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    c = (c << 6) | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};  // by length: longer forms are forbidden
  return c >= smallest[length] && is_xml_character(c) ? length : 0;
}

void check_characters(std::string_view text, const std::string& file) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0)
      refuse_at(text, i, file, fmt::format("the byte 0x{:02x}, which is no text", static_cast<unsigned char>(text[i])),
                "XML text in UTF-8");
    i += length;
  }
}

// Whether XML defines the reference between & and ;.
bool is_reference(std::string_view name) {
  constexpr std::array<std::string_view, 5> named{"amp", "lt", "gt", "quot", "apos"};
  if (!name.starts_with('#')) return std::ranges::find(named, name) != named.end();
  const bool hexadecimal = name.starts_with("#x");
  const char *begin = name.data() + (hexadecimal ? 2 : 1), *end = name.data() + name.size();
  unsigned code = 0;
  const auto [stop, problem] = std::from_chars(begin, end, code, hexadecimal ? 16 : 10);
  return problem == std::errc{} && stop == end && is_xml_character(code);
}

// Follows the tags through the text and keeps the open ones on a stack.
class TagScanner {
 public:
  TagScanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void scan() {
    for (at_ = text_.find_first_of("<&"); at_ != std::string_view::npos; at_ = text_.find_first_of("<&", at_)) step();
    if (!open_.empty())
      refuse(open_.back(), fmt::format("<{}> that is never closed", shortened(name_at(open_.back() + 1))),
             "a closing tag for every tag");
  }

 private:
  [[noreturn]] void refuse(std::size_t position, const std::string& found, const std::string& allowed) const {
    refuse_at(text_, position, file_, found, allowed);
  }

  bool here(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  // On behind the `end` of what begins here with `begin`.
  void skip(std::string_view begin, std::string_view end) {
    const std::size_t found = text_.find(end, at_ + begin.size());
    if (found == std::string_view::npos)
      refuse(at_, fmt::format("'{}' without its end", begin), fmt::format("'{}' after it", end));
    at_ = found + end.size();
  }

  std::string_view name_at(std::size_t position) const {
    return text_.substr(position, std::min(text_.find_first_of(" \t\r\n/>", position), text_.size()) - position);
  }

  void step() {
    if (here("&")) return check_reference();
    if (here("<!--")) return skip("<!--", "-->");
    if (here("<![CDATA[")) return skip("<![CDATA[", "]]>");
    if (here("<?")) return skip("<?", "?>");
    if (here("<!")) return check_doctype();
    if (here("</")) return close();
    open();
  }

  void check_reference() {
    constexpr std::size_t longest = 10;  // &#x10FFFF;
    const std::size_t end = text_.substr(at_, longest).find(';');
    if (end == std::string_view::npos || !is_reference(text_.substr(at_ + 1, end - 1))) {
      const std::size_t shown = std::min(longest, text_.find_first_of(" \"'<>\n", at_) - at_);
      refuse(at_, fmt::format("'{}'", shortened(text_.substr(at_, shown))),
             "&amp; for the sign & itself, &lt; &gt; &quot; &apos; or the number of a character as &#176;");
    }
    at_ += end + 1;
  }

  void check_doctype() {
    const std::size_t end = text_.find_first_of("[>", at_);
    if (end != std::string_view::npos && text_[end] == '[')
      refuse(at_, "a document type with declarations of its own", "plain XML without <!DOCTYPE … [ … ]>");
    skip("<!", ">");
  }

  void open() {
    const std::string_view name = name_at(at_ + 1);
    if (name.empty()) refuse(at_, "'<' that begins no tag", "&lt; for the sign < itself");
    open_.push_back(at_);
    skip_attributes(name);
    if (at_ == text_.size())
      refuse(open_.back(), fmt::format("'<{}' without its end", shortened(name)), "'>' after it");
    if (text_[at_ - 1] == '/') open_.pop_back();
  }

  // On to the > that ends the tag: one inside quotes does not.
  void skip_attributes(std::string_view name) {
    constexpr int most = 1000;  // tinyxml2 compares each with each
    int attributes = 0;
    char quote = 0;
    for (at_ += 1 + name.size(); at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '&') {
        check_reference();
        --at_;  // back onto the semicolon
      } else if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '=' && ++attributes > most) {
        refuse(open_.back(), fmt::format("<{}> with more than {} attributes", shortened(name), most), "fewer");
      } else if (c == '>') {
        return;
      }
    }
  }

  void close() {
    const std::string_view name = name_at(at_ + 2);
    if (open_.empty())
      refuse(at_, fmt::format("</{}> that closes nothing", shortened(name)), "a closing tag for each tag");
    const std::string_view opened = name_at(open_.back() + 1);
    if (name != opened) {
      const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(open_.back()), '\n') + 1;
      refuse(at_, fmt::format("</{}> where <{}> of line {} is still open", shortened(name), shortened(opened), line),
             fmt::format("</{}> first", shortened(opened)));
    }
    open_.pop_back();
    skip("</", ">");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // where each open tag begins
};

}  // namespace

void check_text(std::string_view text, const std::string& file) {
  check_characters(text, file);
  TagScanner(text, file).scan();
}

}  // namespace trammel::xml
