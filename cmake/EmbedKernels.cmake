# SPDX-License-Identifier: MIT
#
# Kernel files as byte arrays in one C file that defines clf_kernel_files[] of src/internal.h. Arrays, because
# string literals meet length limits; CMake alone, because nothing else is sure to be there.
#
# Two roles: included, it defines clfold_embed_kernels(); run with cmake -P, it writes the file.

function(clfold_embed_kernels output)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DFILES=${ARGN}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/EmbedKernels.cmake
        COMMENT "Embedding the kernels"
        VERBATIM)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
    return()
endif()

set(arrays "")
set(table "")
set(index 0)
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(REPEAT "....," 16 row)
    string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
    # The closing zero is not counted: it lets an empty file be an array too.
    string(APPEND arrays "\nstatic const unsigned char file_${index}[] = { /* ${name} */\n${bytes}0x00};\n")
    string(APPEND table "    {\"${name}\", file_${index}, sizeof(file_${index}) - 1},\n")
    math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUTPUT} "/* Generated from cl/ by cmake/EmbedKernels.cmake. */
#include \"internal.h\"
${arrays}
const clf_kernel_file clf_kernel_files[] = {
${table}    {NULL, NULL, 0},
};
")
