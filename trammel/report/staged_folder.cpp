#include "trammel/report/staged_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fmt/core.h>

#include "trammel/report/write_whole.h"

namespace trammel {
namespace {

namespace fs = std::filesystem;

int open_folder(const fs::path& path) { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

struct stat status_of(const fs::path& path) {
  struct stat out {};
  stat(path.c_str(), &out);
  return out;
}

// Held, one program may change the folder. Another may have exchanged it while this one waited: then the new one is locked.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& path) {
    struct stat locked {};
    do {
      if (descriptor_ >= 0) close(descriptor_);
      descriptor_ = open_folder(path);
      if (descriptor_ < 0 || flock(descriptor_, LOCK_EX) != 0) return;  // a file system without locks
      fstat(descriptor_, &locked);
    } while (locked.st_ino != status_of(path).st_ino);
  }
  ~FolderLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Folders in `where` that begin with this and that no living program has locked.
void remove_stale(const fs::path& where, const std::string& prefix) {
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(where, ignored))
    if (entry.path().filename().string().starts_with(prefix) && !entry.is_symlink(ignored) &&
        entry.is_directory(ignored))
      stale.push_back(entry.path());
  for (const fs::path& path : stale) {
    const int descriptor = open_folder(path);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
    if (descriptor >= 0) close(descriptor);
  }
}

// An empty folder where/prefixXXXXXX; no path if there can be none.
fs::path make_folder(const fs::path& where, const std::string& prefix) {
  std::string name = (where / (prefix + "XXXXXX")).string();
  return mkdtemp(name.data()) == nullptr ? fs::path() : fs::path(name);
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [rest, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

std::runtime_error cannot_write(const fs::path& path, const std::string& why) {
  return std::runtime_error(fmt::format("{}: cannot write: {}", path.string(), why));
}

}  // namespace

StagedFolder::StagedFolder(const OutputFolder& folder) : folder_(fs::canonical(folder.path())) {
  const FolderLock alone(folder_);
  const fs::path parent = folder_.parent_path();
  const std::string beside = fmt::format(".{}.new-", folder_.filename().string()), inside = ".new-";
  remove_stale(parent, beside);
  remove_stale(folder_, inside);
  if (status_of(parent).st_dev == status_of(folder_).st_dev) stage_ = make_folder(parent, beside);
  if (stage_.empty()) stage_ = make_folder(folder_, inside);
  if (stage_.empty()) throw cannot_write(folder_, std::strerror(errno));
  lock_ = open_folder(stage_);
  if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!stage_.empty()) fs::remove_all(stage_, ignored);
  if (lock_ >= 0) close(lock_);
}

void StagedFolder::write(const std::string& name, std::string_view content) {
  const std::string why = write_whole(stage_ / name, content);
  if (why.empty()) {
    written_.push_back(name);
    return;
  }
  std::error_code ignored;
  fs::remove(stage_ / name, ignored);
  throw cannot_write(folder_ / name, why);
}

void StagedFolder::commit(const std::string& index, const std::function<std::vector<std::string>()>& outdated) {
  const FolderLock alone(folder_);
  const std::vector<std::string> old = outdated();
  if (!can_be_exchanged() || !exchange(old)) move_each(index, old);
}

bool StagedFolder::is_written(const std::string& name) const {
  return std::ranges::find(written_, name) != written_.end();
}

bool StagedFolder::can_be_exchanged() const {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error || lies_in(here, folder_) || lies_in(stage_, folder_)) return false;
  return std::ranges::all_of(fs::directory_iterator(folder_, error), [](const fs::directory_entry& entry) {
    return entry.is_symlink() || entry.is_regular_file();
  });
}

bool StagedFolder::exchange(const std::vector<std::string>& outdated) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename();
    if (is_written(name) || std::ranges::find(outdated, name) != outdated.end()) continue;
    if (entry.is_symlink())
      fs::copy_symlink(entry.path(), stage_ / name, error);
    else
      fs::create_hard_link(entry.path(), stage_ / name, error);
    if (error) return false;
  }
  const struct stat old = status_of(folder_);
  if (chown(stage_.c_str(), old.st_uid, old.st_gid) != 0 || chmod(stage_.c_str(), old.st_mode & 07777) != 0)
    return false;
  if (renameat2(AT_FDCWD, stage_.c_str(), AT_FDCWD, folder_.c_str(), RENAME_EXCHANGE) != 0) return false;
  fs::remove_all(stage_, error);  // which are the old ones now
  return true;
}

void StagedFolder::move_each(const std::string& index, const std::vector<std::string>& outdated) {
  std::error_code error;
  fs::remove(folder_ / index, error);
  for (const std::string& name : outdated)
    if (!is_written(name)) fs::remove(folder_ / name, error);
  std::vector<std::string> order = written_;
  std::ranges::stable_partition(order, [&](const std::string& name) { return name != index; });
  for (const std::string& name : order) {
    fs::rename(stage_ / name, folder_ / name, error);
    if (error) throw cannot_write(folder_ / name, error.message());
  }
}

}  // namespace trammel
