#pragma once

#include <string>

#include "trammel/model/model.h"

namespace trammel {

/// What a robot holds, as tables for a terminal: tree, joints, limits, masses, frames, couplings, warnings.
std::string robot_text(const Model& model);

/// What it is at a configuration: mass matrix, gravity forces, energy, mass centre, poses of frames.
std::string robot_text(const Model& model, const VecX<>& q);

/// The same as one JSON object; with what holds at `q`, under "at", where it is given.
std::string robot_json(const Model& model, const VecX<>* q = nullptr);

}  // namespace trammel
