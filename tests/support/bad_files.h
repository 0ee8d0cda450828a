#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trammel::test {

/// A file with one thing wrong, and the message, in full, that its author must read. A list of them is a text:
///
///   --- what is wrong
///   the file
///   >>> the message
struct BadFile {
  std::string name, text, message;
};

/// `list`: from the repository's root.
inline std::vector<BadFile> bad_files(const std::string& list) {
  std::vector<BadFile> out;
  std::ifstream stream(TRAMMEL_SOURCE_DIR "/" + list);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("--- "))
      out.push_back({line.substr(4), "", ""});
    else if (line.starts_with(">>>"))
      out.back().message = line.substr(std::min<std::size_t>(4, line.size()));
    else
      out.back().text += line + "\n";
  }
  return out;
}

/// There are as many at least, and each message says where (in `bad.yaml`), what was found and what is allowed.
inline void expect_messages(const std::vector<BadFile>& files, std::size_t least) {
  EXPECT_GE(files.size(), least);
  for (const BadFile& bad : files) {
    EXPECT_TRUE(bad.message.starts_with("bad.yaml:")) << bad.name;
    EXPECT_NE(bad.message.find(": found "), std::string::npos) << bad.name;
    EXPECT_NE(bad.message.find("; allowed: "), std::string::npos) << bad.name;
  }
}

}  // namespace trammel::test
