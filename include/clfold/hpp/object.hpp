/* SPDX-License-Identifier: MIT */
/* Shared handles: contexts (section 2 of clfold.h), events, and what other wrappers of OpenCL hold. */
#ifndef CLFOLD_HPP_OBJECT
#define CLFOLD_HPP_OBJECT

#include "error.hpp"

#include <type_traits>

namespace clfold
{
inline namespace CLFOLD_ERRORS
{
namespace detail
{

template <class H, class B, class = void> struct has_get : std::false_type {
};
template <class H, class B>
struct has_get<H, B, std::void_t<decltype(std::declval<const B &>().get())>>
    : std::is_convertible<decltype(std::declval<const B &>().get()), H> {
};
template <class H, class B, class = void> struct has_obj : std::false_type {
};
template <class H, class B>
struct has_obj<H, B, std::void_t<decltype(std::declval<const B &>().obj())>>
    : std::is_convertible<decltype(std::declval<const B &>().obj()), H> {
};

/* Is B an OpenCL handle H, or does it hold one: b, b(), b.get() or b.obj()? */
template <class H, class B>
constexpr bool holds = std::is_convertible_v<const B &, H> || std::is_invocable_r_v<H, const B &> ||
                       has_get<H, B>::value || has_obj<H, B>::value;

template <class H, class B> H raw(const B &b)
{
    static_assert(holds<H, B>, "an OpenCL handle, or an object that holds one: b, b(), b.get() or b.obj()");
    if constexpr (std::is_convertible_v<const B &, H>)
        return b;
    else if constexpr (std::is_invocable_r_v<H, const B &>)
        return b();
    else if constexpr (has_get<H, B>::value)
        return b.get();
    else
        return b.obj();
}

inline void retain(clf_context *object)
{
    clf_context_retain(object);
}
inline void release(clf_context *object)
{
    clf_context_release(object);
}
inline void retain(clf_plan *object)
{
    clf_plan_retain(object);
}
inline void release(clf_plan *object)
{
    clf_plan_release(object);
}
inline void retain(cl_event object)
{
    clRetainEvent(object);
}
inline void release(cl_event object)
{
    clReleaseEvent(object);
}

/* One reference to a counted object, or to none. A copy shares the object, a move leaves nothing behind. */
template <class T> class handle
{
  public:
    handle() noexcept = default;
    handle(const handle &other) noexcept : object_(other.object_)
    {
        if (object_)
            retain(object_);
    }
    handle(handle &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    handle &operator=(handle other) noexcept
    {
        std::swap(object_, other.object_);
        return *this;
    }
    ~handle()
    {
        reset();
    }
    void reset() noexcept
    {
        if (object_)
            release(object_);
        object_ = nullptr;
    }
    T get() const noexcept
    {
        return object_;
    }
    explicit operator bool() const noexcept
    {
        return object_ != nullptr;
    }

  protected:
    T object_ = nullptr;
};

/* What clf_…_describe writes. */
template <class Describe> std::string text_of(Describe describe)
{
    std::size_t needed = 0;
    if (describe(nullptr, 0, &needed) != CLF_SUCCESS || needed == 0)
        return {};
    std::string text(needed, '\0');
    describe(&text[0], needed, &needed);
    text.resize(needed - 1); // the 0 at its end
    return text;
}

} // namespace detail

/* The event of a call, to wait for or to let others wait for. */
class event : public detail::handle<cl_event>
{
  public:
    operator cl_event() const noexcept
    {
        return object_;
    }
    /* Returns OpenCL's status; without an event, at once. */
    cl_int wait() const
    {
        return object_ ? clWaitForEvents(1, &object_) : CL_SUCCESS;
    }
    /* Where OpenCL is to write an event; the old one is released. */
    cl_event *out() noexcept
    {
        reset();
        return &object_;
    }
};

/* clf_context_options and clf_plan_options with their size. */
struct context_options : clf_context_options {
    context_options() : clf_context_options()
    {
        size = sizeof(clf_context_options);
    }
};
struct plan_options : clf_plan_options {
    explicit plan_options(const char *with_variant = nullptr, const char *with_parameters = nullptr)
        : clf_plan_options()
    {
        size = sizeof(clf_plan_options);
        variant = with_variant;
        parameters = with_parameters;
    }
    /* No results but these are written; calls have std::nullopt in the places of the others. */
    template <class... More> plan_options &want(unsigned result, More... more)
    {
        wanted |= ((cl_ulong(1) << result) | ... | (cl_ulong(1) << more));
        return *this;
    }
};

/*
 * A cl_context and one of its devices. Unless you set options.notify, it stores the sentence about a refused
 * argument for the error of that call.
 */
class context : public detail::handle<clf_context *>
{
  public:
    context() noexcept = default;
    template <class C, class D>
    context(const C &cl, const D &device, const context_options &options = {}, failure *into = nullptr)
    {
        context_options told = options;
        clf_error e = detail::empty_error();
        if (!told.notify)
            told.notify = detail::remember_sentence;
        detail::finish(
            clf_context_create(detail::raw<cl_context>(cl), detail::raw<cl_device_id>(device), &told, &object_, &e), e,
            into);
    }
    /* Another reference to a context made in C. */
    static context share(clf_context *c)
    {
        context shared;
        if (c && clf_context_retain(c) == CLF_SUCCESS)
            shared.object_ = c;
        return shared;
    }
    CLFOLD_STATUS trim(failure *into = nullptr) const
    {
        detail::last_sentence().text[0] = 0;
        return detail::finish(clf_context_trim(object_), into);
    }
    std::string describe() const
    {
        return detail::text_of(
            [this](char *t, std::size_t b, std::size_t *n) { return clf_context_describe(object_, t, b, n); });
    }
    /* Searches faster parameters for plans like this one; and the results, as the text of a profile. */
    CLFOLD_STATUS tune(const detail::handle<clf_plan *> &plan, cl_uint milliseconds, failure *into = nullptr) const
    {
        clf_error e = detail::empty_error();
        const clf_status status = clf_context_tune(object_, plan.get(), milliseconds, &e);
        return detail::finish(status, e, into);
    }
    std::string profile() const
    {
        return detail::text_of(
            [this](char *t, std::size_t b, std::size_t *n) { return clf_context_profile(object_, t, b, n); });
    }
};

/* The context that a plan is made in, and where a failure goes, if not into an exception. */
struct in_context {
    clf_context *context;
    failure *into;
    in_context(const clfold::context &c, failure *where = nullptr) : context(c.get()), into(where) {}
};

/* A context or a plan without an exception: make<context>(cl, device), make<scan_plan>(context, op, flags …). */
template <class T, class First, class... More> result<T> make(const First &first, const More &...more)
{
    failure why;
    if constexpr (std::is_same_v<T, context>) {
        static_assert(sizeof...(More) == 1 || sizeof...(More) == 2,
                      "make<context>(cl, device) or (cl, device, options)");
        T made = [&](const auto &device, const auto &...options) {
            return T(first, device, context_options(options...), &why);
        }(more...);
        if (made)
            return made;
    } else {
        T made(in_context(first, &why), more...);
        if (made)
            return made;
    }
    return why;
}

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
