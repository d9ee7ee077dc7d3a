# SPDX-License-Identifier: MIT
#
# What compilers note of kernels, one line each: gpu, kernel, registers of 4 bytes per lane, bytes of local memory, bytes
# of scratch per lane. From llvm-readelf --notes of AMD's, and the text in the binaries of Intel's, whose kernels all have
# the same number of registers. Wants -v gpu.

/^    \.name: / { name = $2 }
/^    \.vgpr_count: / { registers = $2 }
/^    \.group_segment_fixed_size: / { memory = $2 }
/^    \.private_segment_fixed_size: / { scratch = $2 }
/^    \.wavefront_size: / { tell() }

/^  - name: / && intel { tell() }
/^kernels:/ { intel = 1; name = "" }
/^  - name: / { name = $3; registers = memory = scratch = 0 }
/^      simd_size: / { lanes = $2 }
/^      slm_size: / { memory = $2 }
/^      - type: / { spills = $3 == "scratch" }
/^        size: / && spills { scratch = $2 / lanes; spills = 0 }
/^kernels_misc_info:/ { tell(); intel = 0 }

function tell() {
    if (name ~ /^clf/) print gpu, name, registers, memory, scratch
    name = ""
}
