#include "trammel/base/error.h"

#include <gtest/gtest.h>

namespace trammel {
namespace {

TEST(Errors, AMessageIsOneLineWhateverItQuotes) {
  const Error error({"two\nlines.yaml", 3, 7}, "joint 'el\r\nbow'", "one of: shoulder, el\nbow");
  EXPECT_STREQ(error.what(), "two\\nlines.yaml:3:7: found joint 'el\\r\\nbow'; allowed: one of: shoulder, el\\nbow");
}

TEST(Errors, SaidOfAnotherPlaceItKeepsItsWords) {
  const Error error("mass -3 kg", "0 or more");
  EXPECT_STREQ(error.what(), "found mass -3 kg; allowed: 0 or more");
  EXPECT_STREQ(error.at({"arm.urdf", 12}).what(), "arm.urdf:12: found mass -3 kg; allowed: 0 or more");
}

}  // namespace
}  // namespace trammel
