#include <cstdint>
#include <string>

#include "message.h"
#include "trammel/scenario/scenario.h"

// Whatever the bytes are, the reader gives a scenario, or an Error with a message of one line. Anything else that is thrown,
// and anything that a sanitizer sees, is a finding. A start that does not close is searched for in vain from many guesses,
// which is slow here and tested elsewhere: it is not to be assembled.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    trammel::read_scenario_text(text, "fuzz.yaml", "/nowhere", {"initial.assemble=false", "simulate.drift=none"});
  } catch (const trammel::Error& error) {
    check_message(error.what());
    (void)trammel::with_caret(error, text);
  }
  return 0;
}
