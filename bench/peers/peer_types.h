// SPDX-License-Identifier: MIT
//
// Types: by their names on the command line, their ends; and jobs that throw. C++.
#ifndef CLFOLD_PEER_TYPES_H
#define CLFOLD_PEER_TYPES_H

#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <type_traits>

namespace peers
{

template <class T> std::string name_of()
{
    return (std::is_integral_v<T> ? std::is_signed_v<T> ? "i" : "u" : "f") + std::to_string(8 * sizeof(T));
}

// What `make` makes of a value of that one of these types that has the name; else none.
template <class Result, class... Types, class Make> Result *by_type(const char *name, Make make)
{
    Result *made = nullptr;
    ((name == name_of<Types>() && (made = make(Types()), true)) || ...);
    return made;
}

// Of all types of numbers that the host has.
template <class Result, class Make> Result *by_number(const char *name, Make make)
{
    return by_type<Result, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                   std::int64_t, std::uint64_t, float, double>(name, make);
}

// The ends of a type's order.
template <class T> constexpr T least()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::min() : -std::numeric_limits<T>::infinity();
}

template <class T> constexpr T largest()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
}

// A failure shows as a wrong result; the sentence is said once.
template <class Job, class Action> void attempt(void *state, Action action)
{
    Job *self = static_cast<Job *>(state);
    try {
        action(self);
    } catch (const std::exception &error) {
        if (!self->failed)
            std::fprintf(stderr, "%s: %s\n", Job::peer_name, error.what());
        self->failed = true;
    }
}

template <class Job> int shape(void *state, std::uint64_t count, std::uint64_t size)
{
    bool does = false;
    attempt<Job>(state, [&](Job *self) { does = self->shape(count, size); });
    return does;
}

template <class Job> void call(void *state)
{
    attempt<Job>(state, [](Job *self) { self->call(); });
}

template <class Job> void fetch(void *state, void *const *out)
{
    attempt<Job>(state, [out](Job *self) { self->fetch(out); });
}

} // namespace peers

#endif
