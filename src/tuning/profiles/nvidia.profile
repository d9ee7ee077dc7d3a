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
scan.*.*.group = 128
scan.b1.*.items = 144
scan.b2.*.items = 72
scan.b4.*.items = 36
scan.b8.*.items = 18
scan.b8x4.*.items = 20
scan.*.*.local = 32768   # items, where none are given: arrays go by number and size, not by class
scan.b32x8.*.items = 18
scan.b32x8.*.group = 64
scan.b4.two_pass.group = 256
scan.b1.serial.group = 256   # where there is no PTX
scan.b2.serial.group = 256
scan.b4.serial.group = 256
scan.b4.serial.items = 44
scan.b8.serial.group = 256
scan.b8.serial.items = 22
scan.b16x4.serial.items = 28
scan.b32x8.serial.items = 24
segmented_scan.b1.main = window
segmented_scan.b4.main = window
segmented_scan.b4.serial.items = 36
segmented_scan.b8.serial.group = 128
segmented_scan.b8.serial.items = 18
irregular_scan.*.main = window
irregular_scan.b4.window.group = 192
irregular_scan.b8.window.group = 192
scan.*.one_group.group = 256
scan.*.one_group.items = 4
scan.b1.one_group.items = 16
scan.b2.one_group.items = 16
scan.b4.one_group.items = 16
scan.b8.one_group.items = 10
filter.*.main = window
unique.b8.window.items = 14
reduce_by_key.*.main = window
reduce_by_key.b1.*.group = 256
reduce_by_key.b1.*.items = 48
reduce_by_key.b2.*.group = 256
reduce_by_key.b2.*.items = 40
reduce_by_key.b4.*.items = 20
reduce_by_key.b8.*.items = 12
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
