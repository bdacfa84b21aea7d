// @ts-check
// A time zone that was not chosen yet is the browser's.

for (const input of document.querySelectorAll('[data-zone-of-browser]')) {
  if (input instanceof HTMLInputElement && input.value === '') {
    input.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
  }
}
