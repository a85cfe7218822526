//! The package for CMake's `find_package`.

use std::io;
use std::path::Path;

use super::write;

/// The configuration file. Its paths are relative to the file, so the folder can be moved.
const CONFIG: &str = r#"# find_package(ringtrace) defines these targets:
#
#   ringtrace::ringtrace   the shared object
#   ringtrace::static      the archive
#   ringtrace::tracetool   the generator
#
# and this function, which generates the probes of a group, and adds them to a target:
#
#   ringtrace_add_events(TARGET GROUP DECLARATIONS [EXTENDED_TYPES] [BACKENDS BACKEND...])
#
# The target's sources can include trace-GROUP.h. Without BACKENDS, the backend is simple.
# EXTENDED_TYPES allows the types double and float, and enumerations.

get_filename_component(_ringtrace_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET ringtrace::ringtrace)
  add_library(ringtrace::ringtrace SHARED IMPORTED)
  set_target_properties(ringtrace::ringtrace PROPERTIES
    IMPORTED_LOCATION "${_ringtrace_prefix}/lib/libringtrace.so.@VERSION@"
    IMPORTED_SONAME "libringtrace.so.@ABI@"
    INTERFACE_INCLUDE_DIRECTORIES "${_ringtrace_prefix}/include/ringtrace")
  add_library(ringtrace::static STATIC IMPORTED)
  set_target_properties(ringtrace::static PROPERTIES
    IMPORTED_LOCATION "${_ringtrace_prefix}/lib/libringtrace.a"
    INTERFACE_LINK_LIBRARIES "@LIBRARIES@"
    INTERFACE_INCLUDE_DIRECTORIES "${_ringtrace_prefix}/include/ringtrace")
  add_executable(ringtrace::tracetool IMPORTED)
  set_target_properties(ringtrace::tracetool PROPERTIES
    IMPORTED_LOCATION "${_ringtrace_prefix}/bin/tracetool")
endif()
unset(_ringtrace_prefix)

function(ringtrace_add_events target group declarations)
  cmake_parse_arguments(arg "EXTENDED_TYPES" "" "BACKENDS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ringtrace_add_events: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "C" IN_LIST languages)
    message(FATAL_ERROR "ringtrace_add_events: generated sources are C; use project(... LANGUAGES C CXX)")
  endif()
  if(NOT arg_BACKENDS)
    set(arg_BACKENDS simple)
  endif()
  set(options "")
  if(arg_EXTENDED_TYPES)
    set(options --extended-types)
  endif()
  string(REPLACE ";" "," backends "${arg_BACKENDS}")
  get_filename_component(declarations "${declarations}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/ringtrace/${target}")
  file(MAKE_DIRECTORY "${folder}")
  foreach(format h c)
    set(output "${folder}/trace-${group}.${format}")
    # The generator does not write a file whose contents would stay the same, but build programs compare times.
    add_custom_command(
      OUTPUT "${output}"
      COMMAND ringtrace::tracetool "--group=${group}" "--backends=${backends}" "--format=${format}"
        ${options} "${declarations}" "${output}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${output}"
      DEPENDS "${declarations}"
      VERBATIM)
    target_sources("${target}" PRIVATE "${output}")
  endforeach()
  target_include_directories("${target}" PRIVATE "${folder}")
endfunction()
"#;

/// The version file. Versions with the same major and minor numbers are compatible.
const CONFIG_VERSION: &str = r#"set(PACKAGE_VERSION "@VERSION@")
if(PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION
    OR NOT PACKAGE_VERSION MATCHES "^${PACKAGE_FIND_VERSION_MAJOR}[.]${PACKAGE_FIND_VERSION_MINOR}[.]")
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
else()
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
"#;

/// Writes the package to `lib`. `libraries` are the flags that the archive needs.
pub(super) fn install(lib: &Path, version: &str, abi: &str, libraries: &[String]) -> io::Result<()> {
    for (name, text) in
        [("ringtrace-config.cmake", CONFIG), ("ringtrace-config-version.cmake", CONFIG_VERSION)]
    {
        let text = text.replace("@VERSION@", version).replace("@ABI@", abi);
        let text = text.replace("@LIBRARIES@", &libraries.join(";"));
        write(&lib.join("cmake/ringtrace").join(name), text.as_bytes())?;
    }
    Ok(())
}
