/* SPDX-License-Identifier: MIT */
/* Plans that select, sort, merge, search and move elements (sections 11, 12, 15 and 16 of clfold.h). */
#ifndef CLFOLD_HPP_ORDER
#define CLFOLD_HPP_ORDER

#include "plan.hpp"

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* Section 11: the elements for which the predicate is true. Flags: in_place, from_device. */
class filter_plan : public plan
{
  public:
    filter_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_filter_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong room, const arrays &in, const arrays &out,
                             const array<cl_ulong> &result_count) const
    {
        return run(clf_filter, how, in, out, n, room, in.data(), out.data(), &result_count);
    }
};

/* Section 11: the first of each run. */
class unique_plan : public plan
{
  public:
    unique_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_unique_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong room, const arrays &in, const arrays &out,
                             const array<cl_ulong> &result_count) const
    {
        return run(clf_unique, how, in, out, n, room, in.data(), out.data(), &result_count);
    }
};

/* Section 11: each part to an output of its own. */
class partition_plan : public plan
{
  public:
    partition_plan(const in_context &where, const op &o, unsigned flags = 0,
                   const plan_options &options = plan_options())
        : plan(where, o, options, clf_partition_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong room, const arrays &in, const arrays &out,
                             const array<cl_ulong> &result_counts) const
    {
        return run(clf_partition, how, in, out, n, room, in.data(), out.data(), &result_counts);
    }
};

/* Section 11: up to 256 parts, one after the other. `result_counts` may be left out. */
class split_plan : public plan
{
  public:
    split_plan(const in_context &where, const op &o, cl_uint parts, unsigned flags = 0,
               const plan_options &options = plan_options())
        : plan(where, o, options, clf_split_plan, parts, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out) const
    {
        return run(clf_split, how, in, out, n, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out,
                             const array<cl_ulong> &result_counts) const
    {
        return run(clf_split, how, in, out, n, in.data(), out.data(), &result_counts);
    }
};

/* Section 12: by a key. Flags: descending, total_order, from_device. */
class sort_plan : public plan
{
  public:
    sort_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_sort_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out) const
    {
        return run(clf_sort, how, in, out, n, in.data(), out.data());
    }
};

/* Section 12: each of `count` rows of `size` elements by itself. */
class segmented_sort_plan : public plan
{
  public:
    segmented_sort_plan(const in_context &where, const op &o, unsigned flags = 0,
                        const plan_options &options = plan_options())
        : plan(where, o, options, clf_segmented_sort_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong count, cl_ulong size, const arrays &in, const arrays &out) const
    {
        return run(clf_segmented_sort, how, in, out, count, size, in.data(), out.data());
    }
};

/* Section 12: segments of any lengths. */
class irregular_sort_plan : public plan
{
  public:
    irregular_sort_plan(const in_context &where, const op &o, const clf_segmentation &segmentation, unsigned flags = 0,
                        const plan_options &options = plan_options())
        : plan(where, o, options, clf_irregular_sort_plan, &segmentation, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong count, const view &segments, const arrays &in,
                             const arrays &out) const
    {
        return run(clf_irregular_sort, how, in, out, n, count, &segments, in.data(), out.data());
    }
};

/* Section 12: by a comparison. */
class merge_sort_plan : public plan
{
  public:
    merge_sort_plan(const in_context &where, const op &o, unsigned flags = 0,
                    const plan_options &options = plan_options())
        : plan(where, o, options, clf_merge_sort_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const arrays &out) const
    {
        return run(clf_merge_sort, how, in, out, n, in.data(), out.data());
    }
};

/* Section 12: how many elements from the first on are sorted. */
class is_sorted_plan : public plan
{
  public:
    is_sorted_plan(const in_context &where, const op &o, unsigned flags = 0,
                   const plan_options &options = plan_options())
        : plan(where, o, options, clf_is_sorted_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, const arrays &in, const array<cl_ulong> &result_count) const
    {
        return run(clf_is_sorted, how, in, {}, n, in.data(), &result_count);
    }
};

/* Section 12: the first k of a sort; of all elements, or of each row. Flags: those of sorts, unsorted. */
class top_k_plan : public plan
{
  public:
    top_k_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_top_k_plan, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong k, const arrays &in, const arrays &out) const
    {
        return run(clf_top_k, how, in, out, n, k, in.data(), out.data());
    }
    CLFOLD_STATUS rows(const call &how, cl_ulong count, cl_ulong size, cl_ulong k, const arrays &in,
                       const arrays &out) const
    {
        return run(clf_segmented_top_k, how, in, out, count, size, k, in.data(), out.data());
    }
};

/* Section 12: the first k of a sort of each segment; where the results of each begin goes to result_offsets. */
class irregular_top_k_plan : public plan
{
  public:
    irregular_top_k_plan(const in_context &where, const op &o, const clf_segmentation &segmentation, unsigned flags = 0,
                         const plan_options &options = plan_options())
        : plan(where, o, options, clf_irregular_top_k_plan, &segmentation, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong count, cl_ulong k, const view &segments,
                             const arrays &in, const arrays &out) const
    {
        return run(clf_irregular_top_k, how, in, out, n, count, k, &segments, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong count, cl_ulong k, const view &segments,
                             const arrays &in, const arrays &out, const array<cl_ulong> &result_offsets) const
    {
        return run(clf_irregular_top_k, how, in, out, n, count, k, &segments, in.data(), out.data(), &result_offsets);
    }
};

/* Section 15: two sorted sequences as one. `in` has the arrays of the first, then those of the second. */
class merge_plan : public plan
{
  public:
    merge_plan(const in_context &where, const op &o, unsigned flags = 0, const plan_options &options = plan_options())
        : plan(where, o, options, clf_merge_plan, flags)
    {
        in_.insert(in_.begin(), value_.begin(), value_.end());
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong n_first, cl_ulong n_second, const arrays &in,
                             const arrays &out) const
    {
        return run(clf_merge, how, in, out, n_first, n_second, in.data(), out.data());
    }
};

/*
 * Section 15: lower or, with flag upper, upper bounds. `in` has the arrays of the haystack, then those of the needles;
 * positions are CLF_UINT or CLF_ULONG.
 */
class bounds_plan : public plan
{
  public:
    bounds_plan(const in_context &where, const op &o, clf_type positions, unsigned flags = 0,
                const plan_options &options = plan_options())
        : plan(where, o, options, clf_bounds_plan, positions, flags)
    {
        in_.insert(in_.begin(), value_.begin(), value_.end());
        out_ = {clf_type_size(positions)};
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong m, const arrays &in, const arrays &out) const
    {
        return run(clf_bounds, how, in, out, n, m, in.data(), out.data());
    }
};

/* Section 16: out[i] = in[indices[i]], n elements of `in`, m indices, which are CLF_UINT or CLF_ULONG. */
class gather_plan : public plan
{
  public:
    gather_plan(const in_context &where, const std::string &fields, clf_type index_type, unsigned flags = 0,
                const plan_options &options = plan_options())
        : plan(where, detail::field_bytes(fields.c_str()), detail::field_bytes(fields.c_str()), options,
               clf_gather_plan, fields.c_str(), index_type, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong n, cl_ulong m, const arrays &in, const view &indices,
                             const arrays &out) const
    {
        return run(clf_gather, how, in, out, n, m, in.data(), &indices, out.data());
    }
};

/* Section 16: out[indices[i]] = in[i], m indices, which are CLF_UINT or CLF_ULONG, n elements of `out`. */
class scatter_plan : public plan
{
  public:
    scatter_plan(const in_context &where, const std::string &fields, clf_type index_type, unsigned flags = 0,
                 const plan_options &options = plan_options())
        : plan(where, detail::field_bytes(fields.c_str()), detail::field_bytes(fields.c_str()), options,
               clf_scatter_plan, fields.c_str(), index_type, flags) {}
    CLFOLD_STATUS operator()(const call &how, cl_ulong m, cl_ulong n, const arrays &in, const view &indices,
                             const arrays &out) const
    {
        return run(clf_scatter, how, in, out, m, n, in.data(), &indices, out.data());
    }
};

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
