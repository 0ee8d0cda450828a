#include <sstream>

#include <gtest/gtest.h>

#include "support/golden.h"
#include "trammel/mjcf/reference.h"

// Every element and attribute of MJCF, as MuJoCo lists them, has a treatment.

namespace trammel::test {
namespace {

TEST(MjcfReference, HasEveryElementAndAttributeThatMuJoCoKnows) {
  std::istringstream lines(read_text(TRAMMEL_SOURCE_DIR "/tests/golden/mjcf/elements.txt"));
  int elements = 0, attributes = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string path, attribute;
    words >> path;
    const mjcf::Entry* entry = mjcf::entry_of(path);
    ASSERT_NE(entry, nullptr) << path;
    ++elements;
    for (; words >> attribute; ++attributes)
      EXPECT_TRUE(entry->attributes.contains(attribute)) << attribute << " of " << path;
  }
  EXPECT_GT(elements, 150);
  EXPECT_GT(attributes, 1000);
}

// None but those that MuJoCo handles before its own list.
TEST(MjcfReference, HasNoElementThatMuJoCoDoesNotKnow) {
  const std::string known = "\n" + read_text(TRAMMEL_SOURCE_DIR "/tests/golden/mjcf/elements.txt");
  for (const std::string& path : mjcf::paths()) {
    if (path == "include" || path == "frame" || path == "replicate" || path == "composite" || path == "worldbody")
      continue;
    const bool alone = known.find("\n" + path + "\n") != std::string::npos;
    EXPECT_TRUE(alone || known.find("\n" + path + " ") != std::string::npos) << path;
  }
}

}  // namespace
}  // namespace trammel::test
