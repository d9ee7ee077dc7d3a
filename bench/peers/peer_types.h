// SPDX-License-Identifier: MIT
//
// Types: by their names on the command line, and their ends. C++.
#ifndef CLFOLD_PEER_TYPES_H
#define CLFOLD_PEER_TYPES_H

#include <cstdint>
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

} // namespace peers

#endif
