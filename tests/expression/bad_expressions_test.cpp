#include <chrono>
#include <fstream>

#include <gtest/gtest.h>

#include "expression/vocabulary.h"
#include "trammel/base/names.h"
#include "trammel/expression/operations.h"

// bad_expressions.txt and bad_equations.txt hold texts with one thing wrong, and below each what its author must read, with
// {functions} for the list of those that the language has.

namespace trammel {
namespace {

using namespace trammel::test;

using Parse = Expression (*)(std::string_view, const Vocabulary&, const Place&);

// "" if the text is accepted.
std::string message_of(Parse parse, const std::string& text, const Vocabulary& vocabulary = some_vocabulary(),
                       const Place& where = {"", 1, 1}) {
  try {
    parse(text, vocabulary, where);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

struct Bad {
  std::string text, message;
};

std::string known_functions() {
  std::vector<std::string> names{"v", "start"};
  for (const expression::Function& function : expression::functions()) names.emplace_back(function.name);
  return allowed_names("", names);
}

std::vector<Bad> table(const std::string& file) {
  std::ifstream stream(std::string(TRAMMEL_SOURCE_DIR) + "/tests/expression/" + file);
  std::vector<Bad> rows;
  std::string empty;
  for (Bad bad; std::getline(stream, bad.text) && std::getline(stream, bad.message); std::getline(stream, empty)) {
    const std::string mark = "{functions}";
    if (const std::size_t at = bad.message.find(mark); at != std::string::npos)
      bad.message.replace(at, mark.size(), known_functions());
    rows.push_back(bad);
  }
  return rows;
}

TEST(BadExpressions, AreRefusedEachWithItsMessage) {
  const std::vector<Bad> rows = table("bad_expressions.txt");
  EXPECT_GE(rows.size(), 100u);
  for (const Bad& bad : rows) EXPECT_EQ(message_of(parse_expression, bad.text), bad.message) << bad.text;
}

TEST(BadEquations, AreRefusedEachWithItsMessage) {
  const std::vector<Bad> rows = table("bad_equations.txt");
  EXPECT_GE(rows.size(), 10u);
  for (const Bad& bad : rows) EXPECT_EQ(message_of(parse_equation, bad.text), bad.message) << bad.text;
}

TEST(BadExpressions, AnEmptyTextIsRefused) {
  for (const char* text : {"", "   "})
    EXPECT_EQ(message_of(parse_expression, text), ":1:" + std::to_string(std::string(text).size() + 1) +
                                                      ": found the end; allowed: a number, a name, a function or '('");
}

TEST(Place, TheColumnCountsFromThatOfTheText) {
  const std::string tail = "found '*'; allowed: a number, a name, a function or '('";
  const Vocabulary names = some_vocabulary();
  EXPECT_EQ(message_of(parse_expression, "q1 + *", names, {"a.yaml", 7, 20}), "a.yaml:7:25: " + tail);
  EXPECT_EQ(message_of(parse_expression, "`my tool`.x*", names, {"a.yaml", 7, 20}).substr(0, 11), "a.yaml:7:32");
}

TEST(Place, TheColumnCountsCharactersNotBytes) {
  Vocabulary names = some_vocabulary();
  names.joints.push_back({"φ₁"});
  EXPECT_EQ(message_of(parse_expression, "`φ₁` + *", names).substr(0, 6), ":1:8: ");
}

TEST(Place, WithoutAColumnTheMessageCountsTheTextsCharacters) {
  const std::string tail = "found '*' at character 6; allowed: a number, a name, a function or '('";
  EXPECT_EQ(message_of(parse_expression, "q1 + *", some_vocabulary(), {}), tail);
  EXPECT_EQ(message_of(parse_expression, "q1 + *", some_vocabulary(), {"a.yaml", 7}), "a.yaml:7: " + tail);
}

TEST(Names, OneThatMeansTwoThingsIsRefused) {
  Vocabulary names = some_vocabulary();
  names.constants["q1"] = 2;
  EXPECT_EQ(message_of(parse_expression, "q2 + q1", names),
            ":1:6: found 'q1', a joint and a constant; allowed: names that mean one thing");
}

TEST(Names, AJointThatCannotMoveIsRefused) {
  Vocabulary names = some_vocabulary();
  names.joints.push_back({"flange", 0, 0});
  const std::string tail = "found joint 'flange', which cannot move; allowed: joints that move";
  EXPECT_EQ(message_of(parse_expression, "flange", names), ":1:1: " + tail);
  EXPECT_EQ(message_of(parse_expression, "v(flange)", names), ":1:3: " + tail);
}

TEST(Names, WithoutTimeOnlyNumbersAndConstantsStand) {
  const auto message = [](const char* text) {
    try {
      parse_number(text, {{"r", 1}}, {"", 1, 1});
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::string tail = "; allowed: numbers and constants, since this value does not change in time";
  EXPECT_EQ(message("r + t"), ":1:5: found 't'" + tail);
  EXPECT_EQ(message("start(r)"), ":1:1: found start(…)" + tail);
  EXPECT_EQ(message("2*q1"), ":1:3: found the name 'q1'; allowed: one of r, pi");
}

TEST(Names, AnInputIsRefusedInAPathWhereItStands) {
  Vocabulary names = some_vocabulary();
  names.is_path = true;
  EXPECT_EQ(message_of(parse_expression, "0.1*t + push", names),
            ":1:9: found the input 'push' in a path; allowed: an expression without inputs; for those use an equation");
  EXPECT_EQ(message_of(parse_expression, "pusch", names),
            ":1:1: found the name 'pusch'; allowed: one of q1, q2, joint-1, left.q1, base, ball, m, v, t, left.gain, "
            "pi, r … (19 in all)");
}

TEST(Start, AloneIsRefusedInStart) {
  Vocabulary names = some_vocabulary();
  names.bare_start = true;
  EXPECT_EQ(message_of(parse_expression, "start(start)", names), ":1:7: found start in start(…); allowed: one start");
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int k = 0; k < times; ++k) all += text;
  return all;
}

TEST(Limits, TwoHundredLevelsStandAndMoreAreRefused) {
  const std::string deep = "found more than 200 levels inside each other; allowed: fewer";
  const auto nested = [](const std::string& open, const std::string& close, int levels) {
    return repeated(open, levels) + "t" + repeated(close, levels);
  };
  EXPECT_EQ(message_of(parse_expression, nested("(", ")", 199)), "");
  EXPECT_EQ(message_of(parse_expression, nested("(", ")", 200)), ":1:201: " + deep);
  EXPECT_EQ(message_of(parse_expression, nested("sin(", ")", 1000)), ":1:801: " + deep);
  EXPECT_EQ(message_of(parse_expression, nested("-", "", 9000)), ":1:201: " + deep);
  EXPECT_EQ(message_of(parse_expression, nested("t^", "", 3000)), ":1:401: " + deep);
  EXPECT_EQ(message_of(parse_expression, nested("not ", "", 1000)), ":1:801: " + deep);
  EXPECT_EQ(message_of(parse_expression, nested("(", "", 9999)), ":1:201: " + deep);
}

TEST(Limits, LongTextsAreRefusedQuickly) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(message_of(parse_expression, repeated("(", 100000) + "t" + repeated(")", 100000)),
            ":1:1: found an expression of 200001 characters; allowed: at most 10000");
  EXPECT_EQ(message_of(parse_equation, std::string(1000000, 'q')),
            ":1:1: found an expression of 1000000 characters; allowed: at most 10000");
  EXPECT_EQ(message_of(parse_expression, "t" + repeated(" + t*t", 1666)), "");
  EXPECT_NE(message_of(parse_expression, std::string(10000, 'q')), "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Limits, MessagesStayOnOneShortLine) {
  const std::string message = message_of(parse_expression, "`" + std::string(5000, 'q') + "\n\n`");
  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message_of(parse_expression, "`a\nb`").find('\n'), std::string::npos);
  EXPECT_EQ(message_of(parse_expression, std::string("q1\0", 3)).substr(0, 21), ":1:3: found byte 0x00");
}

}  // namespace
}  // namespace trammel
