#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "trammel/model/build_model.h"
#include "trammel/urdf/urdf.h"

// Each robot of bad_urdf/ is good.urdf with one thing wrong, and messages.txt has what its author must read, in full.

namespace trammel {
namespace {

namespace fs = std::filesystem;

const std::string folder = std::string(TRAMMEL_SOURCE_DIR) + "/tests/urdf/bad_urdf/";

// The message without the folder in front of file names, or "" if the robot is accepted.
std::string message_of(const std::string& path, const UrdfOptions& options = {.strict = true}) {
  try {
    build_model(read_urdf(path, options));
    return "";
  } catch (const Error& error) {
    std::string message = error.what();
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
      message.erase(at, folder.size());
    return message;
  }
}

std::string message_of_text(std::string_view text) {
  try {
    build_model(parse_urdf(text, "robot.urdf"));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// By the name of the file without its ending; a message begins with "name.urdf".
std::map<std::string, std::string> expected_messages() {
  std::map<std::string, std::string> messages;
  std::ifstream stream(folder + "messages.txt");
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) messages[line.substr(0, line.find('.'))] = line;
  return messages;
}

class BadUrdf : public testing::TestWithParam<std::pair<const std::string, std::string>> {};

TEST_P(BadUrdf, IsRefusedWithItsMessage) {
  EXPECT_EQ(message_of(folder + GetParam().first + ".urdf"), GetParam().second);
}

// What was meant can be told: they load, with one warning, unless the reader is strict.
const std::set<std::string> meant{"inertia_breaks_triangle_inequality",
                                  "inertia_indefinite",
                                  "inertia_negative",
                                  "mass_zero_with_inertia",
                                  "mimic_of_fixed_joint",
                                  "mimic_of_unknown_joint"};

TEST_P(BadUrdf, IsRefusedWithoutStrictOnlyWhereItCannotBeMeant) {
  const auto& [name, message] = GetParam();
  EXPECT_EQ(message_of(folder + name + ".urdf", {}), meant.contains(name) ? "" : message);
  if (!meant.contains(name)) return;
  EXPECT_EQ(build_model(read_urdf(folder + name + ".urdf")).warnings().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Files, BadUrdf, testing::ValuesIn(expected_messages()),
                         [](const auto& tested) { return tested.param.first; });

TEST(BadUrdfs, AreFortyOrMoreAndEachHasItsMessage) {
  const auto messages = expected_messages();
  EXPECT_GE(messages.size(), 40u);
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() != ".urdf" || name == "good") continue;
    EXPECT_TRUE(messages.contains(name)) << name;
  }
}

TEST(BadUrdfs, AreMadeFromARobotThatIsGood) {
  EXPECT_EQ(message_of(folder + "good.urdf"), "");
  EXPECT_TRUE(read_urdf(folder + "good.urdf").warnings.empty());
}

TEST(BadUrdfFile, ThatDoesNotExistIsNamed) {
  EXPECT_EQ(message_of(folder + "nowhere.urdf"),
            "nowhere.urdf: found no such file; allowed: the name of a robot's file");
}

TEST(BadUrdfFile, ThatIsAFolderIsRefused) {
  EXPECT_EQ(message_of(TRAMMEL_SOURCE_DIR),
            std::string(TRAMMEL_SOURCE_DIR) + ": found a folder; allowed: the name of a robot's file");
}

TEST(BadUrdfFile, Of100MegabytesIsRefusedBySizeWithoutReadingIt) {
  const fs::path path = fs::path(testing::TempDir()) / "huge.urdf";
  std::ofstream(path).put(' ');
  fs::resize_file(path, std::uintmax_t{100} << 20);  // a hole: takes no space on the disk
  const std::string message = message_of(path.string());
  fs::remove(path);
  EXPECT_EQ(message,
            path.string() + ": found more than 32 MB (104857600 bytes); allowed: a robot's file of up to 32 MB");
}

TEST(BadUrdfFile, ThatNeverEndsIsRefused) {
  if (!fs::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  EXPECT_NE(message_of("/dev/zero").find("found more than 32 MB"), std::string::npos);
}

TEST(BadUrdfText, OverTheLimitIsRefusedLikeAFile) {
  const std::string text((std::size_t{32} << 20) + 1, ' ');
  EXPECT_EQ(message_of_text(text),
            "robot.urdf: found more than 32 MB (33554433 bytes); allowed: a robot's file of up to 32 MB");
}

TEST(BadUrdfText, ThatIsNoTextIsRefusedAtTheFirstSuchByte) {
  const std::string allowed = "; allowed: XML text in UTF-8";
  const auto found = [&](const char* where, const char* byte) {
    return std::string("robot.urdf:") + where + ": found the byte " + byte + ", which is no text" + allowed;
  };
  using std::string_literals::operator""s;
  EXPECT_EQ(message_of_text("\x7f"
                            "ELF\x02\x01\x01"),
            found("1", "0x02"));
  EXPECT_EQ(message_of_text("<robot name=\"a\">\n<!-- caf\xe9 -->\n</robot>"), found("2", "0xe9"));  // Latin-1
  EXPECT_EQ(message_of_text("\xff\xfe<\0r\0o\0"s), found("1", "0xff"));                              // UTF-16
  EXPECT_EQ(message_of_text("<robot name=\"a\">\n\n<link name=\"b\"/>\0</robot>"s), found("3", "0x00"));
  EXPECT_EQ(message_of_text("<robot name=\"\xc0\xaf\"/>"), found("1", "0xc0"));      // overlong
  EXPECT_EQ(message_of_text("<robot name=\"\xe0\x80\xaf\"/>"), found("1", "0xe0"));  // and longer still
  EXPECT_EQ(message_of_text("<robot name=\"\xed\xa0\x80\"/>"), found("1", "0xed"));  // surrogate
  EXPECT_EQ(message_of_text("<robot name=\"\xe2\x82"), found("1", "0xe2"));          // cut short
}

TEST(BadUrdfText, WithManyAttributesOrLongNamesOrReferencesWithoutEndIsRefusedQuickly) {
  std::string attributes;
  for (int i = 0; i < 200000; ++i) attributes += " a" + std::to_string(i) + "=\"\"";
  EXPECT_EQ(message_of_text("<robot" + attributes + "/>"),
            "robot.urdf:1: found <robot> with more than 1000 attributes; allowed: fewer");
  std::string references;
  for (int i = 0; i < 1000000; ++i) references += "&#";
  EXPECT_NE(message_of_text("<robot name=\"" + references + "\"/>").find("robot.urdf:1: found '&#"), std::string::npos);
  const std::string message = message_of_text("<robot name=\"" + std::string(1000000, 'x') + "\"/>");
  EXPECT_NE(message.find("(1000000 bytes)"), std::string::npos);
  EXPECT_LT(message.size(), 500u);
}

TEST(BadUrdfText, ShowsOnlyTheBeginningOfALongValue) {
  const std::string message = message_of_text("<robot name=\"a\"><link name=\"b\"><inertial><mass value=\"" +
                                              std::string(5000, '1') + "x\"/></inertial></link></robot>");
  EXPECT_LT(message.size(), 400u);
  EXPECT_NE(message.find("111…"), std::string::npos);
}

}  // namespace
}  // namespace trammel
