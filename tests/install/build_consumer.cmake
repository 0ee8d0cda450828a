# cmake -D build=DIR -D consumer=DIR -D compiler=FILE [-D sanitize=LIST] -P build_consumer.cmake
#
# Installs the build into a prefix of its own, builds the consumer against it as a stranger would, runs it, and compares
# what it prints.
set(here ${build}/consumer)
file(REMOVE_RECURSE ${here})
unset(ENV{DESTDIR})

function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${here}/prefix)
if(sanitize)
  set(flags -DCMAKE_CXX_FLAGS=-fsanitize=${sanitize})  # a library with sanitizers asks for a program with them
endif()
run(${CMAKE_COMMAND} -S ${consumer} -B ${here}/build -G Ninja
  -DCMAKE_PREFIX_PATH=${here}/prefix -DCMAKE_CXX_COMPILER=${compiler} ${flags})
run(${CMAKE_COMMAND} --build ${here}/build)
run(${here}/build/consumer)

set(expected "arm has 2 freedoms and 3 kg\n")
if(NOT said STREQUAL expected)
  message(FATAL_ERROR "the consumer printed\n${said}instead of\n${expected}")
endif()
# A package that points back into the build directory would work here and nowhere else.
file(READ ${here}/build/build.ninja rules)
string(FIND "${rules}" "${build}/include/" leak)
if(NOT leak EQUAL -1)
  message(FATAL_ERROR "the installed package points back to ${build}/include")
endif()
