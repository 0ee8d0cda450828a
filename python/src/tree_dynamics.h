#pragma once

#include "bind.h"
#include "trammel/model/model.h"

namespace trammel::python {

using ModelClass = nb::class_<Model>;

/// Where frames are and how they move, mass matrix, forces, energies of a tree at a state.
void bind_tree_dynamics(ModelClass& model);

}  // namespace trammel::python
