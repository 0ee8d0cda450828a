#include "trammel/sweep/vary.h"

#include <gtest/gtest.h>

namespace trammel::sweep {
namespace {

// As --set takes them, values of a list are what stands in the list.
TEST(Vary, ValuesAreWrittenAsYamlThatReadsBackAsTheSame) {
  const std::string list =
      "[30 deg, 2*pi, projection, 'a, b', '- c', '`left motor` + 1', q1*2, 'null', 'say \"yes\"', {baumgarte: {alpha: "
      "1}}, [1, x], '*a', 'k: v', "
      "'#', '', 'C:\\dir', 5%]";
  const scenario::Node root = scenario::parse_yaml("key: " + list, "vary.yaml");
  const std::vector<Varied> varied = read_vary({root, "vary"});
  ASSERT_EQ(varied.size(), 1u);
  EXPECT_TRUE(varied[0].choices[0].is_number);
  EXPECT_EQ(varied[0].choices[1].text, "6.283185307179586");
  EXPECT_EQ(varied[0].choices[2].text, "projection");
  EXPECT_EQ(varied[0].choices[6].text, "q1*2");
  EXPECT_EQ(varied[0].choices[9].text, "{baumgarte: {alpha: 1}}");
  const auto same = [](const auto& self, const scenario::Node& a, const scenario::Node& b) -> bool {
    if (a.kind != b.kind || a.text != b.text || a.items.size() != b.items.size()) return false;
    for (std::size_t i = 0; i < a.items.size(); ++i)
      if (!self(self, a.items[i], b.items[i])) return false;
    return true;
  };
  for (std::size_t c = 2; c < varied[0].choices.size(); ++c) {
    const scenario::Node back = scenario::parse_yaml(varied[0].choices[c].text, "");
    EXPECT_TRUE(same(same, back, root.items[0].items[c])) << varied[0].choices[c].text;
  }
}

}  // namespace
}  // namespace trammel::sweep
