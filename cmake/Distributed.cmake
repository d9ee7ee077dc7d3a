# SPDX-License-Identifier: MIT
#
# clfold::distributed, several members in one process, and clfold::mpi, a member per process, where there is MPI. Both
# are clients of clfold's public header; shared and static as clfold itself.
#
# clfold_companion(NAME MACRO SOURCES...): libclfold_NAME and its static twin, which link those of clfold.
function(clfold_companion name building)
    add_library(clfold_${name}_objects OBJECT ${ARGN})
    target_include_directories(clfold_${name}_objects PRIVATE include src)
    target_compile_definitions(clfold_${name}_objects PRIVATE ${building} CL_TARGET_OPENCL_VERSION=300)
    target_link_libraries(clfold_${name}_objects PRIVATE OpenCL::OpenCL)
    set_target_properties(clfold_${name}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    clfold_warnings(clfold_${name}_objects -Wconversion)
    target_compile_options(clfold_${name}_objects PRIVATE ${optimised})
    add_library(clfold_${name} SHARED $<TARGET_OBJECTS:clfold_${name}_objects>)
    set(libraries clfold_${name})
    if(NOT WIN32) # where functions of a shared library are called in another way than those of a static one
        add_library(clfold_${name}_static STATIC $<TARGET_OBJECTS:clfold_${name}_objects>)
        set_target_properties(clfold_${name}_static PROPERTIES OUTPUT_NAME clfold_${name})
        list(APPEND libraries clfold_${name}_static)
    endif()
    foreach(library IN LISTS libraries)
        string(REPLACE clfold_ "" short ${library})
        add_library(clfold::${short} ALIAS ${library})
        set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C EXPORT_NAME ${short})
        target_include_directories(${library} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    endforeach()
    # The libraries lie side by side, wherever that is.
    set(beside "$ORIGIN")
    if(APPLE)
        set(beside "@loader_path")
    endif()
    set_target_properties(clfold_${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion}
        INSTALL_RPATH "${beside}")
    set(clfold_companions ${clfold_companions} ${libraries} PARENT_SCOPE)
endfunction()

set(clfold_companions "")
set(distributed
    text fields rewrite held block comm in_process plan move reduce scan segmented filter splitters sort reduce_by_index
    borders runs transpose)
list(TRANSFORM distributed PREPEND src/distributed/)
list(TRANSFORM distributed APPEND .c)
clfold_companion(distributed CLFOLD_DISTRIBUTED_BUILDING ${distributed})
target_link_libraries(clfold_distributed PUBLIC clfold)
if(NOT WIN32)
    target_link_libraries(clfold_distributed_static PUBLIC clfold_static)
endif()

if(CLFOLD_MPI AND NOT CMAKE_CROSSCOMPILING)
    find_package(MPI QUIET COMPONENTS C)
endif()
if(MPI_C_FOUND)
    clfold_companion(mpi CLFOLD_MPI_BUILDING src/distributed/mpi.c)
    target_link_libraries(clfold_mpi_objects PRIVATE MPI::MPI_C)
    target_link_libraries(clfold_mpi PUBLIC clfold_distributed MPI::MPI_C)
    if(NOT WIN32)
        target_link_libraries(clfold_mpi_static PUBLIC clfold_distributed_static MPI::MPI_C)
    endif()
elseif(top_level)
    message(STATUS "clfold_mpi is not built: no MPI (Debian: apt install libopenmpi-dev), or not for this build")
endif()
