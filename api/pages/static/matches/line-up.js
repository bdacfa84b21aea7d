// @ts-check
// A captain drags members onto boards: from another board, which gets the other member, or from those who do not play. A member
// that is chosen for a second board changes places, too.
import { drag } from '../kit/drag.js';

const boards = () => /** @type {HTMLSelectElement[]} */ ([...document.querySelectorAll('select[name^=board][id^=line-up]')]);
const bench = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-bench]'));

/** @type {WeakMap<HTMLSelectElement, string>} the member of each board before the list was changed */
const had = new WeakMap();

/** Shows who does not play, and remembers who does. */
function seat() {
  const list = bench();
  const [first] = boards();
  if (!list || !first) return;
  const playing = boards().map((board) => board.value);
  for (const board of boards()) had.set(board, board.value);
  const chips = [...first.options].filter(({ value }) => value && !playing.includes(value)).map((option) => {
    const chip = document.createElement('span');
    chip.className = 'member';
    chip.dataset.member = option.value;
    chip.textContent = option.text.replace(/ \(\d+\)$/, ''); // the rating is that of another board's game
    return chip;
  });
  list.hidden = false;
  list.querySelector('[data-members]')?.replaceChildren(...chips);
}

/**
 * Puts a member, or nobody (''), on a board; a board that had this member gets the other one.
 * @param {HTMLSelectElement} board
 * @param {string} member
 */
function put(board, member) {
  const other = boards().find((one) => one !== board && member && had.get(one) === member);
  if (other) other.value = had.get(board) ?? '';
  board.value = member;
  const numbers = document.getElementById('line-up-numbers');
  if (numbers instanceof HTMLInputElement) numbers.value = ''; // they would count instead of the boards
  seat();
}

/**
 * The board of a list or its label.
 * @param {HTMLElement} element
 */
const boardOf = (element) => boards().find((board) => board === element || board.id === element.getAttribute('for'));

const places = 'label[for^=line-up-]:not([for$=numbers])';
drag(`${places}, [data-member]`, `${places}, select[id^=line-up], [data-bench]`, (from, onto) => {
  const [board, to] = [boardOf(from), boardOf(onto)];
  if (to && to !== board) put(to, board?.value ?? from.dataset.member ?? '');
  else if (board && !to) put(board, '');
});
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && boards().includes(target)) put(target, target.value);
});
document.addEventListener('quatuor:parts', seat);
seat();
