#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trammel/model/description.h"

namespace trammel::xml {

/// Warnings in the making. What is said of many elements becomes one warning with their number, at the place of the
/// first.
class Remarks {
 public:
  /// How a remark reads for one and for several; the number is put before it.
  struct Wording {
    std::string one, several;
  };

  /// Counts one more of `kind`. The wording is asked for only when the kind is new.
  void add(const Place& place, const std::string& kind, const std::function<Wording()>& wording);
  void add(const Place& place, const Wording& wording);  // the wording is the kind

  /// In the order of the lines.
  std::vector<Warning> warnings() const;

 private:
  struct Remark {
    Place first;
    Wording wording;
    int count = 0;
  };
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Remark> remarks_;
};

}  // namespace trammel::xml
