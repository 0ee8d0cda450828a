#include "trammel/math/vector.h"

namespace trammel {

const char TRAMMEL_EIGEN_ABI = 0;

}  // namespace trammel
