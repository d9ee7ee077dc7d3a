#!/bin/sh
# SPDX-License-Identifier: MIT
#
# group_by.sh GROUP_BY DIR: the example that reads CSV, with files that it makes in DIR: right ones and broken ones.
set -eu
group_by=$1 dir=$2
. "$(dirname "$0")/refuses.sh"
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir"

# shows KEY ROWS SUM MEAN LARGEST: the table has this line
shows() {
    line=$*
    tr -s ' ' <table | grep -qxF -- "$line" || fail "no line \"$line\" in: $(cat table)"
}

# Quotes, commas, line ends and blanks within fields; all kinds of line ends, blank lines, and none at the end.
printf '\357\273\277"the, key",x,"say ""x"""\r\n"a, b",1,-0.5\n\n,2,"2.25"\r"a, b",3,4\n"""q""",4,-7\n"a\nb",5,.5\n"",6,1.' >odd.csv
"$group_by" odd.csv 'the, key' 'say "x"' >table
shows 'a, b 2 3.50 1.750 4.00'
shows '(empty) 2 3.25 1.625 2.25'
shows 'b 1 0.50 0.500 0.50'
shows '"q" 1 -7.00 -7.000 -7.00'
shows 'say "x" of 6 rows in 4 groups'
[ "$(grep -n 'empty' table)" = "$(sed -n 3p table | sed 's/^/3:/')" ] || fail "the order: $(cat table)"
printf '\n' >>odd.csv
"$group_by" odd.csv 1 3 | cmp -s - table || fail "columns by their numbers, and a last newline, make a difference"

# Many groups, the ten of largest sums as awk has them.
awk 'BEGIN { print "k,x"; for (i = 0; i < 30000; i++) print "key" i * 7 % 1009 % 611 "," i * i % 10007 - 900 }' >many.csv
"$group_by" many.csv k x >table
awk -F, 'NR > 1 { n[$1]++; s[$1] += $2; if (n[$1] == 1 || $2 > m[$1]) m[$1] = $2 }
         END { for (k in n) printf "%s %d %d %.1f %d\n", k, n[k], s[k], s[k] / n[k], m[k] }' many.csv | sort -k3,3nr | head >expected
sed -n 2,11p table | tr -s ' ' | cmp -s - expected || fail "not the same as by awk: $(cat table expected)"
shows 'x of 30000 rows in 611 groups'

# broken WORDS TEXT: columns k and x
broken() {
    # shellcheck disable=SC2059 # the text is a format
    printf "$2" >broken.csv
    refuses "$1" "$group_by" broken.csv k x
}
broken 'csv:1: there is nothing in it' ''
broken 'csv:1: there are no rows' 'k,x\n'
broken 'csv:1: there is no column x' 'k,y\na,1\n'
broken 'columns: k, y' 'k,y\na,1\n'
broken 'csv:3: fewer fields than columns' 'k,x\na,1\nb\n'
broken 'csv:4: more fields than columns' 'k,x\n"a\n",1\n1,b,2\n'
broken 'csv:2: the number is missing' 'k,x\na,\n'
broken 'csv:2: this is no number like -12.5, with six decimals at most: 1e5' 'k,x\na,1e5\n'
broken ': 1.2345678' 'k,x\na,1.2345678\n'
broken ': -' 'k,x\na,-\n'
broken 'csv:3: the number is too large: 9223372036855' 'k,x\na,1\na,9223372036855\n'
broken 'csv:3: the sum of all numbers is too large' 'k,x\na,9223372036854\na,-1\n'
broken 'csv:3: a quote is never closed' 'k,x\na,1\n"b,2\nc,3\n'
broken 'csv:2: behind a quote the field goes on: a' 'k,x\n"a"b,1\n'
broken 'csv:2: a quote within a field' 'k,x\na"b,1\n'
broken 'csv:1: this is no text' 'k,x\na\0,1\n'
broken 'two keys have the same hash' 'k,x\n8yn0iYCKYHlIj4-BwPqk,1\nGReLUrM4wMqfg9yzV3KQ,2\n'
refuses 'usage' "$group_by" many.csv
