#include "trammel/report/results.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/random.h"
#include "support/scratch_folder.h"

namespace trammel {
namespace {

using test::content;
using test::ScratchFolder;

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) out.insert(entry.path().filename());
  return out;
}

// Files "name.txt" that say which run they are of, and an index that lists them.
Results run_of(const std::string& run, const std::vector<std::string>& names, std::size_t bytes = 0) {
  Results out{.json_name = "index.json", .json = [run](const std::vector<std::string>& files) {
                return nlohmann::json{{"run", run}, {"files", files}}.dump();
              }};
  for (const std::string& name : names) out.data.push_back({name, [=] { return run + std::string(bytes, ' ') + run; }});
  return out;
}

struct OutputPlace {
  ScratchFolder scratch;
  OutputFolder folder{scratch.path() / "out"};
  fs::path file(const std::string& name) const { return folder.path() / name; }
};

// A folder of the user's in it, for which files are moved one by one.
struct OutputPlaceWithFolder : OutputPlace {
  OutputPlaceWithFolder() { fs::create_directory(file("mine")); }
};

template <class Somewhere>
class WriteResults : public testing::Test {
 protected:
  Somewhere somewhere;
};
using OutputPlaces = testing::Types<OutputPlace, OutputPlaceWithFolder>;
TYPED_TEST_SUITE(WriteResults, OutputPlaces);

TYPED_TEST(WriteResults, TakesAwayWhatTheRunBeforeLeftAndNothingElse) {
  const auto& place = this->somewhere;
  std::ofstream(place.file("notes.txt")) << "of the user";
  fs::create_symlink("notes.txt", place.file("link"));
  const std::set<std::string> mine = names_in(place.folder.path());
  write_results(place.folder, run_of("first", {"a.txt", "b.txt"}));
  write_results(place.folder, run_of("second", {"b.txt", "c.txt"}));
  std::set<std::string> expected = mine;
  expected.insert({"b.txt", "c.txt", "index.json"});
  EXPECT_EQ(names_in(place.folder.path()), expected);
  for (const char* name : {"b.txt", "c.txt"}) EXPECT_EQ(content(place.file(name)), "secondsecond") << name;
  EXPECT_EQ(content(place.file("link")), "of the user");
  EXPECT_EQ(names_in(place.scratch.path()), std::set<std::string>{"out"});  // and nothing beside it
}

TYPED_TEST(WriteResults, ResultsOfAnotherIndexStay) {
  Results torques = run_of("torques", {"torques.txt"});
  torques.json_name = "torques.json";
  write_results(this->somewhere.folder, torques);
  write_results(this->somewhere.folder, run_of("run", {"a.txt"}));
  EXPECT_EQ(content(this->somewhere.file("torques.txt")), "torquestorques");
  EXPECT_EQ(content(this->somewhere.file("a.txt")), "runrun");
}

TYPED_TEST(WriteResults, WhatCannotBeDrawnCostsNoOtherFile) {
  Results results = run_of("run", {"a.txt"});
  results.pages.push_back({"page.html", []() -> std::string { throw std::runtime_error("out of ink"); }});
  results.figures.push_back({"curve", Figure{.title = "curve"}});
  try {
    write_results(this->somewhere.folder, results);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "out of ink");
  }
  EXPECT_EQ(content(this->somewhere.file("a.txt")), "runrun");
  EXPECT_TRUE(content(this->somewhere.file("curve.svg")).starts_with("<svg"));
  EXPECT_FALSE(fs::exists(this->somewhere.file("page.html")));
  EXPECT_EQ(nlohmann::json::parse(content(this->somewhere.file("index.json")))["files"],
            (std::vector<std::string>{"a.txt", "curve.svg"}));
}

TYPED_TEST(WriteResults, DataThatCannotBeMadeLeaveTheFolderAsItWas) {
  write_results(this->somewhere.folder, run_of("first", {"a.txt"}));
  const std::set<std::string> before = names_in(this->somewhere.folder.path());
  Results second = run_of("second", {"a.txt"});
  second.data.push_back({"b.txt", []() -> std::string { throw std::bad_alloc(); }});
  EXPECT_THROW(write_results(this->somewhere.folder, second), std::bad_alloc);
  EXPECT_EQ(names_in(this->somewhere.folder.path()), before);
  EXPECT_EQ(content(this->somewhere.file("a.txt")), "firstfirst");
}

TEST(StagedResults, KeepTheFolderInWhichTheProgramWorks) {
  const OutputPlace place;
  const fs::path before = fs::current_path();
  fs::current_path(place.folder.path());
  write_results(OutputFolder("."), run_of("run", {"a.txt"}));
  EXPECT_EQ(content("a.txt"), "runrun");  // seen from there: it is the same folder
  fs::current_path(before);
}

TEST(StagedResults, KeepWhatLooksLikeAStageButIsNot) {
  const OutputPlace place;
  for (const char* name : {".out.new-mine", ".out.new-toolong7", ".outnew-abcdef"})
    fs::create_directory(place.scratch.path() / name);
  const std::set<std::string> before = names_in(place.scratch.path());
  write_results(place.folder, run_of("run", {"a.txt"}));
  EXPECT_EQ(names_in(place.scratch.path()), before);
}

TEST(StagedResults, GoWhereALinkLeads) {
  const OutputPlace place;
  fs::create_directory_symlink("out", place.scratch.path() / "link");
  write_results(OutputFolder(place.scratch.path() / "link"), run_of("run", {"a.txt"}));
  EXPECT_TRUE(fs::is_symlink(place.scratch.path() / "link"));
  EXPECT_EQ(content(place.file("a.txt")), "runrun");
}

// Two programs write into one folder: it holds the run of one of them, whole.
TEST(StagedResults, OfTwoWritersAtOnceOneIsThere) {
  const OutputPlace place;
  std::vector<pid_t> writers;
  for (const char* name : {"left", "right"}) {
    writers.push_back(fork());
    if (writers.back() != 0) continue;
    try {
      for (int k = 0; k < 50; ++k)
        write_results(place.folder, run_of(name, {"a.txt", std::string(name) + ".txt"}, 10'000));
      _exit(0);
    } catch (...) {
      _exit(1);
    }
  }
  for (const pid_t writer : writers) {
    int status = -1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto run = nlohmann::json::parse(content(place.file("index.json")))["run"].get<std::string>();
  EXPECT_EQ(names_in(place.folder.path()), (std::set<std::string>{"index.json", "a.txt", run + ".txt"}));
  EXPECT_EQ(content(place.file("a.txt")), run + std::string(10'000, ' ') + run);
  EXPECT_EQ(names_in(place.scratch.path()), std::set<std::string>{"out"});
}

TEST(StagedResults, KeepThePermissionsOfTheFolder) {
  const OutputPlace place;
  fs::permissions(place.folder.path(), fs::perms(0750));
  write_results(place.folder, run_of("run", {"a.txt"}));
  EXPECT_EQ(fs::status(place.folder.path()).permissions(), fs::perms(0750));
}

// Runs follow each other, of other files each, until the program is killed. Each is told when it has been written.
[[noreturn]] void write_for_ever(const OutputFolder& folder, int first, int told) {
  for (int run = first;; ++run) {
    std::vector<std::string> names{"a.txt", "b.txt"};
    for (int k = 0; k < run % 4; ++k) names.push_back(fmt::format("of-{}-{}.txt", run, k));
    write_results(folder, run_of(std::to_string(run), names, 100'000));
    if (write(told, "!", 1) != 1) _exit(1);
  }
}

TEST(StagedResults, KilledAtAnyMomentTheFolderHoldsOneRunAndAllOfIt) {
  const OutputPlace place;
  write_results(place.folder, run_of("0", {"a.txt", "b.txt"}, 100'000));
  test::Random random(50);
  std::set<std::string> seen;
  int stages = 0;  // moments at which files stood half written beside the folder
  for (int moment = 0; moment < 50; ++moment) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
      try {
        write_for_ever(place.folder, 1000 * (moment + 1), told[1]);
      } catch (...) {
        _exit(1);
      }
    }
    close(told[1]);  // so that a child that dies is noticed
    char first = 0;
    ASSERT_EQ(read(told[0], &first, 1), 1);
    usleep(static_cast<useconds_t>(random.uniform(0, 10'000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(told[0]);
    stages += static_cast<int>(names_in(place.scratch.path()).size()) - 1;
    const nlohmann::json index = nlohmann::json::parse(content(place.file("index.json")));
    const auto run = index["run"].get<std::string>();
    std::set<std::string> expected{"index.json"};
    for (const auto& file : index["files"]) {
      expected.insert(file.get<std::string>());
      EXPECT_EQ(content(place.file(file)), run + std::string(100'000, ' ') + run) << "moment " << moment;
    }
    EXPECT_EQ(names_in(place.folder.path()), expected) << "moment " << moment;
    seen.insert(run);
  }
  std::cout << "50 kills: " << seen.size() << " different runs found whole, " << stages << " left a stage beside it\n";
  EXPECT_EQ(seen.size(), 50u);
  EXPECT_GT(stages, 0);
  write_results(place.folder, run_of("last", {"a.txt"}));
  EXPECT_EQ(names_in(place.scratch.path()), std::set<std::string>{"out"});  // what the dead left is gone
}

}  // namespace
}  // namespace trammel
