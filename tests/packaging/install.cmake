# SPDX-License-Identifier: MIT
#
# Installs into one prefix and moves the tree to another: nothing installed may know where it was.
file(REMOVE_RECURSE ${PREFIX} ${PREFIX}.first)
if(NOT CONFIG)
    set(CONFIG Release)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${PREFIX}.first
    RESULT_VARIABLE result)
if(result)
    message(FATAL_ERROR "cmake --install failed")
endif()
file(RENAME ${PREFIX}.first ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} -DPREFIX=${PREFIX}.first -P ${BUILD_DIR}/uninstall.cmake) # forgets the install
