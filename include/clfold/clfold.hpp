/* SPDX-License-Identifier: MIT */
/*
 * clfold.hpp: clfold for C++17 and later. Header only, over the C interface, whose manual is clfold.h. A class or
 * function here does what the C function of its name does, and adds only this:
 *
 *     objects that release what they hold         clfold::context, event, scan_plan …         hpp/object.hpp, plans.hpp
 *     errors as exceptions, or as results         clfold::error, result, failure              hpp/error.hpp
 *     arrays that know their type                 clfold::array<float>                        hpp/call.hpp
 *     calls described by what they need           clfold::on(queue).after(loaded).done(ready) hpp/call.hpp
 *     field lists made from types and structs     clfold::fields<float, cl_uint>("x", "n")    hpp/fields.hpp
 *     operators                                   clfold::op(…).source(…).combine("add")      hpp/op.hpp
 *     built-in cases in one call                  clfold::sort(context, queue, n, in, out)    hpp/one_call.hpp
 *
 * The largest of n floats, and where it is:
 *
 *     struct best { float value; cl_uint at; };
 *     CLFOLD_FIELDS(best, value, at)
 *
 *     clfold::context context(cl, device);
 *     clfold::reduce_plan argmax(context, clfold::op(clfold::fields<best>()).input("float x;").source(R"(
 *         clf_value here(clf_input in, ulong i) { return (clf_value){in.x, (uint)i}; }
 *         clf_value larger(clf_value a, clf_value b) { if (b.value > a.value) a = b; return a; }
 *         clf_value none(void) { return (clf_value){-INFINITY, 0}; })").map("here").combine("larger").neutral("none"));
 *     argmax(queue, n, x, {value, at});       // arrays of float, float and cl_uint
 *
 * Errors: a function that fails throws clfold::error. It has the status and the library's sentence ("clf_scan:
 * out[1].buffer ends before element 999"); for functions that compile, also the build log. Nothing is thrown
 *
 *   - by clfold::make<scan_plan>(context, op …), whose result has the plan or the failure;
 *   - by a call that says where a failure goes: plan(clfold::on(queue).into(failure), n, in, out);
 *   - where exceptions are off (-fno-exceptions), or CLFOLD_NO_EXCEPTIONS is defined before this header. Then functions
 *     return the clf_status, and what could not be constructed is empty: if (!plan) …
 *
 * These are CLF_E_ARGUMENT: an array whose element size is not its field's; segments or indices whose element size is
 * not the plan's; an initial value whose size is not that of the value's fields; too many or too few arrays.
 * cl_context, cl_mem, cl_command_queue, cl_event and cl_device_id may also be objects that wrap them, such as those of
 * CL/opencl.hpp (cl::Buffer) and Boost.Compute.
 */
#ifndef CLFOLD_HPP
#define CLFOLD_HPP

#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error "clfold.hpp needs C++17: compile with -std=c++17 or later, or include clfold/clfold.h"
#else

#include "hpp/error.hpp"
#include "hpp/object.hpp"
#include "hpp/fields.hpp"
#include "hpp/op.hpp"
#include "hpp/call.hpp"
#include "hpp/plans.hpp"
#include "hpp/order.hpp"
#include "hpp/one_call.hpp"
#include "hpp/expand.hpp"
#include "hpp/laws.hpp"

#endif
#endif
