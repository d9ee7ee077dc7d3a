/* SPDX-License-Identifier: MIT */
/* Expansions (section 18 of clfold.h). */
#ifndef CLFOLD_HPP_EXPAND
#define CLFOLD_HPP_EXPAND

#include "plans.hpp"

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* Counts or offsets to elements, which a map makes. `in` are its captured arrays, or {}. */
class expand_plan : public plan
{
  public:
    expand_plan(const in_context &where, const op &o, const clf_segmentation &segmentation, unsigned flags = 0,
                const plan_options &options = plan_options())
        : plan(where, o, options, clf_expand_plan, &segmentation, flags)
    {
        in_ = detail::field_bytes(o.get().captured);
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong count, cl_ulong room, const view &segments, const arrays &in,
                             const arrays &out) const
    {
        return run(clf_expand, how, in, out, count, room, &segments, in.data(), out.data(), no_array);
    }
    CLFOLD_STATUS operator()(const call &how, cl_ulong count, cl_ulong room, const view &segments, const arrays &in,
                             const arrays &out, const array<cl_ulong> &result_count) const
    {
        return run(clf_expand, how, in, out, count, room, &segments, in.data(), out.data(), &result_count);
    }
};

/* Element k of `in` as often as counts[k] says; the number of results to result_count. */
template <class T, class Count>
CLFOLD_STATUS repeat(const context &where, const call &how, cl_ulong count, cl_ulong room, const array<T> &in,
                     const array<Count> &counts, const array<T> &out, const array<cl_ulong> &result_count)
{
    return detail::once(clf_array_repeat, where, how, type_of<T>(), type_of<Count>(), count, room, in, counts, out,
                        result_count);
}

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
