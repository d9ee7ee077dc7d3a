/* SPDX-License-Identifier: MIT */
/*
 * The language of composed scans (composed.h): a scheme from text, as text, and as macros of its program.
 */
#include "textbook/composed.h"

#include <string.h>

static const char *const roots[] = {"serial", "kogge_stone", "sklansky"};
static const char *const meetings[] = {"propagate", "reduce", "lookback"};
enum { STEP_MOST = 16, WINDOW_USUAL = 32 };

/* ---- From text --------------------------------------------------------------------------------------------- */

/* Both go on behind what they take. */
static bool take(const char **at, const char *word)
{
    const char *const from = *at + strspn(*at, " ");
    const size_t length = strlen(word), own = *word == '|' ? 1 : strcspn(from, " |");
    if (own != length || strncmp(from, word, length) != 0)
        return false;
    *at = from + length;
    return true;
}

static bool take_number(const char **at, unsigned *number)
{
    int length = 0;
    const bool found = sscanf(*at, " %5u%n", number, &length) == 1 && strchr(" |", (*at)[length]);
    *at += found ? length : 0;
    return found;
}

static int take_one_of(const char **at, const char *const *words, int count)
{
    int which = 0;
    while (which < count && !take(at, words[which]))
        ++which;
    return which < count ? which : -1;
}

static bool is_power(unsigned x)
{
    return x > 1 && (x & (x - 1)) == 0;
}

unsigned composed_group(const composed_scheme *s)
{
    return s->bs / (s->count ? s->step[0] : 2);
}

static const char *take_step(const char **at, composed_scheme *s)
{
    unsigned step;
    if (!take_number(at, &step) || !is_power(step) || step > STEP_MOST)
        return "a step is by a power of two, from 2 to 16";
    if (s->se % step != 0)
        return "the steps are more than the block has";
    s->se /= step;
    s->step[s->count++] = step;
    return NULL;
}

static const char *take_window(const char **at, composed_scheme *s)
{
    const unsigned most = composed_group(s);
    s->window = most < WINDOW_USUAL ? most : WINDOW_USUAL;
    (void)take_number(at, &s->window);
    return s->window < 1 || s->window > most ? "a window is of 1 block to as many as a group has work-items" : NULL;
}

const char *composed_parse(const char *text, composed_scheme *s)
{
    const char *at = text, *wrong = NULL;
    int root, meeting = COMPOSED_PROPAGATE;
    *s = (composed_scheme){.window = 0};
    if (!take(&at, "blocks") || !take_number(&at, &s->bs) || !is_power(s->bs))
        return "a scheme begins with \"blocks N\", a power of two";
    s->se = s->bs;
    s->padded = take(&at, "padded");
    bool bar = false;
    while (!wrong && (bar = take(&at, "|")) && take(&at, "step"))
        wrong = take_step(&at, s);
    if (wrong)
        return wrong;
    root = bar ? take_one_of(&at, roots, 3) : -1;
    if (root >= 0 && take(&at, "|"))
        meeting = take_one_of(&at, meetings, 3);
    if (root < 0 || meeting < 0)
        return "behind blocks and steps is serial, kogge_stone or sklansky, then perhaps propagate, reduce or lookback";
    s->root = (composed_root)root;
    s->meeting = (composed_meeting)meeting;
    if (meeting == COMPOSED_LOOKBACK)
        wrong = take_window(&at, s);
    return wrong || !at[strspn(at, " ")] ? wrong : "there is more than a scheme";
}

/* ---- As text ----------------------------------------------------------------------------------------------- */

void composed_print(const composed_scheme *s, char text[COMPOSED_TEXT])
{
    char *at = text, *const end = text + COMPOSED_TEXT;
    at += snprintf(at, (size_t)(end - at), "blocks %u%s", s->bs, s->padded ? " padded" : "");
    for (unsigned k = 0; k < s->count; ++k)
        at += snprintf(at, (size_t)(end - at), " | step %u", s->step[k]);
    at += snprintf(at, (size_t)(end - at), " | %s | %s", roots[s->root], meetings[s->meeting]);
    if (s->meeting == COMPOSED_LOOKBACK)
        snprintf(at, (size_t)(end - at), " %u", s->window);
}

/* ---- As macros --------------------------------------------------------------------------------------------- */

/* Values that a level takes in local memory. */
static unsigned room_of(const composed_scheme *s, unsigned size)
{
    return s->padded ? size + size / 32 : size;
}

unsigned composed_room(const composed_scheme *s)
{
    unsigned room = room_of(s, s->bs), size = s->bs;
    for (unsigned k = 0; k < s->count; ++k)
        room += room_of(s, size /= s->step[k]);
    return room;
}

/* Levels lie behind each other: UPS goes from the first to the last, ROOT scans that, and DOWNS goes back. */
void composed_write(FILE *file, const composed_scheme *s)
{
    unsigned at[COMPOSED_STEPS + 1] = {0}, size[COMPOSED_STEPS + 1] = {s->bs};
    fprintf(file, "#define BS %u\n#define GROUP %u\n#define LOCAL_VALUES %u\n#define WINDOW %u\n#define AT(i) %s\n",
            s->bs, composed_group(s), composed_room(s), s->window ? s->window : 1,
            s->padded ? "((i) + (i) / 32)" : "(i)");
    fprintf(file, "#define UPS");
    for (unsigned k = 0; k < s->count; ++k) {
        at[k + 1] = at[k] + room_of(s, size[k]);
        size[k + 1] = size[k] / s->step[k];
        fprintf(file, " up(x + %u, x + %u, %u, %u, applied);", at[k], at[k + 1], size[k + 1], s->step[k]);
    }
    fprintf(file, "\n#define ROOT %s(x + %u, %u, applied);\n#define TOTAL (%u + AT(%u))\n#define DOWNS", roots[s->root],
            at[s->count], s->se, at[s->count], s->se - 1);
    for (unsigned k = s->count; k-- > 0;)
        fprintf(file, " down(x + %u, x + %u, %u, %u, applied);", at[k + 1], at[k], size[k + 1], s->step[k]);
    fprintf(file, "\n");
}
