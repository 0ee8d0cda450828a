# cmake -D source=REPOSITORY -D build=DIR -D project=FOLDER -D prefix=DIR -D work=DIR -D compiler=FILE [-D flags=…] [-D sanitize=LIST]
#       [-D other_flags=…] [-D arguments=…] (-D prints=REGEX | -D refused=REGEX) -P build_consumer.cmake
#
# Builds a project of the repository against the library in the prefix, from a copy elsewhere, as a stranger would: it runs and prints
# what `prints` says, or does not link and says `refused`.
file(REMOVE_RECURSE ${work})
get_filename_component(name ${project} NAME)
file(COPY ${source}/${project} DESTINATION ${work})

function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE result)
  set(said "${said}" PARENT_SCOPE)
  set(result "${result}" PARENT_SCOPE)
endfunction()
function(must_run)
  run(${ARGV})
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()

if(sanitize)
  string(APPEND flags " -fsanitize=${sanitize}")
endif()
must_run(${CMAKE_COMMAND} -S ${work}/${name} -B ${work}/build -G Ninja
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${compiler} "-DCMAKE_CXX_FLAGS=${flags} ${other_flags}")
# A package that points back into the build or the repository would work here and nowhere else.
file(READ ${work}/build/build.ninja rules)
foreach(elsewhere ${source}/trammel ${source}/tests ${build}/include)
  string(FIND "${rules}" "${elsewhere}" leak)
  if(NOT leak EQUAL -1)
    message(FATAL_ERROR "the installed package points back to ${elsewhere}")
  endif()
endforeach()

if(refused)
  run(${CMAKE_COMMAND} --build ${work}/build)
  if(result EQUAL 0 OR NOT said MATCHES "${refused}")
    message(FATAL_ERROR "should not link, and say ${refused}; but it ended with ${result}:\n${said}")
  endif()
  return()
endif()
must_run(${CMAKE_COMMAND} --build ${work}/build)
separate_arguments(arguments)
must_run(${work}/build/${name} ${arguments})
if(NOT said MATCHES "${prints}")
  message(FATAL_ERROR "the program printed\n${said}instead of\n${prints}")
endif()
