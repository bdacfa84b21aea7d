// @ts-check
// Times in the wording of the reader's region, and in the club's time zone; while the club has chosen none, in the
// reader's own. The reader's own time is in the tooltip. Axes of charts name moments likewise. Without this module times
// stay as the server wrote them.

/** @type {Intl.DateTimeFormatOptions} */
const day = { day: 'numeric', month: 'short', year: 'numeric' };

// The page's language as the reader's region writes it, where the browser names one.
const { lang: page, dataset } = document.documentElement;
const language = navigator.languages.find((each) => each === page || each.startsWith(`${page}-`)) ?? page;

/** @param {Intl.DateTimeFormatOptions} style */
function formatOf(style) {
  try {
    return new Intl.DateTimeFormat(language, { ...style, timeZone: dataset.zone });
  } catch { // a browser that does not know the zone
    return null;
  }
}

/** By data-when; a day and a time where it is empty. @type {Record<string, Intl.DateTimeFormat | null>} */
const formats = { '': formatOf({ ...day, hour: 'numeric', minute: '2-digit' }), day: formatOf(day), time: formatOf({ timeStyle: 'short' }), second: formatOf({ timeStyle: 'medium' }) };
const own = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });

/** @param {ParentNode} root what to go through */
function localise(root) {
  for (const element of root.querySelectorAll('[data-when]')) {
    // Or the text of an axis, which has the moment in data-at.
    const shown = /** @type {HTMLTimeElement} */ (element);
    const { when = '', at = shown.dateTime } = shown.dataset;
    const moment = new Date(at);
    const text = formats[when]?.format(moment) ?? shown.textContent;
    if (shown.textContent !== text) shown.textContent = text;
    const title = own.format(moment);
    if (shown.title !== title) shown.title = title;
  }
}

localise(document);
document.addEventListener('quatuor:parts', () => localise(document));
document.querySelector('[data-utc]')?.remove();
