#pragma once

#include <string>
#include <string_view>

namespace trammel::xml {

/// Throws Error unless the text is UTF-8 whose tags are properly nested and whose references (&amp;) mean something.
/// tinyxml2 checks neither bytes nor references, and ends quietly at a closing tag too many, which would lose the rest
/// of a file. Attributes are left to it.
void check_text(std::string_view text, const std::string& file);

}  // namespace trammel::xml
