#include "trammel/math/inertia.h"

// math may include itself and what stands before it in trammel/CMakeLists.txt.
double mass_of(const trammel::Inertia<>& inertia) { return inertia.mass; }
