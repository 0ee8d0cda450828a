#pragma once

#include "trammel/motion/data.h"

namespace trammel {

/// "follows from a, b"; "holds by itself" where there is nothing to follow from.
std::string follows(const std::vector<std::string>& from);

/// A row that follows from others.
struct Dependence {
  int row;                  // in the order of the set
  std::vector<int> others;  // the kept rows that it is made of
};

/// All rows of a set that follow from others at the state of the factors.
std::vector<Dependence> dependences(Data& data, const RowSet& set);

/// "'c' contradicts 'e'": of the rows that are held and were last solved for, those that cannot hold together; empty where all agree.
std::string contradiction(Data& data);

}  // namespace trammel
