# SPDX-License-Identifier: MIT
#
# Target docs: the manual as HTML in build/docs, of the pages in src/manual and the text of the headers. It wants
# Python. A link that leads nowhere is an error.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    add_custom_target(docs
        COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/src/manual/manual.py
            ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/docs
        COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/manual_links.py ${PROJECT_BINARY_DIR}/docs
        COMMENT "The manual: ${PROJECT_BINARY_DIR}/docs/index.html" VERBATIM)
else()
    message(STATUS "No target docs: the manual as HTML wants Python 3")
endif()
