/* SPDX-License-Identifier: MIT */
/* Plans that scan, reduce, transpose, and combine neighbours (sections 5 to 10 of clfold.h). */
#ifndef CLFOLD_HPP_PLANS
#define CLFOLD_HPP_PLANS

#include "plan.hpp"

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* Section 5. Flags: exclusive, from_device. */
class scan_plan : public plan
{
  public:
    scan_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_scan_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out) const
    {
        return run(clf_scan, how, in, out, n, in.data(), out.data());
    }
    /* By an operator with place: to `room` elements of each output. result_count gets how many have a place. */
    CLFOLD_STATUS placed(const call &how, cl_ulong n, cl_ulong room, const arrays &in, const arrays &out) const
    {
        return run(clf_scan_placed, how, in, out, n, room, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS placed(const call &how, cl_ulong n, cl_ulong room, const arrays &in, const arrays &out,
                         const array<cl_ulong> &result_count) const
    {
        return run(clf_scan_placed, how, in, out, n, room, in.data(), out.data(), &result_count);
    }
};

/* Section 6: each of `count` rows of `size` elements by itself. */
class segmented_scan_plan : public plan
{
  public:
    segmented_scan_plan(const in_context &where, const op &o, unsigned flags = 0,
                        const plan_options &options = plan_options())
        : plan(where, o, options, clf_segmented_scan_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong count, cl_ulong size, const arrays &in, const arrays &out) const
    {
        return run(clf_segmented_scan, how, in, out, count, size, in.data(), out.data());
    }
    CLFOLD_STATUS placed(const call &how, cl_ulong count, cl_ulong size, cl_ulong room, const arrays &in,
                         const arrays &out) const
    {
        return run(clf_segmented_scan_placed, how, in, out, count, size, room, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS placed(const call &how, cl_ulong count, cl_ulong size, cl_ulong room, const arrays &in,
                         const arrays &out, const array<cl_ulong> &result_count) const
    {
        return run(clf_segmented_scan_placed, how, in, out, count, size, room, in.data(), out.data(), &result_count);
    }
};

/* Section 7: segments of any lengths, described by by_offsets<cl_uint> and the like. */
class irregular_scan_plan : public plan
{
  public:
    irregular_scan_plan(const in_context &where, const op &o, const clf_segmentation &segmentation, unsigned flags = 0,
                        const plan_options &options = plan_options())
        : plan(where, o, options, clf_irregular_scan_plan, &segmentation, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong count, const view &segments, const arrays &in,
                             const arrays &out) const
    {
        return run(clf_irregular_scan, how, in, out, n, count, &segments, in.data(), out.data());
    }
    CLFOLD_STATUS placed(const call &how, cl_ulong n, cl_ulong count, cl_ulong room, const view &segments,
                         const arrays &in, const arrays &out) const
    {
        return run(clf_irregular_scan_placed, how, in, out, n, count, room, &segments, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS placed(const call &how, cl_ulong n, cl_ulong count, cl_ulong room, const view &segments,
                         const arrays &in, const arrays &out, const array<cl_ulong> &result_count) const
    {
        return run(clf_irregular_scan_placed, how, in, out, n, count, room, &segments, in.data(), out.data(),
                   &result_count);
    }
};

/* Section 8: of n elements, or of each of `count` rows of `size` elements. */
class reduce_plan : public plan
{
  public:
    reduce_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_reduce_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out) const
    {
        return run(clf_reduce, how, in, out, n, in.data(), out.data());
    }
    CLFOLD_STATUS rows(const call &how, cl_ulong count, cl_ulong size, const arrays &in, const arrays &out) const
    {
        return run(clf_segmented_reduce, how, in, out, count, size, in.data(), out.data());
    }
    /* The variant for `count` rows of `size` elements. */
    const char *variant(cl_ulong count, cl_ulong size) const
    {
        return clf_reduce_variant(object_, count, size);
    }
};

/* Section 8: segments of any lengths. result_count gets their number, for heads or keys; else it is left out. */
class irregular_reduce_plan : public plan
{
  public:
    irregular_reduce_plan(const in_context &where, const op &o, const clf_segmentation &segmentation,
                          unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_irregular_reduce_plan, &segmentation, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong count, const view &segments, const arrays &in,
                             const arrays &out) const
    {
        return run(clf_irregular_reduce, how, in, out, n, count, &segments, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong count, const view &segments, const arrays &in,
                             const arrays &out, const array<cl_ulong> &result_count) const
    {
        return run(clf_irregular_reduce, how, in, out, n, count, &segments, in.data(), out.data(), &result_count);
    }
};

/* Section 9: matrices of elements of 1 to 16 bytes; transpose_plan(context, sizeof(T)). */
class transpose_plan : public plan
{
  public:
    transpose_plan(const in_context &where, std::size_t element_bytes, const plan_options &options = plan_options())
        : plan(where, {element_bytes}, {element_bytes}, options, clf_transpose_plan, element_bytes) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong batch, cl_ulong rows, cl_ulong columns, const arrays &in,
                             const arrays &out) const
    {
        return run(clf_transpose, how, in, out, batch, rows, columns, in.data(), out.data());
    }
    const char *variant(cl_ulong batch, cl_ulong rows, cl_ulong columns) const
    {
        return clf_transpose_variant(object_, batch, rows, columns);
    }
};

/* Section 10: of n elements, or of each of `count` rows of `size` elements. */
class adjacent_difference_plan : public plan
{
  public:
    adjacent_difference_plan(const in_context &where, const op &o, unsigned flags = 0,
                             const plan_options &options = plan_options())
        : plan(where, o, options, clf_adjacent_difference_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out) const
    {
        return run(clf_adjacent_difference, how, in, out, n, in.data(), out.data());
    }
    CLFOLD_STATUS rows(const call &how, cl_ulong count, cl_ulong size, const arrays &in, const arrays &out) const
    {
        return run(clf_segmented_adjacent_difference, how, in, out, count, size, in.data(), out.data());
    }
};

/* Section 13: one result for each run of neighbours that belong together. */
class reduce_by_key_plan : public plan
{
  public:
    reduce_by_key_plan(const in_context &where, const op &o, unsigned flags = 0,
                       const plan_options &options = plan_options())
        : plan(where, o, options, clf_reduce_by_key_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong room, const arrays &in, const arrays &out,
                             const array<cl_ulong> &result_count) const
    {
        return run(clf_reduce_by_key, how, in, out, n, room, in.data(), out.data(), &result_count);
    }
};

/* Section 14: elements combined by the bin that each belongs to; of all, or of each row. Flags: update, ordered … */
class reduce_by_index_plan : public plan
{
  public:
    reduce_by_index_plan(const in_context &where, const op &o, unsigned flags = 0,
                         const plan_options &options = plan_options())
        : plan(where, o, options, clf_reduce_by_index_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong bins, const arrays &in, const arrays &out) const
    {
        return run(clf_reduce_by_index, how, in, out, n, bins, in.data(), out.data());
    }
    CLFOLD_STATUS rows(const call &how, cl_ulong count, cl_ulong size, cl_ulong bins, const arrays &in,
                       const arrays &out) const
    {
        return run(clf_segmented_reduce_by_index, how, in, out, count, size, bins, in.data(), out.data());
    }
};

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
