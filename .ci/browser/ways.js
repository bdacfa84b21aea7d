// Four ways to play on a game's page: by taps, by the keyboard alone, by the accessibility tree alone, and with scripts
// off. Each opens a game, waits until the page wants a move, returns what the page offers, and makes a move.
import assert from 'node:assert/strict';

const patience = 60_000; // ms that anything on a page may take on a busy machine

// until polls until an answer is neither false nor null, and returns that.
export async function until(what, ask, limit = patience) {
  const end = Date.now() + limit;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`not within ${limit} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// squares are those that a move names, in the order in which they are pointed at; none for a tile such as g22.
const squares = (move) => (/^[a-z]\d\d$/.test(move) ? [] : move.match(/[a-g][1-7]/g) ?? []);

// dot returns the seat that a pushed cube's dot points to, where a move names one.
const dot = (move) => /[a-e][1-5]>([1-4])$/.exec(move)?.[1];

// pushes reports whether a move is a push with a dot, which is chosen after the squares.
const pushes = (move) => move.includes('-') && dot(move) !== undefined;

const cell = (page, square) => page.locator(`[role=gridcell][data-square="${square}"]`);
const select = (page) => page.locator('select[name=move]');
const options = (page) => select(page).locator('option').evaluateAll((all) => all.map((one) => one.value).filter(Boolean));

// asked waits until a page with scripts offers certain moves for a turn.
async function asked(page, turn, legal) {
  await page.waitForFunction(([turn, legal]) => {
    const board = document.querySelector('[data-turn][data-status]');
    const offered = [...document.querySelectorAll('select[name=move] option')].map((one) => one.value).filter(Boolean);
    return board?.dataset.turn === String(turn) && offered.length === legal.length && offered.every((move) => legal.includes(move));
  }, [turn, legal], { timeout: patience });
}

// ended waits until a page with scripts shows that the game is over.
const ended = (page) => page.locator('[data-status="finished"]').first().waitFor({ state: 'attached', timeout: patience });

const folded = (page) => page.getByRole('button', { name: 'Other ways to move', expanded: false });

// unfold opens the other ways to move, which a page with scripts folds where its board can be tapped.
async function unfold(page) {
  if (await folded(page).count()) await folded(page).click();
}

const following = (page) => page.locator('html[data-following]').waitFor({ state: 'attached', timeout: patience });

// byTaps touches the squares of the board, and the choices that follow, on a phone.
const byTaps = {
  name: 'taps',
  options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  async open(page, url) {
    await page.goto(url);
    await following(page);
  },
  ready: asked,
  offers: options,
  async move(page, move) {
    if (squares(move).length === 0) {
      const button = page.locator(`button[name=move][value="${move}"]`);
      if (await button.count()) return button.first().tap();
      await unfold(page);
      await select(page).selectOption(move);
      return page.getByRole('button', { name: 'Move', exact: true }).tap();
    }
    for (const square of squares(move)) await cell(page, square).tap();
    if (pushes(move)) await page.getByRole('button', { name: new RegExp(`seat ${dot(move)}\\b`) }).tap();
  },
  ended,
};

// focused describes what has the focus.
const focused = (page) => page.evaluate(() => {
  const it = document.activeElement;
  return { role: it?.getAttribute('role') ?? it?.localName, name: it?.getAttribute('aria-label') ?? it?.textContent ?? '', value: it?.getAttribute('value') ?? '', field: it?.getAttribute('name') ?? '' };
});

// tabTo presses Tab until what is wanted has the focus.
async function tabTo(page, what, wanted) {
  for (let i = 0; i < 250; i++) {
    if (wanted(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${what} cannot be reached with Tab`);
}

// byKeys presses keys, and nothing else: Tab to the board, a letter and a digit to a square, Enter.
const byKeys = {
  name: 'keyboard',
  options: { viewport: { width: 1280, height: 900 } },
  open: byTaps.open,
  ready: asked,
  offers: options,
  async move(page, move) {
    if (squares(move).length === 0) {
      if (await page.locator(`button[name=move][value="${move}"]`).count()) {
        await tabTo(page, move, (at) => at.field === 'move' && at.value === move);
        return page.keyboard.press('Enter');
      }
      if (await folded(page).count()) {
        await tabTo(page, 'the other ways to move', (at) => at.role === 'button' && at.name === 'Other ways to move');
        await page.keyboard.press('Enter');
      }
      await tabTo(page, 'the list of moves', (at) => at.role === 'select' && at.field === 'move');
      await choose(page, move);
      await tabTo(page, 'Move', (at) => at.role === 'button' && at.name === 'Move');
      return page.keyboard.press('Enter');
    }
    await tabTo(page, 'the board', (at) => at.role === 'gridcell');
    for (const square of squares(move)) {
      await page.keyboard.press(square[0]);
      await page.keyboard.press(square[1]);
      const at = await focused(page);
      assert.ok(at.role === 'gridcell' && at.name.startsWith(`${square},`), `${square} leads to "${at.name}"`);
      await page.keyboard.press('Enter');
    }
    if (!pushes(move)) return;
    await tabTo(page, `the dot of ${move}`, (at) => at.role === 'button' && new RegExp(`seat ${dot(move)}\\b`).test(at.name));
    await page.keyboard.press('Enter');
  },
  ended,
};

// choose goes down the list of moves that has the focus until it shows one.
async function choose(page, move) {
  for (let i = 0; i < 600; i++) {
    if (await page.evaluate(() => document.activeElement.value) === move) return;
    await page.keyboard.press('ArrowDown');
  }
  assert.fail(`${move} is not in the list`);
}

// Tree is the browser's accessibility tree of a page, which is what a screen reader has: roles and names. It acts on what
// it finds there as a screen reader does, by moving the focus and pressing keys.
class Tree {
  constructor(page, session) {
    Object.assign(this, { page, session });
  }

  // all returns every node that is not ignored, by its id.
  async all() {
    const { nodes } = await this.session.send('Accessibility.getFullAXTree');
    return new Map(nodes.map((node) => [node.nodeId, node]));
  }

  // under lists what lies under a node, itself included.
  under(nodes, node) {
    return [node, ...(node.childIds ?? []).flatMap((id) => (nodes.has(id) ? this.under(nodes, nodes.get(id)) : []))];
  }

  // find lists the nodes of a role, perhaps with a name.
  async find(role, name) {
    const nodes = await this.all();
    return [...nodes.values()].filter((n) => !n.ignored && n.role?.value === role && (!name || name.test(n.name?.value ?? '')));
  }

  // press moves the focus to a node and presses a key there.
  async press(role, name, key = 'Enter') {
    const [node] = await until(`a ${role} named ${name}`, async () => {
      const found = await this.find(role, name);
      return found.length ? found : null;
    });
    await this.session.send('DOM.focus', { backendNodeId: node.backendDOMNodeId });
    await this.page.keyboard.press(key);
    return node;
  }

  // offered lists the moves that can be chosen: the options of the field "Your move".
  async offered() {
    const nodes = await this.all();
    const field = [...nodes.values()].find((n) => n.role?.value === 'combobox' && /^Your move/.test(n.name?.value ?? ''));
    if (!field) return [];
    const names = this.under(nodes, field).filter((n) => n.role?.value === 'option').map((n) => (n.name?.value ?? '').split(':')[0]);
    return names.filter((name) => !name.includes(' ')); // "g22: green 22"
  }

  // told is the text of all live regions.
  async told() {
    const nodes = await this.all();
    return [...nodes.values()].filter((n) => !n.ignored && n.role?.value === 'status')
      .flatMap((n) => this.under(nodes, n)).filter((n) => n.role?.value === 'StaticText').map((n) => n.name.value).join(' ');
  }
}

const trees = new WeakMap();

// byTree knows nothing of a page but its accessibility tree.
const byTree = {
  name: 'tree',
  options: { viewport: { width: 1280, height: 900 } },
  async open(page, url) {
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    trees.set(page, new Tree(page, session));
    await page.goto(url);
  },
  async ready(page, turn, legal) {
    const tree = trees.get(page);
    await until(`the tree offers ${legal.length} moves for turn ${turn}`, async () => {
      const offered = await tree.offered();
      const closed = (await tree.find('button', /^Other ways to move$/)).some((n) => n.properties?.some((p) => p.name === 'expanded' && !p.value.value));
      if (offered.length === 0 && closed) await tree.press('button', /^Other ways to move$/);
      return offered.length === legal.length && offered.every((move) => legal.includes(move));
    });
  },
  offers: (page) => trees.get(page).offered(),
  async move(page, move) {
    const tree = trees.get(page);
    const path = squares(move);
    if (path.length === 0) {
      const [field] = await tree.find('combobox', /^Your move/);
      await tree.session.send('DOM.focus', { backendNodeId: field.backendDOMNodeId });
      const shown = async () => (await tree.find('combobox', /^Your move/))[0]?.value?.value;
      for (let now = await shown(); now?.split(':')[0] !== move;) {
        const before = now;
        await page.keyboard.press('ArrowDown');
        now = await until(`the field goes on from ${before}`, async () => { // the tree comes later than the page
          const next = await shown();
          return next !== before && next;
        });
      }
      await tree.press('button', /^Move$/);
      return;
    }
    for (const [i, square] of path.entries()) {
      const node = await tree.press('gridcell', new RegExp(`^${square},`));
      if (i === 0 && path.length > 1) assert.match(node.name.value, new RegExp(`\\b${path[1]}\\b`), 'a square says what could go where');
    }
    if (pushes(move)) await tree.press('button', new RegExp(`seat ${dot(move)}\\b`));
  },
  async ended(page) {
    await until('the tree says that the game is over', async () => /\bwon\b|\bdraw\b|No result/i.test(await trees.get(page).told()));
  },
};

// byForms sends forms, with scripts off; the page is loaded again to see whether the others have moved.
const byForms = {
  name: 'scripts off',
  options: { viewport: { width: 390, height: 844 }, javaScriptEnabled: false },
  open: (page, url) => page.goto(url),
  async ready(page) {
    await page.reload();
  },
  offers: options,
  async move(page, move) {
    await select(page).selectOption(move);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
  },
  async ended(page) {
    await page.reload();
    await ended(page);
  },
};

export const ways = [byTaps, byKeys, byTree, byForms];
