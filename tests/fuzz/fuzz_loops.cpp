#include <cstdint>
#include <string_view>

#include "message.h"
#include "trammel/scenario/loops.h"
#include "trammel/urdf/urdf.h"

// Whatever the bytes beside a URDF are, the reader of loops adds them, or refuses them with a message of one line.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view urdf = R"(<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
    <joint name="q1" type="continuous"><parent link="a"/><child link="b"/></joint>
    <joint name="q2" type="continuous"><parent link="a"/><child link="c"/></joint></robot>)";
  trammel::RobotDescription robot = trammel::parse_urdf(urdf, "/fuzz.urdf");
  try {
    trammel::scenario::add_loops({reinterpret_cast<const char*>(data), size}, "/fuzz.yaml", robot);
  } catch (const trammel::Error& error) {
    check_message(error.what());
  }
  return 0;
}
