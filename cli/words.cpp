#include "trammel/scenario/words.h"
#include "print.h"
#include "verbs.h"

namespace trammel::cli {

/// trammel words: the words of scenarios with what goes with each, one a line, for completion and tools.
void add_words(CommandLine& line) {
  Verb verb = line.add("words", "the words of scenarios", "trammel words", [] {
    for (const scenario::Word& word : scenario::all_words()) {
      print("{} {}", word.kind, word.name);
      for (const std::string& with : word.with) print(" {}", with);
      print("\n");
    }
    return done;
  });
  verb.hide();
}

}  // namespace trammel::cli
