// @ts-check
// One thing is dragged onto another, with a mouse, a pen or a finger. What can be done so can be done without, too: by boxes or lists.

const enough = 6; // px that a pointer moves before it drags something

/**
 * Lets what matches `from` be dragged onto what matches `onto`. A finger drags only what does not scroll (touch-action: none).
 * @param {string} from
 * @param {string} onto
 * @param {(from: HTMLElement, onto: HTMLElement) => void} drop
 */
export function drag(from, onto, drop) {
  /** @type {{ element: HTMLElement, x: number, y: number, moves: boolean } | null} what the pointer holds */
  let held = null;
  /** @type {HTMLElement | null} what it would be dropped on */
  let target = null;

  /** @param {HTMLElement | null} to */
  const aim = (to) => {
    target?.classList.remove('drop');
    target = to;
    target?.classList.add('drop');
  };
  const release = () => {
    if (!held) return;
    held.element.classList.remove('dragged');
    held.element.style.translate = '';
    aim(null);
    held = null;
  };

  document.addEventListener('pointerdown', (event) => {
    const element = event.button === 0 && event.target instanceof Element ? event.target.closest(from) : null;
    if (!(element instanceof HTMLElement)) return;
    if (event.pointerType !== 'mouse' && getComputedStyle(element).touchAction !== 'none') return;
    held = { element, x: event.clientX, y: event.clientY, moves: false };
  });
  document.addEventListener('pointermove', (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moves && Math.hypot(x, y) < enough) return;
    held.moves = true;
    held.element.classList.add('dragged');
    held.element.style.translate = `${x}px ${y}px`;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(onto);
    aim(under instanceof HTMLElement && under !== held.element ? under : null);
  });
  document.addEventListener('pointerup', () => {
    const [element, to] = [held?.moves ? held.element : null, target];
    release();
    if (!element) return;
    if (to) drop(element, to);
    const noTap = (/** @type {Event} */ event) => event.preventDefault();
    addEventListener('click', noTap, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', noTap, { capture: true })); // a click follows at once or never
  });
  document.addEventListener('pointercancel', release);
  document.addEventListener('keydown', ({ key }) => { if (key === 'Escape') release(); });
  document.addEventListener('dragstart', (event) => { if (held) event.preventDefault(); });
}
