# Installs trammel/trammel.h and every header that it reaches: what is not for users stays out. `source` is the repository, `include_dir`
# where headers go, below the prefix.
cmake_minimum_required(VERSION 3.25)
if(IS_ABSOLUTE "${include_dir}")
  message(FATAL_ERROR "CMAKE_INSTALL_INCLUDEDIR ${include_dir} is absolute; allowed: a folder below the prefix")
endif()
set(reached trammel/trammel.h)
set(open ${reached})
while(open)
  list(POP_FRONT open header)
  file(STRINGS ${source}/${header} lines REGEX "^#include \"trammel/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST reached)
      list(APPEND reached ${included})
      list(APPEND open ${included})
    endif()
  endforeach()
endwhile()

# what an earlier version left, and this one does not have, would be found by includes
file(GLOB_RECURSE stale RELATIVE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${include_dir}"
  "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${include_dir}/trammel/*.h")
list(REMOVE_ITEM stale ${reached})
foreach(header IN LISTS stale)
  file(REMOVE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${include_dir}/${header}")
endforeach()

foreach(header IN LISTS reached)
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${include_dir}/${folder}" TYPE FILE FILES "${source}/${header}")
endforeach()
