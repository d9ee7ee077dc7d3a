/* SPDX-License-Identifier: MIT */
/* What plans have in common (section 4 of clfold.h). */
#ifndef CLFOLD_HPP_PLAN
#define CLFOLD_HPP_PLAN

#include "call.hpp"
#include "op.hpp"

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* Where segments start, for irregular ones (section 7 of clfold.h). */
inline constexpr clf_segmentation by_head_bytes = {sizeof(clf_segmentation), CLF_BY_HEAD_BYTES, CLF_UCHAR};
inline constexpr clf_segmentation by_head_bits = {sizeof(clf_segmentation), CLF_BY_HEAD_BITS, CLF_UINT};
template <class T>
inline constexpr clf_segmentation by_offsets = {sizeof(clf_segmentation), CLF_BY_OFFSETS, type_of<T>()};
template <class T>
inline constexpr clf_segmentation by_lengths = {sizeof(clf_segmentation), CLF_BY_LENGTHS, type_of<T>()};
template <class T> inline constexpr clf_segmentation by_keys = {sizeof(clf_segmentation), CLF_BY_KEYS, type_of<T>()};

/*
 * A plan of any primitive. Copies share it. Its class for a primitive, below, has a constructor like clf_…_plan and a
 * call like the function that enqueues it, with `in` and `out` as lists of arrays.
 */
class plan : public detail::handle<clf_plan *>
{
  public:
    CLFOLD_STATUS compile(failure *into = nullptr) const
    {
        clf_error e = detail::empty_error();
        const clf_status status = clf_plan_compile(object_, &e);
        return detail::finish(status, e, into);
    }
    /* Bytes of scratch that a call needs; 0 without a plan. */
    cl_ulong scratch(cl_ulong n, cl_ulong count = 0) const
    {
        cl_ulong bytes = 0;
        return clf_plan_scratch(object_, n, count, &bytes) == CLF_SUCCESS ? bytes : 0;
    }
    std::string describe(cl_ulong n) const
    {
        return detail::text_of([this, n](char *t, std::size_t b, std::size_t *needed) {
            return clf_plan_describe(object_, n, t, b, needed);
        });
    }

  protected:
    plan() = default;

    /* `make` is a function clf_…_plan, `more` its arguments between the operator and the options. */
    template <class Make, class... More>
    plan(const in_context &where, const op &o, const plan_options &options, Make make, More... more)
    {
        const clf_operator c = o.get();
        clf_error e = detail::empty_error();
        in_ = detail::field_bytes(c.input ? c.input : c.value);
        value_ = detail::field_bytes(c.value);
        initial_bytes_ = detail::struct_bytes(c.value);
        const bool results = c.size >= offsetof(clf_operator, place) && c.result;
        out_ = results ? detail::field_bytes(c.result) : value_;
        append(in_, c.captured);
        append(out_, c.extra);
        ((told_ = told_by(more, told_)), ...);
        detail::finish(make(where.context, c.size ? &c : nullptr, more..., &options, &object_, &e), e, where.into);
    }

    /* The same without an operator: bytes of fields instead. */
    template <class Make, class... More>
    plan(const in_context &where, std::vector<std::size_t> in, std::vector<std::size_t> out,
         const plan_options &options, Make make, More... more)
        : in_(std::move(in)), out_(std::move(out))
    {
        ((told_ = told_by(more, told_)), ...);
        clf_error e = detail::empty_error();
        detail::finish(make(where.context, more..., &options, &object_, &e), e, where.into);
    }

    /* `f` is a function that enqueues, `more` its arguments after the call. */
    template <class F, class... More>
    clf_status run(F f, const call &how, const arrays &in, const arrays &out, More... more) const
    {
        clf_call c = how.get();
        c.in_count = in.size();
        c.out_count = out.size();
        detail::last_sentence().text[0] = 0;
        clf_status status = check(how, in, out);
        ((status = status == CLF_SUCCESS ? check_told(more) : status), ...);
        return detail::finish(status == CLF_SUCCESS ? f(object_, &c, more...) : status, how.where());
    }

    static constexpr const clf_array *no_array = nullptr;
    std::vector<std::size_t> in_, out_, value_; // bytes of fields; none is checked where a list is empty
    std::size_t initial_bytes_ = 0, told_ = 0;

  private:
    static void append(std::vector<std::size_t> &bytes, const char *list)
    {
        const std::vector<std::size_t> more = detail::field_bytes(list);
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    /* Bytes of what tells segments, or of an index: of arrays that are no operator's fields. */
    static std::size_t told_by(const clf_segmentation *s, std::size_t)
    {
        const clf_type heads = s->by == CLF_BY_HEAD_BITS ? CLF_UINT : CLF_UCHAR;
        return clf_type_size(s->by == CLF_BY_HEAD_BITS || s->by == CLF_BY_HEAD_BYTES ? heads : s->type);
    }
    static std::size_t told_by(clf_type type, std::size_t)
    {
        return clf_type_size(type);
    }
    template <class T> static std::size_t told_by(T, std::size_t before)
    {
        return before;
    }
    clf_status check_told(const view *told) const
    {
        const bool fits = told->bytes == 0 || told_ == 0 || told->bytes == told_;
        return fits ? CLF_SUCCESS : wrong_bytes("an element of segments or indices", told->bytes, told_);
    }
    template <class T> static clf_status check_told(T)
    {
        return CLF_SUCCESS;
    }
    static clf_status wrong_bytes(const std::string &what, std::size_t given, std::size_t wanted)
    {
        const std::string text = what + " has " + std::to_string(given) + " bytes, where the plan's has " +
                                 std::to_string(wanted);
        detail::remember_sentence(text.c_str(), CLF_E_ARGUMENT, nullptr);
        return CLF_E_ARGUMENT;
    }
    static clf_status check_list(const char *name, const arrays &list, const std::vector<std::size_t> &fields)
    {
        const cl_uint k = list.mismatch(fields);
        return k == list.size() ? CLF_SUCCESS
                                : wrong_bytes("an element of " + std::string(name) + "[" + std::to_string(k) + "]",
                                              list.bytes(k), fields[k % fields.size()]);
    }
    /* Checks what C cannot see: the sizes of C++ types. */
    clf_status check(const call &how, const arrays &in, const arrays &out) const
    {
        if (how.initial_bytes() && initial_bytes_ && how.initial_bytes() != initial_bytes_)
            return wrong_bytes("the initial value", how.initial_bytes(), initial_bytes_);
        clf_status status = check_list("in", in, in_);
        status = status == CLF_SUCCESS ? check_list("out", out, out_) : status;
        return status == CLF_SUCCESS ? check_list("initial_arrays", how.initial_list(), value_) : status;
    }
};

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
