#pragma once

#include <string>

#include "trammel/sweep/sweep.h"

namespace trammel {

/// What numbers depend on besides files: the registers that the library was compiled for, and the mathematical library with what it
/// finds on the processor: "x86-64, glibc 2.36 with fma". Tables of one such name, and one version, are the same to the byte.
std::string instruction_level();

/// All that the cases of a sweep are a function of, as one JSON object: what parts in a folder must share.
std::string identity_of(const Sweep& sweep);

/// "" where two are the same; else the first thing in which they differ, "another sweep file", …
std::string difference_of(const std::string& identity, const std::string& other);

}  // namespace trammel
