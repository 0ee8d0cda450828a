#pragma once

#include <functional>
#include <vector>

#include "trammel/report/output_folder.h"

namespace trammel {

/// New files for an output folder, written into a folder beside it (.NAME.new-XXXXXX) and put in place in one step:
/// whenever the program is killed, the folder holds either the old files or the new ones.
///
/// The step is the kernel's exchange of two folders (renameat2 with RENAME_EXCHANGE). Where that cannot be had, files are moved one by
/// one: on file systems without it, where the folder cannot be replaced (it is a mount point, the program works inside of it, its
/// parent is not writable), or where it holds folders of the user's. Then the index is taken away first and put there last:
/// a folder without its index holds no whole result. Other programs that work in a folder which is exchanged (a shell, a server) stay
/// in the old one, which is gone.
class StagedFolder {
 public:
  /// Removes what programs that were killed have left beside the folder.
  explicit StagedFolder(const OutputFolder& folder);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  /// Throws std::runtime_error if the file cannot be written whole.
  void write(const std::string& name, std::string_view content);

  /// Puts what was written in place of what has the same names and of what is outdated. Other files of the folder stay. `index` is the
  /// file that tells what belongs together; `outdated` is asked when no other program can change the folder.
  void commit(const std::string& index, const std::function<std::vector<std::string>()>& outdated);

 private:
  bool can_be_exchanged() const;
  bool keep_others(const std::vector<std::string>& outdated);
  bool exchange(const std::vector<std::string>& outdated);
  void move_each(const std::string& index, const std::vector<std::string>& outdated);
  bool is_written(const std::string& name) const;

  std::filesystem::path folder_, stage_;
  std::vector<std::string> written_, kept_;
  int lock_ = -1;  // of the stage: held while this program lives
};

}  // namespace trammel
