/* SPDX-License-Identifier: MIT */
/*
 * case: one case of a law: its operands, and the two sides that should be equal.
 *
 * functions.cl has, for this, the bits CLF_LAW_… of the host's, and two lists of the value's fields:
 * CLF_LAWS_INTEGERS(F) and CLF_LAWS_REALS(F), F(type, scalar, width, tolerance, name).
 *
 * Numbers of floating types are equal within the tolerance of their type, relative to the largest finite one of the
 * case. NaNs are equal, and so are zeros. What leaves the numbers on the way is excused (clf_laws_excuse).
 *
 * needs: a->law
 * provides: clf_laws_case, clf_laws_holds, clf_laws_mapped, clf_laws_take
 */
#include "laws/index.cl"
#include "memory/wrapper.cl"

typedef struct {
    clf_value a, b, c;        /* operands; where a law has fewer, the first one again */
    clf_value before, behind; /* what is combined on the way; or a side again */
    clf_value left, right;
    clf_flag neutral; /* the first operand is the neutral element */
} clf_laws_case;

/* ---- Sides --------------------------------------------------------------------------------------------- */

static inline clf_value clf_laws_mapped(const clf_arguments *a, uint i, ulong index)
{
#if CLF_MAPPED
    clf_extra extra;
    return clf_value_copy(clf_map_at(a, clf_input_at(&a->in, i), index CLF_NUMBERED_AT(a, index), &extra));
#else
    return clf_result_at(&a->out, i);
#endif
}

/* Operands are values number i, j and k; number a->size is the neutral element. */
static inline clf_value clf_laws_value(const clf_arguments *a, uint i)
{
    return i < a->size ? clf_result_at(&a->out, i) : clf_neutral();
}

static inline void clf_laws_take(const clf_arguments *a, uint i, uint j, uint k, clf_laws_case *c)
{
    const bool pairs = a->law == CLF_LAW_COMMUTATIVE, triples = a->law == CLF_LAW_ASSOCIATIVE;
    c->neutral = i >= a->size;
    c->a = clf_laws_value(a, i);
    c->b = pairs || triples ? clf_laws_value(a, j) : c->a;
    c->c = triples ? clf_laws_value(a, k) : c->a;
    if (triples) {
        c->before = clf_combine(c->a, c->b);
        c->behind = clf_combine(c->b, c->c);
        c->left = clf_combine(c->a, c->behind);
        c->right = clf_combine(c->before, c->c);
        return;
    }
    if (pairs) {
        c->left = clf_combine(c->a, c->b);
        c->right = clf_combine(c->b, c->a);
    } else if (a->law == CLF_LAW_NEUTRAL_LEFT || a->law == CLF_LAW_NEUTRAL_RIGHT) {
        const bool left = a->law == CLF_LAW_NEUTRAL_LEFT;
        c->left = left ? clf_combine(clf_neutral(), c->a) : clf_combine(c->a, clf_neutral());
        c->right = c->a;
    } else {
        c->left = c->a;
        c->right = clf_laws_mapped(a, i, a->law == CLF_LAW_PURE ? i : clf_laws_index(j));
    }
    c->before = c->behind = c->left;
}

/* ---- Compared ------------------------------------------------------------------------------------------ */

/* What is in some values: NaN, infinity, and the largest finite magnitude. */
typedef struct {
    clf_flag nan, infinite;
    clf_laws_real most;
} clf_laws_range;

#define CLF_LAWS_LOOK(type, scalar, width, tolerance, name) \
    for (uint k = 0; k < width; ++k) { \
        const clf_laws_real x = (clf_laws_real)((const scalar *)&v.name)[k]; \
        r->nan |= isnan(x) != 0; \
        r->infinite |= isinf(x) != 0; \
        r->most = isfinite(x) ? fmax(r->most, fabs(x)) : r->most; \
    }
static inline void clf_laws_look(clf_value v, clf_laws_range *r)
{
    CLF_LAWS_REALS(CLF_LAWS_LOOK)
}

#define CLF_LAWS_EQUAL(type, scalar, width, tolerance, name) \
    for (uint k = 0; k < width; ++k) \
        equal &= ((const scalar *)&x.name)[k] == ((const scalar *)&y.name)[k];
#define CLF_LAWS_NEAR(type, scalar, width, tolerance, name) \
    for (uint k = 0; k < width; ++k) { \
        const clf_laws_real p = (clf_laws_real)((const scalar *)&x.name)[k]; \
        const clf_laws_real q = (clf_laws_real)((const scalar *)&y.name)[k]; \
        equal &= p == q || (isnan(p) && isnan(q)) || fabs(p - q) <= tolerance * most; \
    }
static inline bool clf_laws_equal(clf_value x, clf_value y, clf_laws_real most)
{
    bool equal = true;
    CLF_LAWS_INTEGERS(CLF_LAWS_EQUAL)
    CLF_LAWS_REALS(CLF_LAWS_NEAR)
    return equal;
}

/*
 * Sums overflow, and infinity minus infinity is no number: where operands without infinities made one, or operands
 * without NaN made NaN, the law says nothing. But a neutral element leaves finite values and itself as they are, and a
 * map is what it is.
 */
static inline bool clf_laws_excuse(uint law, const clf_laws_range *from, const clf_laws_range *to)
{
    const bool made = (to->nan && !from->nan) || (to->infinite && !from->infinite);
    return made && (law & (CLF_LAW_ASSOCIATIVE | CLF_LAW_COMMUTATIVE) || from->infinite);
}

static inline bool clf_laws_holds(uint law, const clf_laws_case *c)
{
    clf_laws_range from = {0, 0, 0}, to = {0, 0, 0};
    clf_laws_look(c->a, &from);
    clf_laws_look(c->b, &from);
    clf_laws_look(c->c, &from);
    clf_laws_look(c->before, &to);
    clf_laws_look(c->behind, &to);
    clf_laws_look(c->left, &to);
    clf_laws_look(c->right, &to);
    return clf_laws_equal(c->left, c->right, fmax(from.most, to.most)) ||
           (!c->neutral && clf_laws_excuse(law, &from, &to));
}
