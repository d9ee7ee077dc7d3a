# SPDX-License-Identifier: MIT
def column(i):
    return lambda *rows: [rows[0][i], rows[1][i]]


PICTURES = [("Rows become columns.", [
    ("2 rows of 3", "1/a 2/a 3/a", ""), ("", "4/b 5/b 6/b", ""),
    ("3 rows of 2", "1/a 4/b", "", column(0)), ("", "2/a 5/b", "", column(1)), ("", "3/a 6/b", "", column(2))])]
