# SPDX-License-Identifier: MIT
#
# Target sbom: what the source tree consists of, file by file with digests and licences, as SPDX 2.1 in
# build/clfold.spdx. By reuse (PyPI), which is looked for when the target is built.
add_custom_target(sbom
    COMMAND reuse --root ${PROJECT_SOURCE_DIR} spdx --creator-organization "clfold contributors"
        -o ${PROJECT_BINARY_DIR}/clfold.spdx
    COMMENT "SPDX: ${PROJECT_BINARY_DIR}/clfold.spdx (wants reuse, of PyPI)" VERBATIM)
