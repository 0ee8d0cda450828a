#pragma once

namespace trammel::test {

/// How many of `all` seeded cases are tried: a tenth, the first ones; all of them with TRAMMEL_SEEDS=all in the environment, as in
/// `make soak`. What is asserted is the same.
int cases(int all);

/// Lets rapidcheck draw the same cases in every run, and as many of `all` as above; RC_PARAMS in the environment overrides. Called before
/// main, once in a program; the first call counts.
int fix_seed(int seed, int all);

}  // namespace trammel::test
