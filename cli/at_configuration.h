#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "trammel/model/model.h"

namespace trammel::cli {

/// The configuration that a person typed as "q1=0.3,base[2]=1.5": coordinates by joint name, with [i] behind joints that
/// have several; those not named are zero (quaternions: no turn). rad and m. Throws Error for anything else.
VecX<> parse_configuration(const Model& model, const std::string& text);

/// What `info --at` tells of a configuration: mass matrix, gravity forces, energy, mass centre, frame poses.
void print_configuration(const Model& model, const VecX<>& q);
nlohmann::ordered_json configuration_to_json(const Model& model, const VecX<>& q);

}  // namespace trammel::cli
