#pragma once

#include <string>
#include <vector>

namespace trammel::scenario {

/// A word of the language of scenarios, from the table that its reader goes by.
///
///   kind        name             with
///   constraint  its key          its other keys
///   closure     those of them that are a joint between two frames
///   every       constraint       the keys that any constraint may have
///   surface     its key          its other keys
///   force       its key          its other keys
///   shape       its key          –
///   color       its name         –
///   joint       its key          how many axes it takes, how many velocities it has
///   integrator  its name         step, which it needs, or tolerance, which it may have
///   function    its name         –
///   reserved    what no constant and no input may be called
///
/// `trammel words` prints them; completion asks for them, and a test compares them with schema, docs and fuzz dictionaries.
struct Word {
  std::string kind, name;
  std::vector<std::string> with{};
};
std::vector<Word> all_words();

}  // namespace trammel::scenario
