// @ts-check
// Times in the reader's own zone and wording. Without this module they stand in UTC.

const styles = {
  day: /** @type {Intl.DateTimeFormatOptions} */ ({ dateStyle: 'medium' }),
  minute: /** @type {Intl.DateTimeFormatOptions} */ ({ dateStyle: 'medium', timeStyle: 'short' }),
};

// The page's language as the reader's region writes it, where the browser names one.
const page = document.documentElement.lang;
const language = navigator.languages.find((each) => each === page || each.startsWith(`${page}-`)) ?? page;

/** @param {ParentNode} root what to go through */
function localise(root) {
  for (const element of root.querySelectorAll('time[data-when]')) {
    const time = /** @type {HTMLTimeElement} */ (element);
    const style = time.dataset.when === 'day' ? styles.day : styles.minute;
    const moment = new Date(time.dateTime);
    time.textContent = new Intl.DateTimeFormat(language, style).format(moment);
    time.title = moment.toString();
  }
}

localise(document);
document.addEventListener('quatuor:parts', () => localise(document));
document.querySelector('[data-zone]')?.remove();
