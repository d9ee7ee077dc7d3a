/* SPDX-License-Identifier: MIT */
/* Runs in the page that site.py makes: opens pages of the manual in frames and writes what is wrong with them. */
"use strict";
const bad = [];
let looked = 0;

function check(right, where, what) {
    looked++;
    if (!right) bad.push(where + ": " + what);
}

function luminance(colour) {
    const parts = colour.match(/[\d.]+/g).slice(0, 3).map(c => c / 255);
    const [r, g, b] = parts.map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/* WCAG's ratio of contrast */
function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
}

async function frame(address, width) {
    const element = document.createElement("iframe");
    element.style.cssText = `border:0;width:${width}px;height:900px`;
    element.src = site + "/" + address;
    const loaded = new Promise(done => element.onload = done);
    document.body.appendChild(element);
    await loaded;
    return element;
}

async function page(name, width) {
    const element = await frame(name + ".html", width), where = `${name} at ${width}`;
    const view = element.contentWindow, doc = element.contentDocument, root = doc.documentElement;
    const style = e => view.getComputedStyle(e);
    check(root.scrollWidth <= root.clientWidth, where, `scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
    const back = style(doc.body).backgroundColor;
    check(dark === (luminance(back) < 0.2), where, "light where dark is wanted, or the other way");
    for (const e of doc.querySelectorAll("main, main > p > a, pre i, pre em, figcaption")) {
        const behind = style(e.closest("pre") || doc.body).backgroundColor;
        check(contrast(style(e).color, behind) >= 4.5, where, "too little contrast");
    }
    const nav = doc.querySelector("nav"), label = doc.querySelector("label");
    check((style(nav).display === "none") === (width < 700), where, "the contents are open, or closed");
    if (width < 700) {
        check(doc.querySelector("main").getBoundingClientRect().top < 80, where, "the bar takes more than its line");
        label.click();
        check(style(nav).display !== "none", where, "the contents do not open");
    }
    check(doc.querySelectorAll("nav [aria-current=page]").length === 1, where, "the contents do not mark the page");
    const programs = [...doc.querySelectorAll("main pre")].filter(e => /#include "prelude\.hp?p?"/.test(e.textContent));
    check(programs.every(e => e.querySelector("a[href*=prelude]")), where, "a program does not link to prelude.h");
    const drawn = [...doc.querySelectorAll("figure.picture svg")];
    check(drawn.length > 0 === pictured.includes(name), where, drawn.length + " pictures");
    for (const svg of drawn) {
        const box = svg.getBoundingClientRect();
        check(box.width > 60 && box.height > 60 && box.right <= width, where, "a picture is cut off");
        const words = svg.getAttribute("role") === "img" && svg.getAttribute("aria-label");
        check(words && words.length > 30, where, "a picture without words");
        for (const text of svg.querySelectorAll("text")) {
            const fill = text.matches(".label") ? back : style(text.previousElementSibling).fill;
            check(contrast(style(text).fill, fill) >= 4.5, where, "a cell cannot be read");
            const end = text.getBoundingClientRect().right;
            check(end <= box.right + 1, where, `"${text.textContent}" stands out by ${end - box.right} pixels`);
        }
    }
    element.remove();
}

async function query(words, wanted) {
    const element = await frame("index.html?q=" + encodeURIComponent(words), 400), doc = element.contentDocument;
    for (let i = 0; i < 100 && !doc.querySelector(".search li"); i++) await new Promise(done => setTimeout(done, 20));
    const found = [...doc.querySelectorAll(".search li a")].slice(0, 4).map(a => a.href.slice(site.length + 1));
    check(wanted ? found.includes(wanted) : !found.length, `"${words}"`, `finds ${found.join(", ")}; not ${wanted}`);
    const list = doc.querySelector(".search ol").getBoundingClientRect();
    check(list.left >= 0 && list.right <= 400 && list.height > 20, `"${words}"`, "results are cut off");
    element.remove();
}

(async function () {
    try {
        for (const name of names) for (const width of [400, 1400]) await page(name, width);
        for (const [words, wanted] of queries) await query(words, wanted);
    } catch (error) {
        bad.push(String(error.stack));
    }
    const done = document.createElement("pre");
    done.id = "done";
    done.textContent = bad.join("\n") + `\n${looked} checks, ${bad.length} failed`;
    document.body.appendChild(done);
})();
