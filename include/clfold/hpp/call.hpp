/* SPDX-License-Identifier: MIT */
/* Arrays, and how a call runs (section 4 of clfold.h). */
#ifndef CLFOLD_HPP_CALL
#define CLFOLD_HPP_CALL

#include "object.hpp"
#include "fields.hpp"

#include <initializer_list>
#include <memory>
#include <optional>

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* A place in a buffer, which it does not own, and the bytes of an element there; 0 if unknown. */
struct view : clf_array {
    std::size_t bytes;
    view(clf_array place, std::size_t element_bytes = 0) : clf_array(place), bytes(element_bytes) {}
    /* Where the plan wants no result. */
    view(std::nullopt_t) : clf_array{nullptr, 0}, bytes(0) {}
};

/* A view of elements of type T; `at` counts elements. array<float> x(buffer); x + 100 begins 100 elements later. */
template <class T> struct array : view {
    static_assert(std::is_trivially_copyable_v<T>, "arrays on a device hold plain data");
    template <class B, class = std::enable_if_t<detail::holds<cl_mem, B>>>
    array(const B &in_buffer, cl_ulong at = 0) : view({detail::raw<cl_mem>(in_buffer), at}, sizeof(T)) {}
    array operator+(cl_ulong elements) const
    {
        return array(buffer, offset + elements);
    }
};

/* The arrays of a call, one for each field: {x, y}, or x alone. */
class arrays
{
  public:
    arrays() = default;
    arrays(const view &one)
    {
        add(one);
    }
    arrays(std::initializer_list<view> list)
    {
        for (const view &one : list)
            add(one);
    }
    template <class T> arrays(const std::vector<T> &list)
    {
        for (const view &one : list)
            add(one);
    }
    const clf_array *data() const
    {
        return places_.data();
    }
    cl_uint size() const
    {
        return static_cast<cl_uint>(places_.size());
    }
    /* The first whose elements have another size than their field; size() if there is none. */
    cl_uint mismatch(const std::vector<std::size_t> &fields) const
    {
        cl_uint k = 0;
        while (k < size() && (fields.empty() || bytes_[k] == 0 || fields[k % fields.size()] == 0 ||
                              bytes_[k] == fields[k % fields.size()]))
            k++;
        return k;
    }
    std::size_t bytes(cl_uint k) const
    {
        return bytes_[k];
    }

  private:
    void add(const view &one)
    {
        places_.push_back(one);
        bytes_.push_back(one.bytes);
    }
    std::vector<clf_array> places_;
    std::vector<std::size_t> bytes_;
};

/*
 * clf_call: a queue, and whatever else a call needs. Each function sets the fields of its name. Arguments are copied,
 * except events to be written.
 *
 *     scan(queue, n, x, y);
 *     scan(clfold::on(queue).after(loaded, cleared).done(ready).initial(5.0f), n, x, y);
 */
class call
{
  public:
    template <class Q, class = std::enable_if_t<detail::holds<cl_command_queue, Q>>> call(const Q &queue)
    {
        raw_.size = sizeof raw_;
        raw_.queue = detail::raw<cl_command_queue>(queue);
    }
    /* The call's commands run after these events, or after those of a list. */
    template <class... E> call &after(const E &...events)
    {
        (wait_.push_back(detail::raw<cl_event>(events)), ...);
        return *this;
    }
    template <class E> call &after(const std::vector<E> &events)
    {
        for (const E &one : events)
            after(one);
        return *this;
    }
    /* Where the event of the whole call goes, once: say it again before another call, or the first one leaks. */
    call &done(event &e)
    {
        return done(e.out());
    }
    call &done(cl_event *e)
    {
        raw_.event = e;
        return *this;
    }
    /* A buffer of clf_plan_scratch bytes, from this byte on. */
    template <class B> call &scratch(const B &buffer, cl_ulong byte = 0)
    {
        raw_.scratch = {detail::raw<cl_mem>(buffer), byte};
        return *this;
    }
    /* The initial value: a scalar, or a struct of the fields of the value. */
    template <class T> call &initial(const T &value)
    {
        static_assert(std::is_trivially_copyable_v<T>, "an initial value is plain data");
        initial_ = std::make_shared<T>(value);
        initial_bytes_ = sizeof value;
        return *this;
    }
    /* The same on the device: an array of one element for each field. */
    call &initial_arrays(arrays list)
    {
        initial_arrays_ = std::move(list);
        return *this;
    }
    /* The true size on the device; both sizes for calls with two. */
    call &actual(const array<cl_ulong> &sizes)
    {
        raw_.actual = sizes;
        return *this;
    }
    /* Stores a failure here instead of throwing it; on success the status is CLF_SUCCESS. */
    call &into(failure &where)
    {
        into_ = &where;
        return *this;
    }

    /* The C struct: valid until this object ends or is set again. */
    clf_call get() const
    {
        clf_call c = raw_;
        c.wait_count = static_cast<cl_uint>(wait_.size());
        c.wait = wait_.empty() ? nullptr : wait_.data();
        c.initial = initial_.get();
        c.initial_arrays = initial_arrays_.size() ? initial_arrays_.data() : nullptr;
        return c;
    }
    std::size_t initial_bytes() const
    {
        return initial_bytes_;
    }
    const arrays &initial_list() const
    {
        return initial_arrays_;
    }
    failure *where() const
    {
        return into_;
    }

  private:
    clf_call raw_ = {};
    std::vector<cl_event> wait_;
    std::shared_ptr<const void> initial_;
    std::size_t initial_bytes_ = 0;
    arrays initial_arrays_;
    failure *into_ = nullptr;
};

template <class Q> call on(const Q &queue)
{
    return call(queue);
}

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
