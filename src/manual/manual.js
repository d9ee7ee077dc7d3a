/* SPDX-License-Identifier: MIT */
/* The manual's search, by the list in search_index.js, and buttons that copy programs. Pages work without it. */
(function () {
    "use strict";
    var up = document.currentScript.getAttribute("data-up");
    var box = document.querySelector(".search"), field = box.querySelector("input"), list = box.querySelector("ol");

    /* How well a text has a word: 3 as a word of its own, 2 as the beginning of one, 0 not at all. */
    function has(text, word) {
        var words = text.toLowerCase().split(/[^a-z0-9+]+/), most = 0;
        words.forEach(function (one) {
            most = Math.max(most, one === word ? 3 : one.indexOf(word) === 0 ? 2 : 0);
        });
        return most;
    }

    /* 0 unless the entry has every word, in its title, place or text. */
    function score(entry, words) {
        var total = 0;
        for (var i = 0; i < words.length; i++) {
            var one = 9 * has(entry[0], words[i]) + 2 * has(entry[2], words[i]) + has(entry[3], words[i]);
            if (!one) return 0;
            total += one;
        }
        return total - Math.min(entry[0].length, 60) / 20;
    }

    function find(text) {
        var words = text.toLowerCase().split(/[^a-z0-9+]+/).filter(Boolean).map(function (word) {
            return word.length > 3 ? word.replace(/(ing|s)$/, "") : word; /* sorting and pairs find sort and pair */
        });
        if (!words.length) return [];
        return window.manualIndex.map(function (entry) {
            return {entry: entry, score: score(entry, words)};
        }).filter(function (one) {
            return one.score > 0;
        }).sort(function (a, b) {
            return b.score - a.score;
        }).slice(0, 12);
    }

    function line(tag, text, parent) {
        var element = document.createElement(tag);
        element.textContent = text;
        parent.appendChild(element);
        return element;
    }

    function show() {
        list.textContent = "";
        list.hidden = !field.value.trim();
        if (list.hidden) return;
        var found = find(field.value);
        found.forEach(function (one) {
            var link = line("a", "", line("li", "", list));
            link.href = up + one.entry[1];
            line("b", one.entry[0], link);
            if (one.entry[2]) line("i", one.entry[2], link);
            if (one.entry[3]) line("span", one.entry[3], link);
        });
        if (!found.length) line("li", "Nothing found", list);
    }

    /* The list is loaded when someone searches for the first time. */
    function search() {
        if (window.manualIndex) return show();
        var script = document.createElement("script");
        script.src = up + "search_index.js";
        script.onload = show;
        document.head.appendChild(script);
    }

    var nav = document.querySelector("nav"), here = nav.querySelector(".here");
    if (here) nav.scrollTop = here.offsetTop - nav.offsetTop - nav.clientHeight / 2;

    box.hidden = false;
    field.addEventListener("input", search);
    field.addEventListener("keydown", function (event) {
        var first = list.querySelector("a");
        if (event.key === "Enter" && first) location.href = first.href;
    });
    document.addEventListener("keydown", function (event) {
        if (event.key === "Escape") {
            list.hidden = true;
            field.blur();
        } else if (event.key === "/" && document.activeElement !== field) {
            event.preventDefault();
            field.focus();
        }
    });
    document.addEventListener("click", function (event) {
        if (!box.contains(event.target)) list.hidden = true;
        else if (event.target === field) search();
    });
    var asked = new URLSearchParams(location.search).get("q"); /* index.html?q=sort+pairs */
    if (asked) {
        field.value = asked;
        search();
    }

    document.querySelectorAll("main pre").forEach(function (block) {
        var frame = document.createElement("div"), text = block.textContent;
        if (text.trim().split("\n").length < 3) return; /* one declaration */
        frame.className = "code";
        block.parentNode.insertBefore(frame, block);
        frame.appendChild(block);
        var button = line("button", "Copy", frame);
        button.type = "button";
        button.addEventListener("click", function () {
            navigator.clipboard.writeText(text).then(function () {
                button.textContent = "Copied";
            }, function () {
                button.textContent = "Not allowed";
            });
        });
    });
})();
