/* SPDX-License-Identifier: MIT */
/* Operators (section 3 of clfold.h). */
#ifndef CLFOLD_HPP_OP
#define CLFOLD_HPP_OP

#include "fields.hpp"

#include <initializer_list>
#include <memory>

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* Built-in operators, and flags of plans, by the names that they have in C. */
inline constexpr clf_op sum = CLF_SUM, product = CLF_PRODUCT, min = CLF_MIN, max = CLF_MAX, bit_and = CLF_AND,
                        bit_or = CLF_OR, bit_xor = CLF_XOR;
inline constexpr unsigned exclusive = CLF_EXCLUSIVE, reverse = CLF_REVERSE, from_device = CLF_FROM_DEVICE,
                          in_place = CLF_IN_PLACE, descending = CLF_DESCENDING, total_order = CLF_TOTAL_ORDER,
                          unsorted = CLF_UNSORTED, overwrite_input = CLF_OVERWRITE_INPUT,
                          nontrivial_runs = CLF_NONTRIVIAL_RUNS, update = CLF_UPDATE, ordered = CLF_ORDERED,
                          repeatable = CLF_REPEATABLE, upper = CLF_UPPER, sorted_needles = CLF_SORTED_NEEDLES,
                          upper_end = CLF_UPPER_END;

/*
 * clf_operator with strings of its own: each function sets the field of its name. Or one that C made, which must then
 * outlive this: op(*clf_builtin(…)), builtin<float>(sum), or a static descriptor.
 */
class op
{
  public:
    /* Fields of the value, as text or made by fields<…>(). */
    explicit op(std::string value)
    {
        text_[0] = std::move(value);
    }
    op(const clf_operator &descriptor) : given_(&descriptor, [](const clf_operator *) {})
    {
    }
    op &input(std::string list)
    {
        return set(1, std::move(list));
    }
    op &extra(std::string list)
    {
        return set(2, std::move(list));
    }
    op &captured(std::string list)
    {
        return set(3, std::move(list));
    }
    op &source(std::string text)
    {
        return set(4, std::move(text));
    }
    op &combine(std::string function)
    {
        return set(5, std::move(function));
    }
    op &neutral(std::string function)
    {
        return set(6, std::move(function));
    }
    op &map(std::string function)
    {
        return set(7, std::move(function));
    }
    op &predicate(std::string function)
    {
        return set(8, std::move(function));
    }
    op &same(std::string function)
    {
        return set(9, std::move(function));
    }
    op &less(std::string function)
    {
        return set(10, std::move(function));
    }
    op &part(std::string function)
    {
        return set(11, std::move(function));
    }
    op &key(std::string function)
    {
        return set(12, std::move(function));
    }
    /* Fields that are written instead of the value's, and the function that makes them. */
    op &result(std::string list)
    {
        return set(13, std::move(list));
    }
    op &finish(std::string function)
    {
        return set(14, std::move(function));
    }
    /* The function that says where each result of a scan goes. */
    op &place(std::string function)
    {
        return set(15, std::move(function));
    }
    /* A promise that combine(a, b) == combine(b, a). */
    op &commutative()
    {
        flags_ |= CLF_COMMUTATIVE;
        return *this;
    }
    /* A promise that no function uses its index. */
    op &no_index()
    {
        flags_ |= CLF_NO_INDEX;
        return *this;
    }
    /* Map, and finish in scans, get the segment's number behind the index. */
    op &with_segment()
    {
        flags_ |= CLF_WITH_SEGMENT;
        return *this;
    }
    /* combine gets the captured arrays, too. */
    op &combine_captures()
    {
        flags_ |= CLF_COMBINE_CAPTURES;
        return *this;
    }
    /* A permission to take denormal floats as zero. */
    op &denorms_are_zero()
    {
        flags_ |= CLF_DENORMS_ARE_ZERO;
        return *this;
    }

    /* The C descriptor: valid until this op ends or is set again. All zero if there is no operator. */
    clf_operator get() const
    {
        clf_operator c = {};
        if (given_ || !text_[0])
            return given_ ? *given_ : c;
        c.size = sizeof c;
        const char **const place[] = {&c.value,   &c.input,  &c.extra,     &c.captured, &c.source,
                                      &c.combine, &c.neutral, &c.map,      &c.predicate, &c.same,
                                      &c.less,    &c.part,   &c.key,       &c.result,   &c.finish,
                                      &c.place};
        for (std::size_t i = 0; i < text_.size(); i++)
            *place[i] = text_[i] ? text_[i]->c_str() : nullptr;
        c.flags = flags_;
        return c;
    }

  private:
    op() = default;
    op &set(std::size_t at, std::string &&text)
    {
        text_[at] = std::move(text);
        return *this;
    }
    std::array<std::optional<std::string>, 16> text_;
    unsigned flags_ = 0;
    std::shared_ptr<const clf_operator> given_;

    template <class T> friend op builtin(clf_op);
    friend op join(std::initializer_list<op>, failure *);
};

/* clf_builtin of a C++ type. If there is no such operator, plans refuse it. */
template <class T> op builtin(clf_op operation)
{
    const clf_operator *found = clf_builtin(operation, type_of<T>());
    return found ? op(*found) : op();
}

/* clf_operator_join: the work of several operators that read the same input in one pass. */
inline op join(std::initializer_list<op> operators, failure *into = nullptr)
{
    std::vector<clf_operator> list;
    std::vector<const clf_operator *> pointers;
    for (const op &one : operators)
        list.push_back(one.get());
    for (const clf_operator &one : list)
        pointers.push_back(&one);
    clf_operator *joined = nullptr;
    clf_error e = detail::empty_error();
    const clf_status status = clf_operator_join(static_cast<cl_uint>(pointers.size()), pointers.data(), &joined, &e);
    op all;
    if (joined)
        all.given_.reset(joined, [](const clf_operator *c) { clf_operator_release(const_cast<clf_operator *>(c)); });
    detail::finish(status, e, into);
    return all;
}

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
