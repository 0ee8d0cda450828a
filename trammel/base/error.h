#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace trammel {

/// Where in the user's input something stands. Lines and columns count from 1; 0 means unknown.
struct Place {
  std::string file;  // as the user gave it; empty when the input did not come from a file
  int line = 0;
  int column = 0;
};

/// "arm.urdf:12:3", "arm.urdf:12", "arm.urdf" or "", as much as is known.
std::string to_string(const Place& place);

/// What the user gave is wrong. The message is one line that says where, what was found and what is allowed:
///
///   arm.urdf:12: found mass -3 kg of link 'forearm'; allowed: 0 or more
///
/// Of several mistakes (faults.h) it is the first, and the message has a line for each.
class Error : public std::runtime_error {
 public:
  Error(const Place& place, const std::string& found, const std::string& allowed);
  Error(const std::string& found, const std::string& allowed) : Error(Place{}, found, allowed) {}
  /// All of them: at least one.
  explicit Error(const std::vector<Error>& all);

  const Place& place() const { return parts_->place; }
  const std::string& found() const { return parts_->found; }
  const std::string& allowed() const { return parts_->allowed; }
  /// The same said of another place: for who knows where the value came from that a constructor refused.
  Error at(const Place& place) const { return {place, parts_->found, parts_->allowed}; }
  /// Each by itself; itself alone where it is one.
  std::vector<Error> each() const { return parts_->all.empty() ? std::vector<Error>{*this} : parts_->all; }

 private:
  struct Parts {
    Place place;
    std::string found, allowed;
    std::vector<Error> all;  // where there are several
  };
  std::shared_ptr<const Parts> parts_;  // shared, so that copies of an exception cannot throw
};

}  // namespace trammel
