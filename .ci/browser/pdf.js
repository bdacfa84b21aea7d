// Reads the words on the pages of a PDF that Chromium has made.
import { inflateSync } from 'node:zlib';

// objects lists the objects of a file by their numbers: the text of each, and its stream if it has one.
function objects(file) {
  const text = file.toString('latin1');
  const found = new Map();
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\r?\n?([\s\S]*?)(?=endobj)/g)) {
    const at = match[2].indexOf('stream\n');
    const head = at < 0 ? match[2] : match[2].slice(0, at);
    let stream = '';
    if (at >= 0) {
      const bytes = Buffer.from(match[2].slice(at + 7, match[2].lastIndexOf('endstream')), 'latin1');
      stream = (head.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
    }
    found.set(Number(match[1]), { head, stream });
  }
  return found;
}

// lettersOf returns the letters of a font by the numbers of their shapes.
function lettersOf(map) {
  const letters = new Map();
  const word = (hex) => String.fromCharCode(...hex.match(/.{4}/g).map((one) => parseInt(one, 16)));
  for (const [, part] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, from, to] of part.matchAll(/<(\w+)>\s*<(\w+)>/g)) letters.set(parseInt(from, 16), word(to));
  }
  for (const [, part] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from, until, to] of part.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      for (let n = parseInt(from, 16); n <= parseInt(until, 16); n++) letters.set(n, String.fromCharCode(parseInt(to, 16) + n - parseInt(from, 16)));
    }
    for (const [, from, list] of part.matchAll(/<(\w+)>\s*<\w+>\s*\[([^\]]*)\]/g)) {
      [...list.matchAll(/<(\w+)>/g)].forEach(([, to], i) => letters.set(parseInt(from, 16) + i, word(to)));
    }
  }
  return letters;
}

// pagesOf returns the text of each page, without the spaces, which a PDF need not have.
export function pagesOf(file) {
  const all = objects(file);
  const fonts = new Map();
  const font = (number) => {
    if (!fonts.has(number)) {
      const to = /\/ToUnicode (\d+) 0 R/.exec(all.get(number)?.head ?? '');
      fonts.set(number, to ? lettersOf(all.get(Number(to[1])).stream) : new Map());
    }
    return fonts.get(number);
  };
  const pages = [...all.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  return pages.map(({ head }) => {
    const resources = /\/Resources (\d+) 0 R/.exec(head);
    const where = resources ? all.get(Number(resources[1])).head : head;
    const inner = /\/Font (\d+) 0 R/.exec(where);
    const names = new Map([...(inner ? all.get(Number(inner[1])).head : where).matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, n]) => [name, Number(n)]));
    const content = all.get(Number(/\/Contents (\d+) 0 R/.exec(head)[1])).stream;
    let now = new Map();
    let text = '';
    for (const [, name, shown, several] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<(\w+)>\s*Tj|\[([^\]]*)\]\s*TJ/g)) {
      if (name) now = font(names.get(name));
      for (const hex of shown ? [shown] : [...(several ?? '').matchAll(/<(\w+)>/g)].map(([, each]) => each)) {
        for (const one of hex.match(/.{4}/g)) text += now.get(parseInt(one, 16)) ?? '?';
      }
    }
    return text.replaceAll(/[\s\u00a0]/g, '');
  });
}
