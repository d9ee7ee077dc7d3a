# SPDX-License-Identifier: MIT
#
# Install rules: headers, both libraries, a relocatable CMake package and a pkg-config file; the tools, manual pages,
# licence and examples.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/clfold)
set(left_out "")
foreach(name distributed mpi)
    if(NOT TARGET clfold_${name})
        list(APPEND left_out PATTERN clfold_${name}.h EXCLUDE)
    endif()
endforeach()
install(DIRECTORY include/clfold DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${left_out})
install(TARGETS clfold clfold_static ${clfold_companions} EXPORT clfoldTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT clfoldTargets NAMESPACE clfold:: DESTINATION ${package_dir})

configure_package_config_file(cmake/clfoldConfig.cmake.in ${PROJECT_BINARY_DIR}/clfoldConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clfoldConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/clfoldConfig.cmake ${PROJECT_BINARY_DIR}/clfoldConfigVersion.cmake
    DESTINATION ${package_dir})

# The .pc file finds the prefix from its own place, unless the packager chose absolute directories.
file(RELATIVE_PATH up "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${up}")
foreach(kind LIBDIR INCLUDEDIR)
    set(pc_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
        set(pc_${kind} "${CMAKE_INSTALL_${kind}}")
        set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
    endif()
endforeach()
# Some loaders come without OpenCL.pc.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(CLFOLD_OPENCL_PC QUIET OpenCL)
endif()
set(pc_opencl "Requires.private: OpenCL")
if(APPLE)
    set(pc_opencl "Libs.private: -framework OpenCL")
elseif(NOT CLFOLD_OPENCL_PC_FOUND)
    set(pc_opencl "Libs.private: -lOpenCL")
endif()
set(CLFOLD_PC_EXAMPLES ${CMAKE_INSTALL_DOCDIR}/examples CACHE STRING "Where clfold.pc says that examples are")
set(pc_examples "\${prefix}/${CLFOLD_PC_EXAMPLES}")
if(IS_ABSOLUTE "${CLFOLD_PC_EXAMPLES}")
    set(pc_examples "${CLFOLD_PC_EXAMPLES}")
endif()
configure_file(cmake/clfold.pc.in ${PROJECT_BINARY_DIR}/clfold.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/clfold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY tests/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples 
    FILES_MATCHING PATTERN "*.[ch]" PATTERN "*.cpp")
install(FILES src/manual/prelude.h src/manual/prelude.hpp DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples) # of the manual
if(CLFOLD_DISTRIBUTED)
    install(DIRECTORY tests/distributed/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/distributed)
endif()
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html OPTIONAL) # if target docs was built
install(FILES src/manual/clfold.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)
if(CLFOLD_BENCH)
    set(pages src/manual/clfold-info.1 src/manual/clfold-bench.1 src/manual/clfold-tune.1)
    if(TARGET clfold_distributed_static)
        list(APPEND pages src/manual/clfold-bench-distributed.1)
    endif()
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# cmake --build build --target package: a tarball of all this.
if(top_level)
    set(CPACK_GENERATOR TGZ)
    set(CPACK_PACKAGE_VENDOR clfold)
    set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
    set(CPACK_STRIP_FILES ON)
    include(CPack)
endif()
