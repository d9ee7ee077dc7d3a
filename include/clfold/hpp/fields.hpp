/* SPDX-License-Identifier: MIT */
/* Scalar types and field lists from C++ types (section 3 of clfold.h). */
#ifndef CLFOLD_HPP_FIELDS
#define CLFOLD_HPP_FIELDS

#include "error.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace clfold
{
inline namespace CLFOLD_ERRORS
{

/* OpenCL's half, which C++ has no type for. */
struct half {
    cl_half bits;
};

/* The upper half of a float's bits. */
struct bfloat16 {
    cl_ushort bits;
};

namespace detail
{

template <class T> struct vector_of {
    using scalar = T;
    static constexpr unsigned width = 1, length = 0;
};
#define CLFOLD_VECTOR(type, n)               \
    template <> struct vector_of<type##n> {  \
        using scalar = type;                 \
        static constexpr unsigned width = n; \
        static constexpr unsigned length = 0; \
    };
#define CLFOLD_VECTORS(type) \
    CLFOLD_VECTOR(type, 2) CLFOLD_VECTOR(type, 4) CLFOLD_VECTOR(type, 8) CLFOLD_VECTOR(type, 16)
CLFOLD_VECTORS(cl_char)
CLFOLD_VECTORS(cl_uchar)
CLFOLD_VECTORS(cl_short)
CLFOLD_VECTORS(cl_ushort)
CLFOLD_VECTORS(cl_int)
CLFOLD_VECTORS(cl_uint)
CLFOLD_VECTORS(cl_long)
CLFOLD_VECTORS(cl_ulong)
CLFOLD_VECTORS(cl_float)
CLFOLD_VECTORS(cl_double)
#undef CLFOLD_VECTORS
#undef CLFOLD_VECTOR
/* Arrays, of one dimension; `length` of all others is 0. */
template <class T, std::size_t n> struct vector_of<T[n]> {
    static_assert(n >= 1 && n * sizeof(T) <= 64, "an array that is a field has at most 64 bytes");
    static_assert(std::is_arithmetic_v<T> || std::is_same_v<T, half>, "arrays that are fields are of scalars");
    using scalar = T;
    static constexpr unsigned width = 1, length = n;
};
template <class T, std::size_t n> struct vector_of<std::array<T, n>> : vector_of<T[n]> {
};

} // namespace detail

/* The clf_type of a C++ type: integers by their size and sign, float, double, clfold::half, clfold::bfloat16. */
template <class T> constexpr clf_type type_of()
{
    constexpr bool integer = std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;
    constexpr bool brief = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
    static_assert(integer || brief || std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "OpenCL has no such scalar type");
    constexpr int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    if constexpr (integer)
        return static_cast<clf_type>(2 * log + (std::is_unsigned_v<T> ? 1 : 0));
    if constexpr (brief)
        return std::is_same_v<T, half> ? CLF_HALF : CLF_BFLOAT16;
    return std::is_same_v<T, float> ? CLF_FLOAT : CLF_DOUBLE;
}

/* A member of a struct as a field: what CLFOLD_FIELDS makes a list of. */
struct member {
    const char *name;
    clf_type type;
    unsigned width;
    std::size_t offset, bytes;
    unsigned length; /* of an array, else 0 */
};

namespace detail
{

template <class T> constexpr member member_of(const char *name, std::size_t offset)
{
    using of = vector_of<T>;
    return {name, type_of<typename of::scalar>(), of::width, offset, sizeof(T), of::length};
}

/* Are these all members of a struct of that size, in its order? Each is aligned to its size, as OpenCL's types are. */
template <std::size_t N> constexpr bool laid_out(const std::array<member, N> &list, std::size_t size)
{
    std::size_t at = 0, most = 1;
    for (const member &m : list) {
        const std::size_t unit = m.length ? m.bytes / m.length : m.bytes; /* arrays are aligned as what they are of */
        at = (at + unit - 1) / unit * unit;
        most = unit > most ? unit : most;
        if (m.offset != at)
            return false;
        at += m.bytes;
    }
    return (at + most - 1) / most * most == size;
}

inline std::string field_text(clf_type type, unsigned width, unsigned length, const char *name)
{
    std::string text = std::string(clf_type_name(type)) + (width > 1 ? std::to_string(width) : "") + " " + name;
    if (length)
        text.append("[").append(std::to_string(length)).append("]");
    return text + "; ";
}

/* A field's bytes, and those that it is aligned to. */
struct extent {
    std::size_t bytes, unit;
};

/* Each field of a list such as "float x; uint4 n; short a[3];". The library refuses unknown types. */
inline std::vector<extent> field_extents(const char *list)
{
    std::vector<extent> fields;
    for (const char *at = list; at && *(at += std::strspn(at, " \t\r\n;")); at += std::strcspn(at, ";")) {
        fields.push_back({0, 1});
        for (int t = 0; t < CLF_TYPE_COUNT; t++) {
            const char *name = clf_type_name(static_cast<clf_type>(t));
            const std::size_t length = std::strlen(name);
            if (std::strncmp(at, name, length) == 0 && std::strchr("0123456789 \t\r\n", at[length])) {
                const long width = std::strtol(at + length, nullptr, 10);
                const bool digits = at[length] >= '0' && at[length] <= '9';
                const char *const bracket = at + std::strcspn(at, "[;");
                const std::size_t unit = clf_type_size(static_cast<clf_type>(t)) *
                                         static_cast<std::size_t>(digits ? width : 1);
                const std::size_t count = *bracket == '['
                                              ? static_cast<std::size_t>(std::strtol(bracket + 1, nullptr, 10))
                                              : 1;
                fields.back() = {unit * count, unit};
            }
        }
    }
    return fields;
}

/* Bytes of each field of a list. */
inline std::vector<std::size_t> field_bytes(const char *list)
{
    std::vector<std::size_t> bytes;
    for (const extent &field : field_extents(list))
        bytes.push_back(field.bytes);
    return bytes;
}

/* Bytes of the struct that an initial value with these fields is. */
inline std::size_t struct_bytes(const char *list)
{
    std::size_t at = 0, most = 1;
    for (const extent &field : field_extents(list)) {
        const std::size_t unit = field.unit ? field.unit : 1;
        at = (at + unit - 1) / unit * unit + field.bytes;
        most = unit > most ? unit : most;
    }
    return (at + most - 1) / most * most;
}

} // namespace detail

/*
 * fields<best>()                            "float value; uint at; ", of a struct that CLFOLD_FIELDS lists
 * fields<float, cl_uint>("value", "at")     the same without a struct
 * Arrays, float[10] or std::array<float, 10>, are fields "float name[10]".
 */
template <class... T, class... Name> std::string fields(const Name &...names)
{
    std::string text;
    if constexpr (sizeof...(Name) == 0) {
        static_assert(sizeof...(T) == 1, "one struct, or as many names as types");
        for (const member &m : clfold_fields(static_cast<const T *>(nullptr)...))
            text += detail::field_text(m.type, m.width, m.length, m.name);
    } else {
        static_assert(sizeof...(T) == sizeof...(Name), "one struct, or as many names as types");
        ((text += detail::field_text(type_of<typename detail::vector_of<T>::scalar>(), detail::vector_of<T>::width,
                                     detail::vector_of<T>::length, names)),
         ...);
    }
    return text;
}

} // namespace CLFOLD_ERRORS
} // namespace clfold

/*
 * CLFOLD_FIELDS(best, value, at), after a struct and in its namespace, lists its members, all of them and in order, up
 * to 16; the compiler checks it. Values of the struct are then initial values of operators with these fields.
 */
#define CLFOLD_FIELDS(Struct, ...)                                                                                \
    inline constexpr auto clfold_fields(const Struct *)                                                           \
    {                                                                                                             \
        using self = Struct;                                                                                      \
        constexpr std::array<clfold::member, CLFOLD_COUNT(__VA_ARGS__)> list = {{CLFOLD_EACH(__VA_ARGS__)}};      \
        static_assert(clfold::detail::laid_out(list, sizeof(self)), "all members of the struct, in their order"); \
        return list;                                                                                              \
    }
#define CLFOLD_MEMBER(m) clfold::detail::member_of<decltype(self::m)>(#m, offsetof(self, m)),
#define CLFOLD_COUNT(...) CLFOLD_17TH(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CLFOLD_17TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q
#define CLFOLD_EACH(...) CLFOLD_PASTE(CLFOLD_M, CLFOLD_COUNT(__VA_ARGS__))(__VA_ARGS__)
#define CLFOLD_PASTE(a, b) CLFOLD_PASTE_(a, b)
#define CLFOLD_PASTE_(a, b) a##b
#define CLFOLD_M1(m) CLFOLD_MEMBER(m)
#define CLFOLD_M2(m, ...) CLFOLD_MEMBER(m) CLFOLD_M1(__VA_ARGS__)
#define CLFOLD_M3(m, ...) CLFOLD_MEMBER(m) CLFOLD_M2(__VA_ARGS__)
#define CLFOLD_M4(m, ...) CLFOLD_MEMBER(m) CLFOLD_M3(__VA_ARGS__)
#define CLFOLD_M5(m, ...) CLFOLD_MEMBER(m) CLFOLD_M4(__VA_ARGS__)
#define CLFOLD_M6(m, ...) CLFOLD_MEMBER(m) CLFOLD_M5(__VA_ARGS__)
#define CLFOLD_M7(m, ...) CLFOLD_MEMBER(m) CLFOLD_M6(__VA_ARGS__)
#define CLFOLD_M8(m, ...) CLFOLD_MEMBER(m) CLFOLD_M7(__VA_ARGS__)
#define CLFOLD_M9(m, ...) CLFOLD_MEMBER(m) CLFOLD_M8(__VA_ARGS__)
#define CLFOLD_M10(m, ...) CLFOLD_MEMBER(m) CLFOLD_M9(__VA_ARGS__)
#define CLFOLD_M11(m, ...) CLFOLD_MEMBER(m) CLFOLD_M10(__VA_ARGS__)
#define CLFOLD_M12(m, ...) CLFOLD_MEMBER(m) CLFOLD_M11(__VA_ARGS__)
#define CLFOLD_M13(m, ...) CLFOLD_MEMBER(m) CLFOLD_M12(__VA_ARGS__)
#define CLFOLD_M14(m, ...) CLFOLD_MEMBER(m) CLFOLD_M13(__VA_ARGS__)
#define CLFOLD_M15(m, ...) CLFOLD_MEMBER(m) CLFOLD_M14(__VA_ARGS__)
#define CLFOLD_M16(m, ...) CLFOLD_MEMBER(m) CLFOLD_M15(__VA_ARGS__)
#endif
