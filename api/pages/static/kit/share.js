// @ts-check
// Hands on the address of what a page shows: to another program of the device, or to the clipboard; where neither is
// offered, as over plain HTTP, in a field to copy it from.

/**
 * @param {HTMLAnchorElement} link that leads there, with its texts in its data
 * @param {string} url
 */
export async function share(link, url) {
  const said = document.querySelector('[data-steps="shared"]');
  if (!said) return;
  try {
    if ('share' in navigator && matchMedia('(pointer: coarse)').matches) {
      await navigator.share({ title: link.dataset.title, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    said.textContent = link.dataset.copied ?? '';
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    const field = document.createElement('input');
    field.readOnly = true;
    field.value = url;
    const label = document.createElement('label');
    label.append(link.dataset.copy ?? '', ' ', field);
    said.replaceChildren(label);
    field.select();
  }
}
