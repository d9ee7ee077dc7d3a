# SPDX-License-Identifier: MIT
vcpkg_download_distfile(ARCHIVE
    URLS "https://clfold.example/releases/download/v${VERSION}/clfold-${VERSION}.tar.gz"
    FILENAME "clfold-${VERSION}.tar.gz"
    SHA512 0
)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

vcpkg_check_features(OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        tools CLFOLD_BENCH
)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DCLFOLD_TESTS=OFF
        -DCLFOLD_PEERS=OFF
        -DCLFOLD_INSTALL=ON
        -DCLFOLD_MPI=OFF
    MAYBE_UNUSED_VARIABLES
        CLFOLD_PEERS # one of the tools
)
vcpkg_cmake_install()

# A triplet has libraries of one kind.
set(linkage shared)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
    set(linkage static)
endif()
foreach(prefix IN ITEMS "${CURRENT_PACKAGES_DIR}" "${CURRENT_PACKAGES_DIR}/debug")
    if(EXISTS "${prefix}/lib")
        vcpkg_execute_required_process(
            COMMAND "${CMAKE_COMMAND}" "-DPREFIX=${prefix}" -DKEEP=${linkage} -P "${SOURCE_PATH}/cmake/packaging/one_linkage.cmake"
            WORKING_DIRECTORY "${SOURCE_PATH}"
            LOGNAME one-linkage-${TARGET_TRIPLET}
        )
    endif()
endforeach()

vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/clfold)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES clfold-info clfold-bench clfold-tune clfold-bench-distributed AUTO_CLEAN)
endif()
file(REMOVE_RECURSE
    "${CURRENT_PACKAGES_DIR}/debug/include"
    "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc"
    "${CURRENT_PACKAGES_DIR}/share/man"
)

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
