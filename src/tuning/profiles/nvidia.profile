# SPDX-License-Identifier: MIT
#
# Tiles of NVIDIA's GPUs, by warps and local memory. Measured on an H200 alone, by sweeps of clfold-bench; so there is no
# score, and a device that differs is worth a profile of its own (CONTRIBUTING.md).
clfold profile 1
device = *
platform = NVIDIA CUDA
vendor = NVIDIA Corporation
type = gpu
version = 0.1.0

reduce.b1.small.group = 128
reduce.b2.small.group = 128
scan.b4.two_pass.group = 256
scan.b4.two_pass.items = 36
scan.b4.serial.items = 44   # where there is no PTX
scan.b8.serial.items = 22
scan.b16x4.serial.group = 128
scan.b16x4.serial.items = 28
scan.b32x8.serial.group = 64
scan.b32x8.serial.items = 24
segmented_scan.b1.main = window
segmented_scan.b4.main = window
segmented_scan.b4.serial.items = 36
segmented_scan.b8.serial.group = 128
segmented_scan.b8.serial.items = 18
irregular_scan.*.main = window
irregular_scan.b4.window.group = 192
irregular_scan.b4.window.items = 36
irregular_scan.b8.window.group = 192
irregular_scan.b8.window.items = 18
transpose.*.*.group = 256
transpose.b1.packed.rows = 128
transpose.b1.packed.stripe = 1
transpose.b1.thin.items = 48
transpose.b2.packed.rows = 128
transpose.b2.packed.stripe = 1
transpose.b4.*.items = 24
transpose.b4.tile.stripe = 2
transpose.b8.tile.group = 128
transpose.b16.tile.group = 128
end
