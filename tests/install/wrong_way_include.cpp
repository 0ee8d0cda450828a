#include "trammel/math/inertia.h"
// math stands before model in the pipeline: this must not compile.
#include "trammel/model/model.h"
