#include "trammel/report/staged_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
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

// Whether mkdtemp can have made the name: six characters behind the prefix.
bool is_stage_name(const std::string& name, const std::string& prefix) {
  return name.starts_with(prefix) && name.size() == prefix.size() + 6 &&
         std::all_of(name.end() - 6, name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

// Stages in `where`, of this user's, that no living program has locked.
void remove_stale(const fs::path& where, const std::string& prefix) {
  std::error_code ignored;
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(where, ignored))
    if (is_stage_name(entry.path().filename(), prefix) && !entry.is_symlink(ignored) && entry.is_directory(ignored) &&
        status_of(entry.path()).st_uid == geteuid())
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

// Which mount a path lies in, where the kernel tells.
std::optional<std::uint64_t> mount_of(const fs::path& path) {
  struct statx out {};
  const bool known = statx(AT_FDCWD, path.c_str(), 0, STATX_MNT_ID, &out) == 0 && (out.stx_mask & STATX_MNT_ID) != 0;
  return known ? std::optional<std::uint64_t>(out.stx_mnt_id) : std::nullopt;
}

// Whether files can be moved from one folder into the other. Both may be of one device, and yet mounted apart.
bool share_a_mount(const fs::path& a, const fs::path& b) {
  return status_of(a).st_dev == status_of(b).st_dev && mount_of(a) == mount_of(b);
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
  if (share_a_mount(parent, folder_)) stage_ = make_folder(parent, beside);
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
    if (!is_written(name)) written_.push_back(name);
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
  return !error && !lies_in(here, folder_) && !lies_in(stage_, folder_);
}

// Links what stays into the stage. False where something is neither a file nor a link, or cannot be read.
bool StagedFolder::keep_others(const std::vector<std::string>& outdated) {
  std::error_code error;
  fs::directory_iterator entry(folder_, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (is_written(name) || std::ranges::find(outdated, name) != outdated.end()) continue;
    if (entry->is_symlink(error))
      fs::copy_symlink(entry->path(), stage_ / name, error);
    else if (entry->is_regular_file(error))
      fs::create_hard_link(entry->path(), stage_ / name, error);
    else
      return false;
    if (error) return false;
    kept_.push_back(name);
  }
  return !error;
}

bool StagedFolder::exchange(const std::vector<std::string>& outdated) {
  if (!keep_others(outdated)) return false;
  const struct stat old = status_of(folder_);
  if (chown(stage_.c_str(), old.st_uid, old.st_gid) != 0 || chmod(stage_.c_str(), old.st_mode & 07777) != 0)
    return false;
  if (renameat2(AT_FDCWD, stage_.c_str(), AT_FDCWD, folder_.c_str(), RENAME_EXCHANGE) != 0) return false;
  // the stage holds the old files now: what stands in the new folder goes, and what somebody else has put there meanwhile moves over
  std::error_code error;
  for (const std::vector<std::string>& gone : {written_, kept_, outdated})
    for (const std::string& name : gone) fs::remove(stage_ / name, error);
  std::vector<fs::path> late;
  for (const fs::directory_entry& entry : fs::directory_iterator(stage_, error)) late.push_back(entry.path());
  for (const fs::path& path : late)
    renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, (folder_ / path.filename()).c_str(), RENAME_NOREPLACE);
  fs::remove(stage_, error);
  stage_.clear();
  return true;
}

void StagedFolder::move_each(const std::string& index, const std::vector<std::string>& outdated) {
  std::error_code error;
  for (const std::string& name : kept_) fs::remove(stage_ / name, error);
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
