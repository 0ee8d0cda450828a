# cmake -D build=DIR -D prefix=DIR -P install.cmake: installs a build into an empty prefix.
file(REMOVE_RECURSE ${prefix})
unset(ENV{DESTDIR})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --prefix ${prefix} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
