#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// A sentence without quoted names and without numbers: what it has in common with others of its kind.
std::string kind_of(std::string_view sentence);

/// A list of sentences in which those of one kind that are many are the first few, and how many more there are. Sentences are of one kind
/// that differ in quoted names and in numbers alone.
std::vector<std::string> folded(const std::vector<std::string>& sentences, int most = 5);

/// Of a list whose sentences are all of one kind, "and 37 more <such>" in the end.
std::vector<std::string> folded(std::vector<std::string> sentences, int most, const std::string& such);

/// "t = 0.709, 1.34, 2.63 s and 5 more until t = 9.1 s": moments in seconds, in the order of time; at least one.
std::string folded_moments(const std::vector<double>& times);

}  // namespace trammel
