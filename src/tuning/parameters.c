/* SPDX-License-Identifier: MIT */
/*
 * Parameters of variants: the table of all that there are, lists of them, and how they are read.
 *
 * Which variant takes which, the variants themselves say (clf_variant.parameters); one may take what others have. So a
 * row here is for a new name, and its text tells what the name means to each. The table in cl/README.md is made from
 * this one by `clfold-info --parameters`.
 */
#include "tuning/tuning.h"

#include <stdio.h>
#include <string.h>

/* Beyond these ranges nothing is of use, and much never ends. */
static const clf_known_parameter known[] = {
    {"items", 1, 1 << 20, CLF_READ_BY_KERNELS, CLF_SEARCH_FACTORS,
     "from local memory; one group: 4 to 16; from Clausen's model for wide values where registers are few",
     "consecutive elements per work-item (Clausen's m); variants for CPUs: the whole tile; reductions: elements in "
     "flight per work-item. An odd multiple of 16 bytes is best"},
    {"group", 1, 1 << 16, CLF_READ_BY_KERNELS, CLF_SEARCH_FACTORS, "128 to 512",
     "work-items per work-group, a multiple of the lanes; variants for CPUs have 1"},
    {"groups", 1, 1 << 16, CLF_READ_BY_HOST, CLF_SEARCH_FACTORS,
     "what keeps the device busy", "how many groups run at a time"},
    {"partials", 1, 1 << 16, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "2048",
     "two_pass: the most groups whose sums one group adds up. With more tiles one group scans these in between; or, on "
     "devices whose compiler is Mesa's, a group has several tiles"},
    {"rounds", 0, UINT32_MAX, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE,
     "as few as make outputs take at most twice the memory of inputs",
     "the most rounds in which a tile's outputs are staged in local memory (`scan_tile.cl`). More rounds need less "
     "memory; rounds that save none are left out"},
    {"local", 0, 1 << 20, CLF_READ_BY_HOST, CLF_SEARCH_NONE,
     "scans: 3/8 of local memory (serial: and half of what no driver says), 36864 at most (lanes: 20480 of narrow "
     "values; serial: 57344 of wide); one group, and else: 0",
     "bytes of local memory per group, from which `items` follows, unless that is given; 0: from the model"},
    {"registers", 0, 255, CLF_READ_BY_COMPILER, CLF_SEARCH_NONE, "0, but for segmented sorts and irregular sums",
     "upper bound of registers per work-item (NVIDIA); 0: none"},
    {"ticket", 0, 1, CLF_READ_BY_KERNELS, CLF_SEARCH_ALL, "0 on GPUs that start groups in order, else 1",
     "1: tiles by atomic ticket; 0: by group id (any order is correct)"},
    {"spin", 0, 1 << 30, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "65536; on CPUs 256, in variant cpu 16384",
     "how often a group polls for a message before its fallback computes the value"},
    {"streams", 0, 256, CLF_READ_BY_KERNELS, CLF_SEARCH_FACTORS,
     "scans: 0, 2, 4 or 32; reductions: 8 to 64, or 1 where the source has a loop; merges: 4 or 6; searches: up to "
     "64; ranks: 16",
     "independent chains of combines, from 9 on rows of neighbours; reductions: independent values; merges: parts of "
     "a tile; searches: needles; ranks: runs merged at a time. 0: vectors (scans by operators with a vector form)"},
    {"nontemporal", 0, 2, CLF_READ_BY_HOST, CLF_SEARCH_ALL, "1",
     "stores that bypass the caches: 0 never, 1 where input and output would not fit the caches, 2 always"},
    {"halo", 0, UINT32_MAX, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "256",
     "the longest segments whose start a tile reads again instead of waiting for a message"},
    {"limit", 0, UINT32_MAX, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "by role",
     "the largest n that a role takes. Reduction: the longest segment. Transposition: the most rows or columns, "
     "whichever are fewer (thin), or the most elements of a matrix (small). Sort: the most elements of a launch, "
     "and of roles \"small\" and \"few\"; of rows, and of segments on GPUs, the longest that are merged. Top-k: the "
     "most elements without a sample; of segments the elements of a piece. Reduction by index: the most slices of "
     "bins"},
    {"fewest", 0, UINT32_MAX, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "by role",
     "role \"medium\" of a reduction: the fewest of its longest segments that it takes. Role \"long\" of a segmented "
     "scan: the fewest elements of a segment. Reduction by index: the fewest elements that are first split by bins "
     "(split), or that get counters of the most frequent bins (global)"},
    {"parting", 1, UINT32_MAX, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "5",
     "reduction: the fewest tiles of a segment that is split among several groups"},
    {"counted", 0, 65536, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "4096; of rows 16384; on CPUs 512",
     "top-k: the most results that are put in order by counting; more are sorted"},
    {"few", 0, 128, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "128; on CPUs 64",
     "top-k: the most results of a row that are found in one reading, by lists of the best so far"},
    {"buckets", 0, 1, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "1",
     "sort on CPUs: 1: elements are split by the highest bits first, and sorted in buckets; 0: by passes alone"},
    {"filled", 1, 4, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "3; across elements of one byte 2",
     "transposition: quarters of a tile's rows, and of its columns, that a matrix fills on average; below that role "
     "\"thin\" takes it"},
    {"size", 0, UINT32_MAX, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "0",
     "the only segment size that the plan takes; others are refused. 0: any"},
    {"across", 1, 1 << 16, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "16 to 64",
     "words in a row of a tile, a power of two. A word is 4 bytes, or the largest power of two that divides an element "
     "if that is more"},
    {"down", 1, 1 << 16, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE,
     "128 or 256 bytes", "words in a column of a tile, a power of two"},
    {"rows", 1, 1 << 16, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE,
     "about as many as columns", "rows of a tile, a multiple of 4"},
    {"stripe", 0, 1 << 16, CLF_READ_BY_HOST, CLF_SEARCH_NONE, "8",
     "how many tiles lie side by side in a stripe; 0: as many as there are"},
    {"ahead", 0, 1, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "1", "1: fetches the next tile into the cache meanwhile"},
    {"index64", 0, 1, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "0",
     "1: positions in a tile are 64 bits, too. For the bench, to show what 32 bits gain"},
    {"stall", 0, UINT32_MAX, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE,
     "0", "tests: every k-th tile does not publish its aggregate"},
    {"reverse", 0, 1, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "0", "tests: 1: tiles in reverse order"},
    {"count", 0, 1, CLF_READ_BY_KERNELS, CLF_SEARCH_NONE, "0",
     "tests: 1: counts look-backs, steps, fallbacks, hand-overs in scratch words 1 to 4"},
};
/* Variants add a few that nobody else sets. */
_Static_assert(CLF_COUNT(known) + 4 <= CLF_MAX_PARAMETERS, "a list has no room for all parameters");

const clf_known_parameter *clf_parameter_number(size_t number)
{
    return number < CLF_COUNT(known) ? &known[number] : NULL;
}

const clf_known_parameter *clf_parameter_known(const char *name)
{
    for (size_t i = 0; i < CLF_COUNT(known); ++i)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}

/* ---- Lists of parameters ------------------------------------------------------------------------------- */

/* The index of a parameter, or list->count. */
static cl_uint find(const clf_parameters *list, const char *name)
{
    cl_uint i = 0;
    while (i < list->count && strcmp(list->item[i].name, name) != 0)
        ++i;
    return i;
}

cl_uint clf_parameter_get(const clf_parameters *list, const char *name, cl_uint otherwise)
{
    const cl_uint i = find(list, name);
    return i < list->count ? list->item[i].value : otherwise;
}

void clf_parameter_set_from(clf_parameters *list, const char *name, cl_uint value, clf_origin origin)
{
    const cl_uint i = find(list, name);
    if (i == CLF_MAX_PARAMETERS)
        return; /* cannot happen: fewer names are known */
    if (i == list->count) {
        snprintf(list->item[i].name, sizeof list->item[i].name, "%s", name);
        ++list->count;
    }
    list->item[i].value = value;
    list->item[i].origin = origin;
}

void clf_parameter_set(clf_parameters *list, const char *name, cl_uint value)
{
    const cl_uint i = find(list, name);
    if (i == list->count || list->item[i].value != value) /* else whoever said so goes on saying so */
        clf_parameter_set_from(list, name, value, (clf_origin){NULL, 0});
}

void clf_parameter_default(clf_parameters *list, const char *name, cl_uint value)
{
    if (find(list, name) == list->count)
        clf_parameter_set(list, name, value);
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

bool clf_parameter_read(clf_cursor *c, char name[24], cl_uint *value)
{
    return clf_cursor_name(c, name, 24) && clf_parameter_known(name) && clf_cursor_take(c, '=') &&
           clf_cursor_number(c, value);
}

clf_status clf_parameter_check(const char *name, cl_uint value, clf_error *error)
{
    const clf_known_parameter *p = clf_parameter_known(name);
    if (value < p->least || value > p->most)
        return clf_fail(error, CLF_E_PARAMETER, "%s=%u: needs a number from %u to %u", name, value, p->least, p->most);
    return CLF_SUCCESS;
}

clf_status clf_parameters_parse(const char *text, clf_parameters *list, clf_error *error)
{
    char name[24];
    cl_uint value;
    if (!text)
        return CLF_SUCCESS;
    clf_cursor c = {text, text + strlen(text)};
    while (!clf_cursor_at_end(&c)) {
        const clf_cursor item = c;
        if (!clf_parameter_read(&c, name, &value) ||
            (!clf_cursor_at_end(&c) && (!clf_cursor_take(&c, ',') || clf_cursor_at_end(&c))))
            return clf_fail(error, CLF_E_PARAMETER,
                            "parameters: '%.64s' is not like 'items=20,group=256' with known names", item.at);
        CLF_TRY(clf_parameter_check(name, value, error));
        clf_parameter_set(list, name, value);
    }
    return CLF_SUCCESS;
}
