#pragma once

namespace trammel {

class Problem;
class WorstError;
struct Data;

/// How far a control constraint that motors track is from holding: the length of its errors, and of their rates.
struct Miss {
  double distance = 0;  // m; angles count by the lengths that their rows declare
  double speed = 0;     // m/s
};

/// How many constraints motors track, and the miss of one of these, in their order, at the state that was last placed.
int tracked_constraints(const Problem& problem);
Miss tracking_miss(const Data& data, int i);
/// Its distance in the unit of its rows: where these have several, that of the unit in which it is longest.
void see_miss(const Data& data, int i, WorstError& out);

}  // namespace trammel
