/* SPDX-License-Identifier: MIT */
/* Laws of operators (section 19 of clfold.h). */
#ifndef CLFOLD_HPP_LAWS
#define CLFOLD_HPP_LAWS

#include "call.hpp"
#include "object.hpp"
#include "op.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* How laws are tried: clf_laws_options, each function by the name of a field. */
class laws_options
{
  public:
    laws_options()
    {
        options_.size = sizeof options_;
    }
    /* No NaN, no infinity, and no number whose sums overflow. */
    laws_options &plain()
    {
        options_.flags = CLF_LAWS_PLAIN;
        return *this;
    }
    /* All numbers, of any operator. */
    laws_options &extreme()
    {
        options_.flags = CLF_LAWS_EXTREME;
        return *this;
    }
    laws_options &values(unsigned count)
    {
        options_.values = count;
        return *this;
    }
    laws_options &seed(cl_ulong number)
    {
        options_.seed = number;
        return *this;
    }
    /* Elements of your own, a vector for each field, which must outlive the call; all of the same length. */
    template <class... T> laws_options &elements(const std::vector<T> &...fields)
    {
        static_assert(sizeof...(T) > 0, "a vector for each field");
        const std::size_t counts[] = {fields.size()...};
        fields_ = {fields.data()...};
        bytes_ = {sizeof(T)...};
        options_.count = *std::min_element(std::begin(counts), std::end(counts));
        return *this;
    }
    /* What functions read, an array for each captured field; without them, those that read any are not called. */
    laws_options &captured(arrays places)
    {
        captured_ = std::move(places);
        return *this;
    }
    /* Valid until this ends, or is set again. */
    clf_laws_options get() const
    {
        clf_laws_options c = options_;
        c.elements = fields_.empty() ? nullptr : fields_.data();
        c.captured = captured_.size() ? captured_.data() : nullptr;
        return c;
    }
    /* Are there elements, and do they have other fields than the operator's? */
    bool differ(const clf_operator &c) const
    {
        const bool inputs = c.map && c.input && (!c.captured || captured_.size());
        return !fields_.empty() && bytes_ != detail::field_bytes(inputs ? c.input : c.value);
    }
    /* Are there captured arrays, and are they others than the operator's? */
    bool captures_differ(const clf_operator &c) const
    {
        const std::vector<std::size_t> fields = detail::field_bytes(c.captured);
        const bool fit = captured_.size() == fields.size() && captured_.mismatch(fields) == captured_.size();
        return captured_.size() && !fit;
    }

  private:
    clf_laws_options options_ = {};
    std::vector<const void *> fields_;
    std::vector<std::size_t> bytes_;
    arrays captured_;
};

/* clf_operator_check: a broken law is an error of status CLF_E_LAW, whose message is the smallest counterexample. */
template <class Options = laws_options>
CLFOLD_STATUS check(const context &where, const op &o, const Options &how = Options(), failure *into = nullptr)
{
    const clf_operator c = o.get();
    if (how.captures_differ(c))
        return detail::fail({CLF_E_ARGUMENT, "clfold::check: captured needs an array of each field's type",
                             ""}, into);
    if (how.differ(c))
        return detail::fail({CLF_E_ARGUMENT, "clfold::check: elements need a vector for each field, of its type", ""},
                            into);
    const clf_laws_options options = how.get();
    clf_error e = detail::empty_error();
    const clf_status status = clf_operator_check(where.get(), &c, &options, nullptr, &e);
    return detail::finish(status, e, into);
}

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
