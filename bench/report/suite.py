# SPDX-License-Identifier: MIT
"""What a vendor report measures: a table, with a reason per line. bench/report/README.md explains it in words.

A line is one primitive with one operator. Its types are those of the quick suite, then after a bar those that only the
full suite adds; a line whose first part is empty is in the full suite alone. Its axis says what is varied:

    n        the number of elements: 2^10 to the top, in steps of 4 powers (quick) or 2 (full). The top is a number of
             measure.py, not what fits, so that machines are measured at the same sizes, and the sequential reference
             comes to an end; --top 2^40 goes on to what fits
    splits   segments of one size, from single elements to one segment; the number of elements stays
    near     lengths of segments beside those at which another strategy takes over: 2^k - 1, 2^k + 1, primes, few long
    uneven   segments of random lengths: tiny, middle and long on average
    rows     rows to be sorted or searched: tiny to long
    shapes   matrices: square, tall and wide
    thin     matrices of 2, 3, 5 and 17 rows or columns, odd widths, batches of tiny matrices
    bins     bins of histograms: 16 to 2^20 (quick: to 2^16)
    one      one large size: the data are what matters
"""
from collections import namedtuple

Line = namedtuple("Line", "primitive op types axis why")
Case = namedtuple("Case", "option value n fixed")  # the option that names it, its value, elements, other options
Scale = namedtuple("Scale", "full top base room")  # log2 of the largest n, of segments' n; bytes an array may have

LINES = (
    # Plain arrays over their size
    Line("scan", "sum", "i32|i8,i64,f32,f64", "n", "the plainest case; bytes are most work per byte"),
    Line("exclusive_scan", "sum", "|i32", "n", "the other way to scan: should cost the same"),
    Line("scan_flagged", "sum", "|i32", "n", "by a plan that may be told its size by the device, and is not"),
    Line("scan_from_device", "sum", "|i32", "n", "told size and initial value by the device"),
    Line("scan_reverse", "sum", "|i32,f32", "n", "from the right: should cost the same"),
    Line("scan_repeatable", "sum", "|f32", "n", "brackets that no timing changes: on GPUs a second reading"),
    Line("scan_unaligned", "sum", "|f32", "n", "input and output from element 1 on"),
    Line("scan_narrowed", "sum", "|f32", "n", "a finish that writes half of each result"),
    Line("scan", "mat2", "4xu32|", "n", "a user's operator: not commutative, four arrays, compiled from source"),
    Line("scan", "lssp", "|6xi32", "n", "a user's operator with a map: one array read, six fields carried"),
    Line("reduce", "lssp_one", "|6xi32", "n", "one of its six results: reads only"),
    Line("reduce", "sum", "i32|i8,f32,f64", "n", "reads only: shows whether loads are wide enough"),
    Line("reduce", "argmax", "f32,u32|", "n", "a user's operator: a value and where it is"),
    Line("adjacent_difference", "sum", "i32|i8,f64", "n", "no carry at all: what a scan would cost without its chain"),
    Line("filter", "-", "i32|i8,i64", "n", "half are kept: a scan of flags and a compaction in one pass"),
    Line("unique", "-", "|i32", "n", "the same, with a look at the neighbour"),
    Line("partition", "-", "i32|", "n", "two outputs, each in order"),
    Line("reduce_by_key", "sum", "i32|", "n", "runs of neighbours: both a scan by key and a compaction"),
    Line("run_lengths", "sum", "|i32", "n", "the same without values"),
    Line("gather", "-", "i32|i64", "n", "a random permutation: as slow as the memory's random access"),
    Line("gather_sorted", "-", "|i32", "n", "a half, in order: reads whole lines again"),
    Line("scatter", "-", "|i32", "n", "writes at random, which some caches like less than reads"),
    Line("expand", "-", "i32|i8,i64", "n", "elements repeated 16 times on average: a search, then writing alone"),
    Line("expand_by_lengths", "-", "|i32", "n", "the same by lengths, which are scanned first"),
    Line("expand_giant", "-", "|i32", "n", "one element repeated n times: should cost what writing costs"),
    Line("merge", "-", "i32|i8,i64", "n", "two sorted halves: a search, then a serial merge per work-item"),
    Line("lower_bound", "-", "|i32", "n", "many binary searches: latency, not bandwidth"),
    Line("lower_bound_sorted", "-", "|i32", "n", "sorted needles: a merge instead of searches"),
    Line("split", "-", "i32|", "n", "256 parts, stable: one pass of a radix sort"),
    Line("split_16", "-", "|i32", "n", "16 parts: counters fit into registers"),
    Line("sort", "-", "u32|u8,i64,f32", "n", "random keys; u8 goes by counting, f32 through ordered bits"),
    Line("sort_pairs", "-", "u32|", "n", "keys with their places, what an index sort moves"),
    Line("merge_sort", "-", "u32|", "n", "by a comparison, which no radix can replace"),
    Line("merge_sort_pairs", "-", "|u32", "n", "the same with places"),
    Line("is_sorted", "-", "|u32", "n", "the cheapest answer about order: reads all where the answer is yes"),
    Line("top_k_10", "-", "f32|", "n", "few first elements: should cost one reading"),
    Line("top_k_1024", "-", "|f32", "n", "as many as a group holds in its local memory"),
    Line("top_k_1024_unsorted", "-", "|f32", "n", "the same in any order: no sort at the end"),
    Line("top_k_65536", "-", "|f32", "n", "more than one group can hold"),

    # Segments: the time should depend on the number of elements alone
    Line("segmented_scan", "sum", "f32|i8", "splits", "every split: rows of one element up to one row"),
    Line("segmented_reduce", "sum", "f32|i8", "splits", "the same; each strategy has its range of lengths"),
    Line("segmented_reduce", "mss", "|4xi32", "splits", "the same with a user's operator"),
    Line("segmented_reduce", "mss_one", "|4xi32", "splits", "one of its four results, by a plan that wants no other"),
    Line("segmented_adjacent_difference", "sum", "|f32", "splits", "first elements of rows are special"),
    Line("scan_by_bits", "sum", "|f32", "uneven", "segments told by a bit per element"),
    Line("scan_by_bytes", "sum", "|f32", "uneven", "by a byte per element"),
    Line("scan_by_offsets", "sum", "f32|", "uneven", "by where they begin: offsets become flags first"),
    Line("scan_by_lengths", "sum", "|f32", "uneven", "by their lengths, which are scanned first"),
    Line("scan_by_keys", "sum", "f32|", "uneven", "by keys, which are read beside the values"),
    Line("reduce_by_bits", "sum", "|f32", "uneven", "sums of segments told by bits"),
    Line("reduce_by_bytes", "sum", "|f32", "uneven", "by bytes"),
    Line("reduce_by_keys", "sum", "f32|", "uneven", "by keys"),
    Line("reduce_uniform", "sum", "f32|", "uneven", "by offsets, of about equal length"),
    Line("segmented_sort", "-", "u32|f32", "rows", "rows of equal length: small ones in a group, long ones by passes"),
    Line("segmented_sort_pairs", "-", "|u32", "rows", "the same with places"),
    Line("irregular_sort", "-", "|u32", "rows", "segments by offsets: lengths differ"),
    Line("irregular_sort_pairs", "-", "|u32", "rows", "the same with places"),
    Line("irregular_sort_equal", "-", "|u32", "rows", "equal lengths, which only offsets tell"),
    Line("irregular_sort_equal_pairs", "-", "|u32", "rows", "the same with places"),
    Line("irregular_sort_pareto", "-", "|u32", "rows", "few long ones have most of the elements"),
    Line("irregular_sort_pareto_pairs", "-", "|u32", "rows", "the same with places"),
    Line("irregular_sort_giant", "-", "|u32", "rows", "a giant among tiny ones"),
    Line("irregular_sort_giant_pairs", "-", "|u32", "rows", "the same with places"),
    Line("softmax", "-", "|f32", "rows", "sums of exponentials of lists, then quotients: two calls"),
    Line("top_k_rows_10", "-", "f32|", "rows", "the first ten of each row"),
    Line("top_k_rows_100", "-", "|f32", "rows", "the first hundred"),
    Line("top_k_segments_10", "-", "f32|i32", "rows", "the first ten of each segment, by offsets: lengths differ"),
    Line("top_k_segments_100", "-", "|f32,i32", "rows", "the first hundred"),
    Line("transpose", "-", "f32|i8", "shapes", "square, tall and wide matrices"),
    Line("histogram", "count", "u32|u8", "bins", "from bins in registers over local to global memory"),
    Line("histogram", "sum", "|u32", "bins", "values beside the bins, summed by atomics"),
    Line("histogram", "mat2", "|u32", "bins", "a user's operator that does not commute: needs a sort"),

    # The worst that a dispatcher can be given
    Line("segmented_reduce", "sum", "f32|i8", "near", "lengths beside the thresholds between strategies"),
    Line("segmented_scan", "sum", "f32|", "near", "the same: rows that no tile or vector divides"),
    Line("reduce_power_law", "sum", "f32|", "uneven", "many tiny segments and few long ones"),
    Line("reduce_giant", "sum", "f32|", "uneven", "one giant among tiny ones: whoever works by segment waits for it"),
    Line("transpose", "-", "f32,i8|", "thin", "matrices thinner than a tile, odd widths, batches"),
    Line("filter_0", "-", "|i32", "one", "nothing is kept: reading alone"),
    Line("filter_1", "-", "|i32", "one", "one in a hundred: waiting for counts is all there is"),
    Line("filter_100", "-", "|i32", "one", "everything is kept: should be a copy"),
    Line("filter_25", "-", "|i32", "one", "a quarter is kept"),
    Line("filter_75", "-", "|i32", "one", "three quarters are kept"),
    Line("filter_99", "-", "|i32", "one", "nearly all are kept"),
    Line("filter_runs", "-", "|i32", "one", "half, in runs: writes of uneven length"),
    Line("filter_runs_1", "-", "|i32", "one", "one in a hundred, in runs: most tiles keep nothing"),
    Line("filter_runs_25", "-", "|i32", "one", "a quarter, in runs"),
    Line("filter_runs_75", "-", "|i32", "one", "three quarters, in runs"),
    Line("filter_runs_99", "-", "|i32", "one", "nearly all, in runs"),
    Line("filter_placed", "-", "|i32", "one", "half are kept, by a scan that places its results"),
    Line("filter_tuple", "-", "|i32", "one", "three arrays by a predicate on one of them"),
    Line("filter_bits", "-", "|i32", "one", "flags as bits beside the data"),
    Line("gather_identity", "-", "|i32", "one", "indices in order: the cost of the indirection alone"),
    Line("scatter_identity", "-", "|i32", "one", "the same for writes"),
    Line("sort_equal", "-", "u32|", "one", "all keys equal: every counter of a pass is the same one"),
    Line("sort_two", "-", "u32|", "one", "two values in turns: half the counters' worth of conflicts"),
    Line("sort_entropy", "-", "|u32", "one", "few bits of entropy: skewed digits"),
    Line("sort_zipf", "-", "|u32", "one", "skewed, as words and links are: upper digits are mostly 0"),
    Line("sort_alternating", "-", "|u32", "one", "one bin takes a whole tile, another the next"),
    Line("sort_ids", "-", "|u64", "one", "64-bit keys below 2^32: half of the digits are constant"),
    Line("sort_low8", "-", "|u32", "one", "by eight bits of them: one pass"),
    Line("sort_indices", "-", "|u32", "one", "an argsort: the first pass makes the places"),
    Line("sort_sorted", "-", "|u32", "one", "sorted already: whole tiles go to one part"),
    Line("sort_backwards", "-", "|u32", "one", "sorted the other way"),
    Line("merge_sort_sorted", "-", "|u32", "one", "sorted already: merges take from one side alone"),
    Line("merge_sort_two", "-", "|u32", "one", "two values: stability decides all"),
    Line("top_k_1024_sorted", "-", "|f32", "one", "the first come first: nothing is ever replaced"),
    Line("top_k_1024_backwards", "-", "|f32", "one", "the first come last: everything is replaced"),
    Line("top_k_1024_equal", "-", "f32|", "one", "all equal: no bit of the keys tells them apart"),
    Line("top_k_1024_two", "-", "|f32", "one", "two values"),
    Line("top_k_rows_10_equal", "-", "|f32", "rows", "rows of equal elements"),
    Line("histogram_one_hot", "count", "u32|u8", "bins", "all in one bin: every atomic operation meets another"),
    Line("histogram_zipf", "count", "u32|", "bins", "skewed, as words and links are"),
    Line("histogram_sorted", "count", "|u32", "bins", "in ascending order: neighbours meet in one bin"),
    Line("histogram_gaussian", "count", "|u32", "bins", "like the shades of an image"),
    Line("histogram_two_bins", "count", "|u32", "bins", "two bins by turns: who shares a bin waits"),
    Line("histogram_by_hand", "mat2", "|u32", "bins", "without this primitive: a sort, then a reduction by key"),
)

# Bytes of an element over all its fields; a type of one word has those of its name's number.
TUPLE_BYTES = {"4xu32": 16, "6xi32": 24, "4xi32": 16, "f32,u32": 8, "2xf64": 16}


def type_bytes(name):
    return TUPLE_BYTES.get(name) or max(1, int(name.lstrip("iuf")) // 8)


def types_of(line, full):
    """A tuple's type has commas, too, and stands alone."""
    quick, more = line.types.split("|")
    texts = [quick] + ([more] if full else [])
    return [name for text in texts if text for name in ([text] if text in TUPLE_BYTES else text.split(","))]


def _n(scale):
    for power in range(10, scale.top + 1, 2 if scale.full else 4):
        yield Case("--n", str(2 ** power), 2 ** power, ())


def _one(scale):
    yield Case("--n", str(2 ** scale.base), 2 ** scale.base, ())


def _segments(shapes):
    for shape in shapes:
        n = 1
        for part in shape:
            n *= part
        if all(shape):
            yield Case("--segments", "x".join(map(str, shape)), n, ())


def _splits(scale):
    step = 1 if scale.full else 4
    powers = sorted(set(range(0, scale.base + 1, step)) | {scale.base})
    return _segments((2 ** (scale.base - power), 2 ** power) for power in powers)


def _near(scale):
    n = 2 ** scale.base
    sizes = [3, 7, 17, 33, 63, 129, 257, 1021, 4099] if scale.full else [3, 17, 33, 257, 4099]
    counts = [3, 7, 61, 100, 509] if scale.full else [7, 100]
    return _segments([(n // size, size) for size in sizes] + [(count, n // count) for count in counts])


def _uneven(scale):
    powers = (2, 6, 12, scale.base - 8) if scale.full else (4, 12)
    return _segments((2 ** (scale.base - power), 2 ** power) for power in powers)


def _rows(scale):
    powers = (4, 6, 8, 10, 12, 14, scale.base - 4) if scale.full else (6, 10)
    return _segments([(2 ** (scale.base - power), 2 ** power) for power in powers if power <= scale.base - 4] +
                     [(2 ** scale.base // 1000, 1000)])


def _shapes(scale):
    half = scale.base // 2
    powers = range(0, scale.base + 1, 2) if scale.full else sorted({4, half, scale.base - 4})
    return _segments((2 ** (scale.base - power), 2 ** power) for power in powers)


def _thin(scale):
    n = 2 ** scale.base
    widths = (2, 3, 5, 17) if scale.full else (3, 17)
    side = 2 ** (scale.base // 2)
    return _segments([(width, n // width) for width in widths] + [(n // width, width) for width in widths] +
                     [(side - 1, side + 1), (n // 384, 16, 24)])


def _bins(scale):
    for power in range(4, 21, 4) if scale.full else (4, 8, 12, 16):
        yield Case("--bins", str(2 ** power), 2 ** scale.base, ("--n", str(2 ** scale.base)))


AXES = {"n": _n, "one": _one, "splits": _splits, "near": _near, "uneven": _uneven, "rows": _rows, "shapes": _shapes,
        "thin": _thin, "bins": _bins}


def cases_of(line, kind, scale):
    """What of a line fits into the device and into this machine."""
    return [case for case in AXES[line.axis](scale) if case.n * type_bytes(kind) <= scale.room]


# Families of the report's tables, and the dispatcher that picks a strategy for each of their primitives.
FAMILIES = (
    ("Scan", (("scan", "scan exclusive_scan scan_flagged scan_from_device scan_reverse scan_repeatable scan_unaligned "
                       "scan_narrowed"),
              ("segmented scan", "segmented_scan"),
              ("irregular scan", "scan_by_bits scan_by_bytes scan_by_offsets scan_by_lengths scan_by_keys"))),
    ("Reduce", (("reduce", "reduce"), ("segmented reduce", "segmented_reduce"),
                ("irregular reduce", "reduce_uniform reduce_power_law reduce_giant reduce_by_bits reduce_by_bytes"
                                     " reduce_by_keys"))),
    ("Neighbours, transposition", (("adjacent difference", "adjacent_difference segmented_adjacent_difference"),
                                   ("transpose", "transpose"))),
    ("Select", (("filter", "filter filter_0 filter_1 filter_25 filter_75 filter_99 filter_100 filter_runs filter_runs_1"
                           " filter_runs_25 filter_runs_75 filter_runs_99 filter_bits filter_placed filter_tuple unique"
                           " partition"),
                ("reduce by key", "reduce_by_key run_lengths"))),
    ("Histogram", (("histogram", "histogram histogram_one_hot histogram_zipf histogram_sorted histogram_gaussian histogram_two_bins"
      " histogram_by_hand"),)),
    ("Top-k", (("top-k", "top_k_10 top_k_1024 top_k_1024_unsorted top_k_65536 top_k_1024_sorted top_k_1024_backwards"
                         " top_k_1024_equal top_k_1024_two"),
               ("top-k of rows", "top_k_rows_10 top_k_rows_100 top_k_segments_10 top_k_segments_100"
                                  " top_k_rows_10_equal"))),
    ("Merge, search", (("merge", "merge"), ("bounds", "lower_bound lower_bound_sorted"), ("is sorted", "is_sorted"))),
    ("Move", (("gather, scatter", "gather gather_sorted gather_identity scatter scatter_identity"),
              ("expand", "expand expand_by_lengths expand_giant"), ("split", "split split_16"))),
    ("Sort", (("sort", "sort sort_pairs sort_indices sort_low8 sort_ids sort_equal sort_two sort_entropy"
                      " sort_zipf sort_alternating sort_sorted sort_backwards"),
              ("segmented sort", "segmented_sort segmented_sort_pairs irregular_sort irregular_sort_pairs"
                " irregular_sort_equal irregular_sort_equal_pairs irregular_sort_pareto irregular_sort_pareto_pairs"
                " irregular_sort_giant irregular_sort_giant_pairs"),
              ("merge sort", "merge_sort merge_sort_pairs merge_sort_sorted merge_sort_two"))),
)
# These cannot be one pass over the data, so that a copy is no bound they could reach.
SEVERAL_PASSES = ("Move", "Sort")
OTHERS = "Others"

PLACE = {primitive: (family, dispatcher, order) for order, (family, dispatcher, primitive) in enumerate(
    (family, dispatcher, primitive) for family, parts in FAMILIES for dispatcher, names in parts
    for primitive in names.split())}


def place(primitive):
    """Its family, its dispatcher, and where it comes in tables; what is newer than this table comes last."""
    return PLACE.get(primitive, (OTHERS, primitive, len(PLACE)))


PLAIN = ("-", "sum", "count")
WIDTHS = ("i8", "u8", "i16", "u16", "f16", "i32", "u32", "f32", "i64", "u64", "f64")


def order(primitive, op, kind):
    """Of lines of a table: plain operators first, narrow elements first."""
    width = WIDTHS.index(kind) if kind in WIDTHS else len(WIDTHS)
    return place(primitive)[2], primitive, PLAIN.index(op) if op in PLAIN else len(PLAIN), op, width, kind
