/* SPDX-License-Identifier: MIT */
/* Failures: thrown, or returned. See section 1 of clfold.h. */
#ifndef CLFOLD_HPP_ERROR
#define CLFOLD_HPP_ERROR

#include "../clfold.h"

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#if !defined(CLFOLD_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define CLFOLD_NO_EXCEPTIONS
#endif

/* Files of a program may choose differently: their functions then have different names. */
#ifdef CLFOLD_NO_EXCEPTIONS
#define CLFOLD_ERRORS returning
#define CLFOLD_STATUS [[nodiscard]] clf_status
#else
#define CLFOLD_ERRORS throwing
#define CLFOLD_STATUS clf_status
#endif

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* What failed, in words; `log` is the OpenCL compiler's build log. On success the status is 0. */
struct failure {
    clf_status status = CLF_SUCCESS;
    std::string message;
    std::string log;
};

/* what() is the message, then the log. */
class error : public std::runtime_error
{
  public:
    explicit error(const failure &f)
        : std::runtime_error(f.message + (f.log.empty() ? "" : "\n" + f.log)), status_(f.status),
          message_(f.message.size()) {}
    clf_status status() const noexcept
    {
        return status_;
    }
    std::string message() const
    {
        return std::string(what(), message_);
    }
    /* Empty where nothing was compiled. */
    std::string log() const
    {
        const std::string all = what();
        return all.size() > message_ ? all.substr(message_ + 1) : std::string();
    }

  private:
    clf_status status_;
    std::size_t message_;
};

namespace detail
{

/* Stores a failure if the caller wants it, or throws it, or leaves it to the status. */
inline clf_status fail(failure &&f, failure *into)
{
    const clf_status status = f.status;
    if (into)
        *into = std::move(f);
#ifndef CLFOLD_NO_EXCEPTIONS
    else
        throw error(f);
#endif
    return status;
}

/* The sentence about a refused argument, which the context's notify function left for this thread. */
struct sentence {
    char text[512];
};

inline sentence &last_sentence()
{
    static thread_local sentence s = {};
    return s;
}

inline void remember_sentence(const char *text, clf_status, void *)
{
    sentence &s = last_sentence();
    std::size_t i = 0;
    for (; text[i] && i + 1 < sizeof s.text; i++)
        s.text[i] = text[i];
    s.text[i] = 0;
}

/* For functions that do not compile. */
inline clf_status finish(clf_status status, failure *into)
{
    if (into)
        *into = failure();
    if (status == CLF_SUCCESS)
        return status;
    const char *text = last_sentence().text;
    return fail({status, *text ? text : clf_status_text(status), ""}, into);
}

/* For functions that do, or may. */
inline clf_status finish(clf_status status, const clf_error &e, failure *into)
{
    if (status != CLF_SUCCESS)
        return fail({status, e.message[0] ? e.message : clf_status_text(status), e.log}, into);
    if (into)
        *into = failure();
    return status;
}

inline clf_error empty_error()
{
    clf_error e = {};
    e.size = sizeof e;
    return e;
}

} // namespace detail

/* A T, or why there is none. Asked for the wrong one, it throws the failure, or ends the program. */
template <class T> class [[nodiscard]] result
{
  public:
    result(T &&value) : value_(std::move(value)) {}
    result(failure why) : why_(std::move(why)) {}
    explicit operator bool() const noexcept
    {
        return value_.has_value();
    }
    /* Its status is CLF_SUCCESS if there is a value. */
    const failure &error() const noexcept
    {
        return why_;
    }
    T &value() &
    {
        expect();
        return *value_;
    }
    T &&value() &&
    {
        expect();
        return std::move(*value_);
    }
    T &operator*()
    {
        return value();
    }
    T *operator->()
    {
        return &value();
    }

  private:
    void expect() const
    {
        if (!value_) {
#ifdef CLFOLD_NO_EXCEPTIONS
            std::abort();
#else
            throw clfold::error(why_);
#endif
        }
    }
    std::optional<T> value_;
    failure why_;
};

} // namespace CLFOLD_ERRORS
} // namespace clfold
#endif
