#pragma once

#include "trammel/expression/program.h"
#include "trammel/math/lane_jet.h"

namespace trammel::expression {

/// A program for several states side by side: arithmetic, sines, cosines and roots in lanes, what has cases lane by lane. Not
/// installed.

/// As Program::run, on Lanes or LaneJets.
template <class Scalar>
Scalar run_in_lanes(const Program& program, std::span<const Scalar> leaf_values, std::span<Scalar> registers);

/// As Program::sweep_back, from the registers of a run on jets.
void sweep_back_in_lanes(const Program& program, std::span<const LaneJet> registers, std::span<Lanes> out);

}  // namespace trammel::expression
