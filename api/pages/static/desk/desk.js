// @ts-check
// The button that undoes the last act rests a moment when others have acted, so that a press that was meant for the act
// before undoes nothing else.

const rest = 1000; // ms
const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-last]'));

const button = () => place?.querySelector('button');
/** Which act would be undone. */
const act = () => /** @type {HTMLInputElement | null} */ (place?.querySelector('input[name="act"]'))?.value;

let known = act();
let focused = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

function wake() {
  resting = undefined;
  const undo = button();
  if (!undo) return;
  undo.disabled = false;
  if (focused && document.activeElement === document.body) undo.focus();
}

document.addEventListener('quatuor:parts', () => {
  const undo = button();
  if (undo && act() !== known) {
    focused = document.activeElement === undo;
    clearTimeout(resting);
    resting = setTimeout(wake, rest);
  }
  known = act();
  if (undo) undo.disabled = resting !== undefined;
});

export {};
