# SPDX-License-Identifier: MIT
#
# Target uninstall: removes what was installed from this build folder, under every prefix, and says what. (CMake's own
# install_manifest.txt has the last install alone.) One prefix of several:
#
#   cmake -DPREFIX=/usr/local -P build/uninstall.cmake
set(record ${PROJECT_BINARY_DIR}/installed)
configure_file(cmake/record_install.cmake.in record_install.cmake @ONLY)
configure_file(cmake/uninstall.cmake.in uninstall.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/record_install.cmake)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake)
