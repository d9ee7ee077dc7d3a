# SPDX-License-Identifier: MIT
"""
format_plain: one way to write two things in C. A pointer is tested by `x` and `!x`, not by a comparison with NULL; a
step whose value nobody uses is `++i`. What is not sure to mean the same stays as it is: a comparison whose 0 or 1 is a
number (`count += x != NULL`), or is compared itself.
"""
import re

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
NULL_TEST = re.compile(r"\s*([!=])=\s*NULL\b")
STEP = re.compile(r"((?:\w|->|\.|\[[^][;]*(?:\[[^][]*\][^][;]*)*\]|(?<=[\s;{},(])\(\*?[\w>.-]+\))+?)(\+\+|--)")
CALCULATES = re.compile(r"([-+*/%^~<>]|[=!<>]=|[^&]&|[^|]\|)\s*$")  # before a test: its value would be a number
LOGICAL = re.compile(r"(&&|\|\||!)\s*$")
ASKED = re.compile(r"(\breturn|\bbool \w+ =|;|(?P<call>\b(if|while|(ck_)?assert(_msg)?|[A-Z_]+)\s*\())\s*$")


def blanked(text):
    """The same lines and columns, without comments, and without what stands in strings."""
    return TOKEN.sub(lambda m: re.sub(r"[^\n]", "x" if m.group()[0] in "\"'" else " ", m.group()), text)


def operand(code, end):
    """Where the postfix expression begins that ends before `end`; None if it has a cast or is none."""
    at = end
    while at > 0:
        c = code[at - 1]
        if c.isalnum() or c == "_":
            at -= 1
        elif c == "." or code[at - 2:at] == "->":
            at -= 1 if c == "." else 2
        elif c in ")]":
            depth, at = 1, at - 1
            while depth and at > 0:
                at -= 1
                depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(code[at], 0)
            if c == ")" and at and not (code[at - 1].isalnum() or code[at - 1] in "_)]"):
                break  # (…) is all of it
        else:
            break
    while at > 0 and code[at - 1] == "*" and re.search(r"[(!&|?:;,{]\s*\**$|\breturn \**$", code[:at - 1][-40:]):
        at -= 1
    return at if at < end and not re.match(r"\d|return\b", code[at:end]) else None


def only_truth(code, start, end):
    """Does nothing but the truth of code[start:end] count?"""
    before, after = code[max(0, start - 80):start], code[end:end + 80].lstrip()
    if CALCULATES.search(before) or not re.match(r"&&|\|\||[?;,)]", after):
        return False
    asked = ASKED.search(before)
    return after.startswith(("&&", "||", "?")) or bool(LOGICAL.search(before)) or \
        bool(asked and (after[0] in ";" or asked.group("call"))) or \
        before.rstrip().endswith("(") and bool(re.match(r"\)\s*(&&|\|\||\?)", after))


def tests(text):
    code = blanked(text)
    for m in reversed(list(NULL_TEST.finditer(code))):
        start = operand(code, m.start())
        if start is None or code[start:m.start()].startswith("sizeof"):
            continue
        if m.group(1) == "!" and only_truth(code, start, m.end()):
            text = text[:m.start()] + text[m.end():]
        elif m.group(1) == "=" and not re.search(r"(==|!=|<=?|>=?)\s*$|\)$", code[max(0, start - 20):start]):
            text = text[:start] + "!" + text[start:m.start()] + text[m.end():]
    return text


def steps(text):
    code = blanked(text)
    for m in reversed(list(STEP.finditer(code))):
        before, after = code[:m.start()].rstrip(), code[m.end():].lstrip()
        statement = (before.endswith((";", "{", "}", "\\")) or re.search(r"\belse$|\bdo$|:$", before[-8:]) or
                     before.endswith(")") and heads(before)) and after.startswith(";")
        third = re.match(r"[,)]", after) and third_of_for(code, m.start())
        if statement and not re.search(r"\bfor \([^;]*;[^;]*$", before[-300:]) or third:
            stepped = re.sub(r"^\((\*[\w>.-]+)\)$", r"\1", m.group(1))
            text = text[:m.start()] + m.group(2) + stepped + text[m.end():]
    return text


def heads(before):
    """Does the text end with the head of a statement: if (…), for (…), while (…)?"""
    depth, at = 0, len(before)
    while at > 0:
        at -= 1
        depth += {")": 1, "(": -1}.get(before[at], 0)
        if depth == 0:
            break
    return bool(re.search(r"\b(if|for|while)\s*$", before[max(0, at - 10):at]))


def third_of_for(code, at):
    """Is it a step of its own between the second semicolon of a for and its end?"""
    depth, semicolons, first = 0, 0, True
    while at > 0:
        at -= 1
        c = code[at]
        if first and not c.isspace():
            if c not in ";,":
                return False
            first = False
        depth += {")": 1, "]": 1, "}": 1, "(": -1, "[": -1, "{": -1}.get(c, 0)
        if depth < 0:
            return semicolons == 2 and bool(re.search(r"\bfor\s*$", code[max(0, at - 8):at]))
        semicolons += c == ";" and depth == 0
    return False


def plain(text):
    return steps(tests(text))
