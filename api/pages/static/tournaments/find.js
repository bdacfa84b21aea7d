// @ts-check
// Keeps the mark on the rows of an entry that was looked for: when parts of the page change, and on the next page of the
// same tournament. Without this module the server marks them, by the address.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-find]'));
const place = form ? `quatuor:find:${form.dataset.find}` : '';

/** What was looked for last in this tournament, on this machine. */
function remembered() {
  try {
    return localStorage.getItem(place) ?? '';
  } catch {
    return ''; // the browser keeps nothing for pages
  }
}

/** @param {string} text '' forgets it */
function remember(text) {
  try {
    if (text) localStorage.setItem(place, text);
    else localStorage.removeItem(place);
  } catch {
    // then only the address has it
  }
}

/** Sets off the rows of the entries found. */
function mark() {
  const numbers = new Set((form?.dataset.found ?? '').split(' ').filter(Boolean));
  for (const row of document.querySelectorAll('tr[data-n]')) {
    const own = (/** @type {HTMLElement} */ (row).dataset.n ?? '').split(' ');
    row.classList.toggle('me', own.some((n) => numbers.has(n)));
  }
}

if (form) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('find'));
  if (form.dataset.asked !== undefined) {
    remember(form.dataset.found ? field.value : '');
  } else if (!form.dataset.found && remembered()) {
    const here = new URL(location.href);
    here.searchParams.set('find', remembered());
    location.replace(here);
  }
  document.addEventListener('quatuor:parts', mark);
}

export {};
