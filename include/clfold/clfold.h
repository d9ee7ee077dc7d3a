/* SPDX-License-Identifier: MIT */
/*
 * clfold: parallel primitives for OpenCL with the caller's own operator.
 *
 * The whole interface and its manual, in reading order, a header for each subject:
 *
 *     status.h               1. version, status and error
 *     context.h              2. contexts
 *     operator.h             3. operators
 *     plan.h                 4. plans and calls
 *     scan.h                 5. scan, 6. segmented scan, 7. irregular segments
 *     reduce.h               8. reduce, also of segments
 *     transpose.h            9. transpose
 *     adjacent_difference.h  10. adjacent difference
 *     filter.h               11. filter, unique, partition, split
 *     sort.h                 12. sort, of rows and segments, by a comparison; top-k
 *     reduce_by_key.h        13. reduce by key
 *     reduce_by_index.h      14. reduce by index
 *     merge.h                15. merge, lower and upper bounds
 *     gather.h               16. gather and scatter
 *     one_call.h             17. one-call functions
 *     expand.h               18. expand
 *     laws.h                 19. laws of operators
 *
 * Every use has the same four steps. Make a context from your cl_context and device. Describe an operator. Compile a
 * plan, once, in seconds at worst. Enqueue the plan as often as you like:
 *
 *     clf_context_create(cl, device, NULL, &context, NULL);
 *     clf_scan_plan(context, clf_builtin(CLF_SUM, CLF_FLOAT), 0, NULL, &plan, NULL);
 *     clf_scan(plan, CLF_ON(queue), n, &in, &out);
 *
 * How every call behaves
 *   - Sizes and offsets are cl_ulong and count elements, from 0 to beyond 2^32. Any n and any element offset is
 *     valid: there are no rules about alignment or multiples.
 *   - Enqueue functions never wait for the device, honour the wait list, and return an event (if asked) that
 *     covers the whole operation. n = 0 succeeds and still yields an event, and in an in-order queue later commands
 *     still wait for the call's wait list.
 *   - Every failure is a status; nothing is printed. A call refuses bad arguments before it enqueues anything, and
 *     then has touched no buffer. clf_context_options.notify gets a sentence that names the call and the argument.
 *   - Objects are reference counted and may be released in any order, also while work is in flight.
 *   - Thread safety: every function may be called from any thread at any time, also on the same context or plan. The
 *     one exception: nobody may use an object whose last reference is being released. Descriptor structs
 *     (clf_operator, clf_call, options) are only read during the call and belong to the caller. A clf_error may be
 *     used by one call at a time, and so may a scratch buffer passed to a call, until the call's event completes.
 */
#ifndef CLFOLD_H
#define CLFOLD_H

#include <clfold/status.h>
#include <clfold/context.h>
#include <clfold/operator.h>
#include <clfold/plan.h>
#include <clfold/scan.h>
#include <clfold/reduce.h>
#include <clfold/transpose.h>
#include <clfold/adjacent_difference.h>
#include <clfold/filter.h>
#include <clfold/sort.h>
#include <clfold/reduce_by_key.h>
#include <clfold/reduce_by_index.h>
#include <clfold/merge.h>
#include <clfold/gather.h>
#include <clfold/one_call.h>
#include <clfold/expand.h>
#include <clfold/laws.h>

#endif
