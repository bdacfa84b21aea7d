// @ts-check
// Times in the wording of the reader's region, and in the club's time zone; while the club has chosen none, in the
// reader's own. The reader's own time is in the tooltip. Without this module times stay as the server wrote them.

const day = /** @type {Intl.DateTimeFormatOptions} */ ({ day: 'numeric', month: 'short', year: 'numeric' });
const minute = /** @type {Intl.DateTimeFormatOptions} */ ({ ...day, hour: 'numeric', minute: '2-digit' });

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

const formats = { day: formatOf(day), minute: formatOf(minute) };
const own = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });

/** @param {ParentNode} root what to go through */
function localise(root) {
  for (const element of root.querySelectorAll('time[data-when]')) {
    const time = /** @type {HTMLTimeElement} */ (element);
    const moment = new Date(time.dateTime);
    const format = time.dataset.when === 'day' ? formats.day : formats.minute;
    const text = format?.format(moment) ?? time.textContent;
    const title = own.format(moment);
    if (time.textContent !== text) time.textContent = text;
    if (time.title !== title) time.title = title;
  }
}

localise(document);
document.addEventListener('quatuor:parts', () => localise(document));
document.querySelector('[data-utc]')?.remove();
