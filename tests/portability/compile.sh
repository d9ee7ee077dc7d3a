#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compile.sh GPU PROGRAM.cl DIRECTORY: one program, with the options of its first line, for a GPU that is not here. Leaves
# PROGRAM.elf in the directory, or PROGRAM.err, the compiler's words. Exit status 0 either way: offline.sh counts.
#
# CLANG is the compiler for AMD. BITCODE is where AMD's device functions lie, made for the same LLVM; without them
# instructions are selected all the same, but registers cannot be counted.
set -eu
gpu=$1 program=$2 out=$3/$(basename "$2" .cl)
options=$(sed -n '1s,^// options: ,,p' "$program")

# AMD's device functions: constants that say how to calculate, and for which processor.
device_functions() {
    case $gpu in gfx9*) wave=on ;; *) wave=off ;; esac
    isa=${gpu#gfx}
    [ -f "$BITCODE/oclc_isa_version_$isa.bc" ] || isa=1036 # newer than the library
    for name in opencl ocml ockl oclc_correctly_rounded_sqrt_on oclc_daz_opt_off oclc_finite_only_off oclc_unsafe_math_off \
        "oclc_wavefrontsize64_$wave" "oclc_isa_version_$isa" oclc_abi_version_400; do
        echo "-Xclang -mlink-builtin-bitcode -Xclang $BITCODE/$name.bc"
    done
}

compile_for_amd() {
    # shellcheck disable=SC2046,SC2086 # lists of words
    "$CLANG" -x cl -target amdgcn-amd-amdhsa -mcpu="$gpu" -nogpulib -Xclang -finclude-default-header \
        ${BITCODE:+$(device_functions)} $options -c "$program" -o "$out.elf" >"$out.err" 2>&1
}

case $gpu in
gfx*)
    # LLVM 15 corrupts its own memory: one gfx1100 program of those here crashes it once in 100 times. What crashes it three
    # times is a failure; offline.sh counts the crashes.
    tries=3
    until compile_for_amd; do
        rm -f "$out.elf"
        tries=$((tries - 1))
        { [ "$tries" -gt 0 ] && grep -q 'PLEASE submit a bug report' "$out.err"; } || exit 0
        mv "$out.err" "$out.crash"
    done
    ;;
*)
    # For PVC, which has no images, ocloc 22.43 cannot read its own header, unless it is told that there are some.
    images=
    [ "$gpu" != pvc ] || images=-cl-ext=+__opencl_c_images,+__opencl_c_read_write_images,+__opencl_c_3d_image_writes,+cl_khr_3d_image_writes
    ocloc compile -file "$program" -device "$gpu" -options "$options" -out_dir "$3" -output "$(basename "$out")" \
        -output_no_suffix --format zebin ${images:+-internal_options $images} >"$out.err" 2>&1 && [ -f "$out" ] || exit 0
    mv "$out" "$out.elf"
    ;;
esac
mv "$out.err" "$out.log"
