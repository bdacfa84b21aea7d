// @ts-check
// Merges what a server has rendered again into an open page. What stays the same is left alone, and so is what the reader
// is about: the focus, what was typed, what was unfolded, how far boxes were scrolled.
import { Idiomorph } from './idiomorph.js';

/**
 * Reports whether the reader has changed a field, which is then the reader's.
 * @param {Element} field
 */
function typed(field) {
  if (field instanceof HTMLInputElement) {
    return field.type === 'checkbox' || field.type === 'radio' ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (field instanceof HTMLOptionElement) field = field.closest('select') ?? field;
  if (!(field instanceof HTMLSelectElement)) return false;
  const all = [...field.options];
  const named = all.some((option) => option.defaultSelected);
  return all.some((option, i) => option.selected !== (named || field.multiple ? option.defaultSelected : i === 0)); // the first means none
}

const callbacks = {
  /**
   * @param {Node} old
   */
  beforeNodeMorphed: (old) => !(old instanceof HTMLTextAreaElement && typed(old)),
  /**
   * @param {string} name
   * @param {Element} element
   */
  beforeAttributeUpdated: (name, element) => {
    if (name === 'open' && element instanceof HTMLDetailsElement) return false;
    if (element instanceof HTMLOptionElement && name === 'value') return true; // what is chosen stays, not what it means
    return !(['value', 'checked', 'selected'].includes(name) && typed(element));
  },
};

/**
 * @param {Element} element
 * @param {string} markup its content, or the element itself
 * @param {'innerHTML' | 'outerHTML'} style
 */
function morph(element, markup, style) {
  if (style === 'innerHTML' && element.childElementCount === 0 && !markup.includes('<') && !markup.includes('&')) {
    element.textContent = markup;
  } else {
    Idiomorph.morph(element, markup, { morphStyle: style, ignoreActiveValue: true, callbacks });
  }
}

/**
 * Reports whether an element is within what a script holds as it is (data-held), which is marked as behind then.
 * @param {Element} element
 */
function held(element) {
  const holder = element.closest('[data-held]');
  holder?.setAttribute('data-behind', '');
  return holder !== null;
}

/**
 * Does something to parts of a page; lists that were scrolled to their end are so afterwards.
 * @param {ParentNode} region
 * @param {() => void} change
 */
function keepingEnds(region, change) {
  const followed = [...region.querySelectorAll('[data-keep-end]')].filter((list) => list.scrollHeight - list.scrollTop - list.clientHeight < 8);
  const before = new Set(region.querySelectorAll('[data-keep-end]'));
  change();
  for (const list of region.querySelectorAll('[data-keep-end]')) {
    if (followed.includes(list) || !before.has(list)) list.scrollTop = list.scrollHeight;
  }
}

/**
 * Merges whole parts, as the server renders them, into those of the same name.
 * @param {ParentNode} region
 * @param {ParentNode} fresh
 */
export function mergeParts(region, fresh) {
  keepingEnds(region, () => {
    for (const part of fresh.querySelectorAll('[data-part]')) {
      const old = region.querySelector(`[data-part="${CSS.escape(part.getAttribute('data-part') ?? '')}"]`);
      if (old && !old.isEqualNode(part) && !held(old)) morph(old, part.outerHTML, 'outerHTML');
    }
  });
}

/**
 * Carries out steps: see the server's package delta. An error means that the page is not what the server takes it for.
 * @param {ParentNode} region
 * @param {[string, string, ...any[]][]} steps
 */
export function mergeSteps(region, steps) {
  keepingEnds(region, () => {
    for (const [kind, path, first, second] of steps) {
      const element = find(region, path);
      if (!held(element)) step(region, kind, element, first, second);
    }
  });
}

/**
 * @param {ParentNode} region
 * @param {string} kind
 * @param {Element} element
 * @param {any} first
 * @param {string} second
 */
function step(region, kind, element, first, second) {
  const next = () => (second ? find(region, `#${second}`) : null);
  switch (kind) {
    case 'h':
      morph(element, first, 'innerHTML');
      break;
    case 'a':
      for (const [name, value] of Object.entries(first)) setAttribute(element, name, value);
      break;
    case 'd':
      element.remove();
      break;
    case 'm':
      element.insertBefore(find(region, `#${first}`), next());
      break;
    case 'n': {
      const template = document.createElement('template');
      template.innerHTML = first;
      const there = template.content.firstElementChild?.id;
      if (there) region.querySelector(`#${CSS.escape(there)}`)?.remove(); // the page was ahead of its stream
      element.insertBefore(template.content, next());
      break;
    }
    default:
      throw new Error(`a step ${kind}`);
  }
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
function setAttribute(element, name, value) {
  if (!callbacks.beforeAttributeUpdated(name, element)) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
  if (name === 'value' && element instanceof HTMLInputElement) element.value = value ?? '';
  if (name === 'checked' && element instanceof HTMLInputElement) element.checked = value !== null;
}

/**
 * @param {ParentNode} region
 * @param {string} path
 */
function find(region, path) {
  const [start = '', ...places] = path.split('/');
  const name = CSS.escape(start.slice(1));
  let element = region.querySelector(start[0] === '@' ? `[data-part="${name}"]` : `#${name}`);
  for (const place of places) element = element?.children[Number(place)] ?? null;
  if (!element) throw new Error(`no element ${path}`);
  return element;
}
