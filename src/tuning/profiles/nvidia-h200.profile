# SPDX-License-Identifier: MIT
#
# What goes by the number of its multiprocessors; the rest is in nvidia.profile. Found by sweeps of clfold-bench, a few
# parameters at a time; so there is no score.
clfold profile 1
device = NVIDIA H200
platform = NVIDIA CUDA
vendor = NVIDIA Corporation
type = gpu
architecture = sm_90
driver = 580.159
version = 0.1.0

reduce.b2.small.limit = 64
segmented_scan.b1.medium.group = 128
segmented_scan.b4.long = central
segmented_scan.b4.long.fewest = 262144
scan.*.medium = window
scan.*.medium.group = 256
scan.*.medium.items = 4
scan.*.medium.limit = 1048576
scan.b1.medium.items = 48
scan.b1.medium.limit = 12582912
scan.b2.medium.items = 24
scan.b4.medium.items = 16
scan.b8.medium.items = 10
transpose.*.small.limit = 2048
end
