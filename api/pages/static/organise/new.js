// @ts-check
// The form of a tournament's settings: the advice and the summary follow what is typed, tie-breaks are put in order in a
// list, and only what fits the game and the format chosen is shown. Without this module a button asks for the advice,
// tie-breaks are picked place by place, and all settings are there.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-settings]'));
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement | HTMLSelectElement | null} */ (form?.elements.namedItem(name) ?? null);

const pause = 300; // ms without typing before the server is asked

/** @type {AbortController | undefined} */
let asked;
let later = 0;
let otherFormat = false; // its tie-breaks have not come yet

// refresh has the server render the form as it is now, and takes what depends on it.
async function refresh() {
  if (!form) return;
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') values.append(name, value);
  for (const name of ['key', 'like', 'entries', 'version', 'seen', ...(otherFormat ? ['tie_breaks'] : [])]) values.delete(name);
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(`/tournaments/new?${values}`, { headers: { accept: 'text/html' }, signal: asked.signal });
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const id of ['advice', 'summary', ...(otherFormat ? ['tie-break-picks'] : [])]) {
      document.getElementById(id)?.replaceChildren(...(fresh.getElementById(id)?.childNodes ?? []));
    }
    if (otherFormat) order();
    otherFormat = false;
  } catch {
    // the page stays as it is
  }
}

// order makes the places of the tie-breaks a list. Its codes stand in the field of the codes, which is what counts.
function order() {
  const box = /** @type {HTMLElement | null} */ (document.querySelector('[data-picks]'));
  const codes = field('tie_breaks');
  const places = /** @type {HTMLSelectElement[]} */ ([...(box?.querySelectorAll('select') ?? [])]);
  if (!box || !codes || !places.length) return;
  const title = box.querySelector('legend')?.textContent ?? '';
  const names = new Map([...places[0].options].filter((o) => o.value).map((o) => [o.value, o.text]));
  let chosen = places.map((place) => place.value).filter(Boolean);
  const usual = chosen.join(', ');
  const list = document.createElement('ol');
  const status = Object.assign(document.createElement('p'), { className: 'unseen', role: 'status' });
  const more = document.createElement('select');
  more.setAttribute('aria-label', box.dataset.add ?? '');

  const set = (/** @type {string[]} */ next) => {
    chosen = next;
    codes.value = chosen.join(', ');
    draw();
  };
  const button = (/** @type {string} */ sign, /** @type {string | undefined} */ word, /** @type {string} */ code, /** @type {() => void} */ act, idle = false) => {
    const made = Object.assign(document.createElement('button'), { type: 'button', className: 'quiet', textContent: sign, disabled: idle, onclick: act });
    made.setAttribute('aria-label', `${word}: ${names.get(code) ?? code}`);
    return made;
  };
  const move = (/** @type {number} */ from, /** @type {number} */ by) => {
    const next = [...chosen];
    next.splice(from + by, 0, ...next.splice(from, 1));
    set(next);
    status.textContent = `${from + by + 1}. ${names.get(next[from + by]) ?? next[from + by]}`;
    const row = list.children[from + by].querySelectorAll('button');
    const same = row[by < 0 ? 0 : 1];
    (same.disabled ? row[by < 0 ? 1 : 0] : same).focus();
  };
  const draw = () => {
    list.replaceChildren(...chosen.map((code, i) => {
      const row = document.createElement('li');
      const name = Object.assign(document.createElement('span'), { textContent: names.get(code) ?? code });
      row.append(
        name,
        button('↑', box.dataset.up, code, () => move(i, -1), i === 0),
        button('↓', box.dataset.down, code, () => move(i, 1), i === chosen.length - 1),
        button('×', box.dataset.out, code, () => {
          set(chosen.filter((one) => one !== code));
          more.focus();
        }),
      );
      return row;
    }));
    const left = [...names].filter(([code]) => !chosen.includes(code));
    more.replaceChildren(new Option(`${box.dataset.add}…`, ''), ...left.map(([code, name]) => new Option(name, code)));
  };
  more.onchange = () => more.value && set([...chosen, more.value]);
  codes.onchange = () => {
    chosen = (codes.value.trim() ? codes.value : usual).split(/[,;\s]+/).filter(Boolean);
    draw();
  };
  const group = Object.assign(document.createElement('fieldset'), { className: 'picks' });
  group.append(Object.assign(document.createElement('legend'), { textContent: title }), list, more, status);
  draw();
  box.replaceChildren(group);
}

function fit() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-formats], [data-variant]'))) {
    part.hidden = part.dataset.formats ? !part.dataset.formats.split(' ').includes(field('format')?.value ?? '') : part.dataset.variant !== field('variant')?.value;
  }
}

if (form && field('format')) {
  fit();
  order();
  form.addEventListener('input', (event) => {
    const codes = field('tie_breaks');
    if (event.target === field('format')) {
      otherFormat = true;
      document.querySelector('.picks')?.setAttribute('disabled', ''); // until those of the format have come
      if (codes instanceof HTMLInputElement) codes.value = codes.defaultValue; // another format has other tie-breaks
    }
    fit();
    clearTimeout(later);
    later = window.setTimeout(refresh, otherFormat ? 0 : pause);
  });
  form.querySelector('[data-advise]')?.addEventListener('click', (event) => {
    event.preventDefault();
    refresh();
  });
}

export {};
