#pragma once

#include <string>

#include "trammel/study/check.h"
#include "trammel/study/reproduction.h"
#include "trammel/study/summary.h"
#include "trammel/study/torque_study.h"

namespace trammel {

/// Results as one JSON object, two blanks a level, without a line break at the end. Numbers that are infinite or none are null: JSON
/// has no other word for these. Where `files` are given, the object ends with a list of them.
using FileNames = std::vector<std::string>;

/// Of a run.
std::string to_json(const Scenario& scenario, const Simulation& simulation, const Summary& summary,
                    const FileNames* files = nullptr);
std::string to_json(const Scenario& scenario, const Check& check);
std::string to_json(const Scenario& scenario, const TorqueStudy& study, const FileNames* files = nullptr);
/// Of a comparison.
std::string to_json(const Scenario& scenario, const std::vector<FormulationResult>& formulations,
                    const std::vector<DriftResult>& drifts, const FileNames* files = nullptr);
/// Of studies, by the names of their files.
struct NamedReproduction {
  std::string name;
  Reproduction study;
};
std::string to_json(const std::vector<NamedReproduction>& studies, const FileNames* files = nullptr);

}  // namespace trammel
