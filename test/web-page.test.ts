import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chromium, findChromium } from './chromium.ts';
import {
  answerEvent,
  changeQuestion,
  commandQuestion,
  manyEntries,
  row,
  WebPageStage,
} from './web-page-stage.ts';

const program = findChromium();

describe.skipIf(program === undefined)('the page of robota web', () => {
  const stage = new WebPageStage();
  let browser: Chromium;

  beforeAll(async () => {
    await stage.open();
    browser = await Chromium.start(program ?? '');
    await browser.resize(1440, 900);
    await browser.open(stage.address());
  });
  afterAll(async () => {
    await browser?.close();
    await stage.close();
  });

  const seen = (selector: string) => until(`document.querySelector(${JSON.stringify(selector)})`);
  const until = (expression: string) =>
    expect
      .poll(() => browser.evaluate<boolean>(`Boolean(${expression})`), { message: expression })
      .toBe(true);
  const textOf = (selector: string) =>
    browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const widthOfPage = () => browser.evaluate<number>('document.documentElement.scrollWidth');
  /** Shows another screen without loading the page again, as a link does. */
  const go = (path: string) =>
    browser.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  const focused = () =>
    browser.evaluate<string>(`document.activeElement.dataset.card ?? document.activeElement.id`);

  it('enters with the token and takes it out of the address', async () => {
    await seen('[data-card]');
    await expect.poll(() => browser.evaluate('location.href')).toBe(stage.at('/'));
    await expect.poll(() => browser.evaluate(`document.title`)).toBe('(1) Board · Robota');
  });

  it('drives the board by the keyboard alone', async () => {
    await browser.press('j');
    await expect.poll(focused).toBe('ask');
    await browser.press('l');
    await expect.poll(focused).toBe('run');
    await browser.press('j');
    await expect.poll(focused).toBe('run2');
    await browser.press('h');
    await expect.poll(focused).toBe('ask');
    await browser.press('/', '/');
    await browser.type('openai');
    await until(`document.querySelectorAll('[data-card]').length === 1`);
    // Letters are text here, not keys.
    await expect.poll(() => textOf('[data-card]')).toBe('Speed up product search');
    await browser.press('Escape');
    await until(`document.querySelectorAll('[data-card]').length === 5`);
    await browser.press('?', '?');
    await seen('dialog[open]');
    await expect.poll(() => textOf('dialog')).toContain('Column to the left');
    await browser.press('Escape');
    await until(`!document.querySelector('dialog')`);
    await browser.press('a');
    await until(`location.pathname === '/s/ask/question'`);
    await browser.press('g');
    await browser.press('b');
    await until(`location.pathname === '/'`);
  });

  it('moves a card when the stream says so, and runs nothing that a session says', async () => {
    await seen('[data-card=run]');
    await expect.poll(() => browser.evaluate('document.querySelectorAll(".board-card img").length')).toBe(0);
    const moved = row('run2', 'done', { title: 'Speed up product search', holder: 'none' });
    // The card slides into its column.
    await browser.evaluate(
      `(() => { const animate = Element.prototype.animate; Element.prototype.animate = function (frames, options) { window.slid = [this.querySelector('[data-card]')?.dataset.card, options.duration]; return animate.call(this, frames, options); }; })()`,
    );
    await browser.evaluate(`document.querySelector('[data-card=run2]').focus()`);
    stage.push({ type: 'board', rows: [moved], gone: ['review'], spent: 10.5 });
    await seen('section[aria-label=Done] [data-card=run2]');
    await expect.poll(() => textOf('.board-today b')).toBe('$10.50');
    // The focus goes with the card.
    await until(`document.activeElement?.dataset.card === 'run2'`);
    await until(`window.slid?.join() === 'run2,160'`);
    await until(`!document.querySelector('[data-card=review]')`);
  });

  it('leads to the filter of the board from another screen, and leaves it by escape', async () => {
    await go('/s/run');
    await seen('#composer');
    await browser.press('/');
    await until(`location.pathname === '/' && document.activeElement?.ariaLabel === 'Filter'`);
    await browser.type('search');
    await until(`document.querySelectorAll('[data-card]').length === 1`);
    await browser.press('Escape');
    await until(`document.querySelectorAll('[data-card]').length > 1`);
    await expect.poll(() => browser.evaluate('document.activeElement === document.body')).toBe(true);
    await browser.press('j');
    await until(`document.activeElement?.dataset.card === 'ask'`);
  });

  it('scrolls no screen sideways, from 320 pixels on', async () => {
    const long = 'Averyverylongwordwithoutspaces'.repeat(4);
    const asks = { tag: 'Run command?', text: `rm ${long}`, isCode: true, since: Date.now() };
    const short = { title: 'Publish tax rates', cwd: '/home/user/shop-api', questions: 1 };
    const { title, changes } = stage.state;
    const words = {
      title: long,
      cwd: `/home/user/${long}`,
      branch: long,
      model: `a/${long}`,
      lastLine: long,
    };
    stage.push({
      type: 'board',
      rows: [row('ask', 'needs-you', { ...words, questions: 1, asks })],
      gone: [],
    });
    stage.change({
      title: long,
      branch: long,
      changes: [{ path: `src/${long}/cart.ts`, added: 4, removed: 1 }],
    });
    for (const width of [320, 390, 640, 720, 1024, 1720]) {
      await browser.resize(width, 800);
      for (const path of ['/', '/s/run', '/s/run/question', '/devices']) {
        await go(path);
        await seen('main');
        await expect.poll(widthOfPage, { message: `${path} at ${width}` }).toBe(width);
      }
    }
    await browser.resize(1440, 900);
    // The end of a path is what tells files apart.
    await go('/s/run');
    await expect.poll(() => textOf('.changed-files .cut-middle > :last-child')).toBe('spaces/cart.ts');
    stage.change({ title, branch: 'fix/cart-tax', changes });
    const ask = row('ask', 'needs-you', { ...short, asks: { ...asks, text: 'git push origin tax-rates' } });
    stage.push({ type: 'board', rows: [ask], gone: [] });
  });

  it('streams an answer, replaces it by its entry, and shows a call that was denied', async () => {
    await go('/s/run');
    await seen('.row-text table');
    await expect.poll(() => textOf('.call .status')).toBe('denied by a rule');
    await expect
      .poll(() => browser.evaluate(`document.querySelector('.call-mark').getAttribute('aria-label')`))
      .toBe('denied');
    await expect.poll(() => browser.evaluate(`document.querySelectorAll('.transcript img').length`)).toBe(0);
    stage.push({ type: 'event', event: { type: 'text-delta', text: 'First **paragraph**.\n\nSecond `par' } });
    await until(`document.querySelector('.live')?.textContent.includes('Second')`);
    await expect.poll(() => textOf('.live strong')).toBe('paragraph');
    // A screen reader hears a paragraph when it is complete.
    const heard = async () => (await textOf('.transcript [aria-live=polite]')).trim();
    await expect.poll(heard).toBe('First paragraph.');
    stage.push({ type: 'event', event: { type: 'text-delta', text: 'agraph`.' } });
    await until(`document.querySelector('.live')?.textContent.includes('agraph.')`);
    stage.push(answerEvent('e5', 'e4', 'The whole answer.'));
    await expect.poll(heard).toBe('Second paragraph.');
    await until(
      `[...document.querySelectorAll('.row-text')].some((one) => one.textContent === 'The whole answer.')`,
    );
    await expect.poll(() => textOf('.live')).toBe('');
  });

  it('sends, steers and queues, and stops by escape', async () => {
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.type('use the rate');
    await browser.press('Enter');
    await until(`document.getElementById('composer').value === ''`);
    await browser.type('then the docs');
    await browser.press('Enter', undefined, { alt: true });
    await until(`document.getElementById('composer').value === ''`);
    await browser.press('Escape');
    await expect
      .poll(() => stage.changes.map(({ body }) => body))
      .toEqual([{ text: 'use the rate', as: 'steer' }, { text: 'then the docs', as: 'queue' }, {}]);
    stage.changes.length = 0;
    // A queued message goes back into the composer, before the text that is there.
    await browser.type('and more');
    stage.change({ queue: [{ id: 'queue-0-a', as: 'queue', text: 'then the docs' }] });
    await seen('.queued');
    await browser.evaluate(`document.querySelector('[aria-label="Edit queued message"]').click()`);
    await until(`document.getElementById('composer').value === 'then the docs\\nand more'`);
    expect(stage.changes.map(({ body }) => body)).toEqual([{ id: 'queue-0-a' }]);
    await expect.poll(() => browser.evaluate('document.activeElement.id')).toBe('composer');
    stage.change({ queue: [] });
    await browser.press('Enter');
    await until(`document.getElementById('composer').value === ''`);
    await expect.poll(() => stage.changes.length).toBe(2);
    stage.changes.length = 0;
  });

  it('shows a message while it is sent, and returns it before what was typed meanwhile', async () => {
    let reply = (_status: number) => {};
    stage.status = new Promise((resolve) => {
      reply = resolve;
    });
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.type('first');
    await browser.press('Enter');
    await until(`getComputedStyle(document.querySelector('.asking')).visibility === 'visible'`);
    expect(await textOf('.asking')).toBe('Sending: first');
    await browser.type('second');
    reply(409);
    await until(`document.getElementById('composer').value === 'first\\nsecond'`);
    expect(await textOf('.dock-error')).toBe('Not now.');
    expect(await textOf('.asking')).toBe('');
    stage.status = undefined;
    await browser.press('Enter');
    await until(`document.getElementById('composer').value === '' && !document.querySelector('.dock-error')`);
    stage.changes.length = 0;
  });

  it('has more actions in a menu, by the keyboard alone, whose escape does not stop the run', async () => {
    const item = () => browser.evaluate<string>(`document.activeElement.innerText.split('\\n')[0]`);
    const open = async () => {
      await browser.evaluate(`document.querySelector('.top-bar [aria-label="More actions"]').focus()`);
      await browser.press('Enter');
      await expect.poll(item).toBe('Review changes');
    };
    stage.change({ runningSince: 1 });
    await open();
    await browser.press('ArrowUp');
    await expect.poll(item).toBe('Copy the resume command');
    await browser.press('ArrowDown');
    // A key of the screen does nothing here, and no conversation is compacted in the middle of a run.
    await browser.press('x', 'x');
    await browser.press('ArrowDown');
    await expect.poll(item).toBe('Rename');
    await browser.press('ArrowDown');
    await expect.poll(item).toBe('Fork');
    await browser.press('ArrowDown');
    await expect.poll(item).toBe('Copy the resume command');
    await browser.press('Escape');
    await until(`!document.querySelector('.top-bar .more-menu > div').matches(':popover-open')`);
    await until(`document.activeElement.ariaLabel === 'More actions'`);
    expect(stage.changes).toEqual([]);
    await open();
    await browser.press('ArrowDown');
    await browser.press('Enter');
    await until(`document.activeElement.name === 'name'`);
    await browser.evaluate('document.activeElement.select()');
    await browser.type('Tax in totals');
    // In no moment is the focus lost: a key would act on the screen.
    await browser.evaluate(`new MutationObserver(() => {
      if (!document.querySelector('dialog')) window.focusBelow ??= document.activeElement.ariaLabel;
    }).observe(document.body, { childList: true, subtree: true })`);
    await browser.press('Enter');
    await expect
      .poll(() => stage.changes.map(({ body }) => body))
      .toEqual([{ text: '/name Tax in totals', as: 'prompt' }]);
    await until(`!document.querySelector('dialog')`);
    await expect.poll(() => browser.evaluate('window.focusBelow')).toBe('More actions');
    await seen('.dock-result');
    await browser.evaluate(`document.querySelector('.dock-result button').click()`);
    stage.changes.length = 0;
  });

  it('shows what a command says until it is dismissed', async () => {
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.type('/usage');
    await browser.press('Enter');
    await seen('.dock-result');
    await expect.poll(() => textOf('.dock-result pre')).toBe('Result of /usage');
    await browser.evaluate(`document.querySelector('.dock-result button').click()`);
    await until(`!document.querySelector('.dock-result')`);
    await expect.poll(focused).toBe('composer');
    stage.changes.length = 0;
  });

  it('suggests commands and files, and changes the mode by shift and tab', async () => {
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.type('/re');
    await until(`document.querySelectorAll('.completions [role=option]').length === 2`);
    await browser.press('ArrowDown');
    await until(`document.querySelector('[aria-selected=true]').textContent === '/rewind'`);
    await expect
      .poll(() =>
        browser.evaluate(
          `document.getElementById(document.getElementById('composer').getAttribute('aria-activedescendant')).textContent`,
        ),
      )
      .toBe('/rewind');
    // Escape closes the suggestions, and stops nothing.
    await browser.press('Escape');
    await until(`!document.querySelector('.completions')`);
    expect(stage.changes).toEqual([]);
    await browser.type(' @src');
    await seen('.completions');
    await browser.press('Enter');
    await until(`document.getElementById('composer').value === '/re @src/cart.ts '`);
    await browser.press('Tab', undefined, { shift: true });
    await expect.poll(() => stage.changes.map(({ body }) => body)).toEqual([{ mode: 'acceptEdits' }]);
    await expect.poll(focused).toBe('composer');
    await browser.evaluate(
      `(() => { const field = document.getElementById('composer'); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true })); })()`,
    );
    stage.changes.length = 0;
  });

  it('goes back from the tree once no run is active, and returns the prompt to the composer', async () => {
    await until(`document.querySelector('.side-tree header button')?.disabled`);
    await expect
      .poll(() => browser.evaluate(`document.querySelectorAll('.session-tree button').length`))
      .toBe(0);
    const { runningSince = 0 } = stage.state;
    stage.state = Object.fromEntries(
      Object.entries(stage.state).filter(([name]) => name !== 'runningSince'),
    ) as unknown as typeof stage.state;
    stage.change({});
    await seen('.session-tree button');
    await browser.evaluate(`document.querySelector('.session-tree button').click()`);
    await seen('dialog');
    await browser.evaluate(`document.querySelector('dialog [value=conversation]').click()`);
    await browser.evaluate(`document.querySelector('dialog [type=submit]').click()`);
    await until(`document.getElementById('composer').value === 'Fix the failing test'`);
    expect(stage.changes.map(({ body }) => body)).toEqual([{ entry: 'a', scope: 'conversation' }]);
    await expect.poll(focused).toBe('composer');
    await expect.poll(() => textOf('.dock-result pre')).toBe('Back to before prompt 1.');
    await browser.evaluate(`document.querySelector('.dock-result button').click()`);
    stage.change({ runningSince });
    await browser.evaluate(
      `(() => { const field = document.getElementById('composer'); field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true })); })()`,
    );
    stage.changes.length = 0;
  });

  it('leaves the composer by escape while a question waits, and denies nothing', async () => {
    stage.change({ questions: [commandQuestion('waits')] });
    await seen('.dock-asks');
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.press('Escape');
    await until(`document.activeElement === document.body`);
    expect(stage.changes).toEqual([]);
    stage.change({ questions: [] });
    await until(`!document.querySelector('.dock-asks')`);
  });

  it('keeps the draft while the connection is lost, and continues after the last entry', async () => {
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.type('a draft');
    stage.missed = [answerEvent('e6', 'e5', 'Written meanwhile.')];
    stage.opened.length = 0;
    stage.cut();
    await until(`document.querySelector('.connection-lost')?.textContent.startsWith('Reconnecting')`);
    await expect
      .poll(() => browser.evaluate(`document.querySelector('.composer [type=submit]').disabled`))
      .toBe(true);
    await until(`document.querySelector('.connection')?.textContent.startsWith('Live')`);
    expect(stage.opened).toEqual(['e5']);
    await until(
      `[...document.querySelectorAll('.row-text')].filter((one) => one.textContent === 'Written meanwhile.').length === 1`,
    );
    await expect.poll(() => browser.evaluate(`document.getElementById('composer').value`)).toBe('a draft');
    stage.missed = [];
  });

  it('opens the stream again after the device slept, from the last entry on', async () => {
    stage.missed = [answerEvent('e7', 'e6', 'Written while it slept.')];
    stage.opened.length = 0;
    await browser.evaluate(
      `(() => { const { now } = Date; Date.now = () => now() + 60_000; document.dispatchEvent(new Event('visibilitychange')); Date.now = now; })()`,
    );
    await until(
      `[...document.querySelectorAll('.row-text')].filter((one) => one.textContent === 'Written while it slept.').length === 1`,
    );
    expect(stage.opened).toEqual(['e6']);
    await browser.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await expect.poll(() => textOf('.connection')).toContain('Live');
    expect(stage.opened).toEqual(['e6']);
    stage.missed = [];
  });

  it('reads each paragraph from the side on which its language begins', async () => {
    await go('/s/run');
    await seen('.row-text table');
    stage.push(answerEvent('rtl', 'e7', 'سلة\n\nA cart\n\n- תקן'));
    stage.change({ title: 'תקן את סכום העגלה' });
    await until(`document.querySelector('h1').matches(':dir(rtl)')`);
    const directions = `[...document.querySelectorAll('.markdown')].filter((each) => each.textContent.includes('A cart')).flatMap((each) => [...each.children]).map((each) => getComputedStyle(each).direction).join()`;
    await expect.poll(() => browser.evaluate(directions)).toBe('rtl,ltr,rtl');
    stage.change({ title: 'Cart total leaves out tax' });
  });

  it('leaves a session of another process alone until it is taken over', async () => {
    stage.change({
      holder: 'elsewhere',
      heldBy: { name: 'a terminal', text: 'a terminal (process 4711)', handsOver: true },
    });
    await seen('.take-over');
    await expect.poll(() => textOf('.top-bar .tag')).toBe('Open in a terminal');
    await expect.poll(() => browser.evaluate(`document.getElementById('composer')`)).toBe(null);
    await browser.evaluate(`document.querySelector('.take-over button').click()`);
    await expect
      .poll(() => stage.changes)
      .toEqual([{ path: '/api/sessions/run/take-over', body: { stop: true } }]);
    stage.changes.length = 0;
    stage.change({ holder: 'here' });
    await seen('#composer');
  });

  it('shows 10,000 entries with a few rows in the document, and loads them by windows', async () => {
    await go('/s/long');
    await until(
      `document.querySelector('.transcript-scroll')?.textContent.includes('Answer number ${manyEntries - 1}.')`,
    );
    const rows = () => browser.evaluate<number>(`document.querySelectorAll('.virtual-rows > *').length`);
    expect(await rows()).toBeLessThan(60);
    // A reader who scrolls up keeps the row that is looked at, while older ones come in above it.
    const scroll = (to: string) =>
      browser.evaluate(`document.querySelector('.transcript-scroll').scrollTop = ${to}`);
    await expect
      .poll(async () => {
        await scroll('0');
        return stage.windows.slice(0, 2);
      })
      .toEqual(['n9800', 'n9400']);
    expect(await rows()).toBeLessThan(60);
    const toEnd = () => browser.evaluate(`document.querySelector('.new-messages')?.textContent`);
    await expect.poll(toEnd).toBe('To the end');
    stage.push(answerEvent('newest', `n${manyEntries - 1}`, 'One more.'));
    await expect.poll(toEnd).toBe('New messages');
    await browser.evaluate(`document.querySelector('.new-messages').click()`);
    await until(`!document.querySelector('.new-messages')`);
    await until(
      `document.querySelector('.transcript-scroll').textContent.includes('Answer number ${manyEntries - 1}.')`,
    );
  });

  it('answers a question by its digest, but not by a key that came too early', async () => {
    await go('/s/ask/question');
    await until(`document.querySelector('main')?.textContent.includes('No question waits')`);
    stage.changes.length = 0;
    // Presses enter from the moment in which the question is in the document, in each frame of the 300 ms after it.
    await browser.evaluate(`(() => {
      let since;
      const press = () => {
        const age = performance.now() - since;
        if (age < 300)
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
        if (age < 700) requestAnimationFrame(press);
        else window.isOld = true;
      };
      const changes = new MutationObserver(() => {
        if (!document.querySelector('.question')) return;
        changes.disconnect();
        since = performance.now();
        press();
      });
      changes.observe(document.body, { childList: true, subtree: true });
    })()`);
    stage.change({ questions: [commandQuestion('first'), commandQuestion('late')] });
    await seen('.question');
    await expect.poll(() => textOf('.question-command code')).toContain("git commit -am 'Tax' && git push");
    await expect.poll(() => textOf('.command-asked')).toContain('git');
    await expect.poll(() => textOf('.command-parts')).toContain('Bash(npm run *)');
    await expect.poll(() => textOf('.command-parts')).toContain('no rule matches');
    await expect.poll(() => textOf('.command-parts')).toContain('needs Bash(git push origin tax-rates)');
    await expect.poll(() => textOf('.rule-preview')).toContain('Bash(git push origin tax-rates)');
    await expect
      .poll(() => browser.evaluate(`document.querySelector('.question [role=alert]').textContent`))
      .toContain('run a command');
    await until('window.isOld');
    expect(stage.changes).toEqual([]);
    // A busy browser may see the question later than the document has it.
    const isChosen = () => browser.evaluate<boolean>(`document.querySelectorAll('.answer input')[1].checked`);
    const choose = async () => {
      await browser.press('2');
      return isChosen();
    };
    // Seldom, as keys that follow each other count as typing.
    await expect.poll(choose, { interval: 1500 }).toBe(true);
    await browser.press('Enter');
    await expect
      .poll(() => stage.changes)
      .toEqual([
        {
          path: 'answers',
          body: { questionId: 'first', digest: 'digest of first', answer: { choice: 'session' } },
        },
      ]);
    // The next one takes its place and the focus.
    await until(`document.activeElement?.id === 'question-title'`);
    const isNoticed = () => browser.evaluate(`document.querySelector('.question-notice') !== null`);
    while (!(await isNoticed())) await browser.press('Enter');
    await expect
      .poll(() => textOf('.question-notice'))
      .toBe('Already answered in the terminal: allowed once.');
    // A question that a terminal answers while it is shown says so before the next one.
    stage.change({ questions: [commandQuestion('seen'), commandQuestion('next')] });
    await seen('.question');
    await expect.poll(() => textOf('.question .dim')).toContain('Question 1 of 2');
    stage.change({ questions: [commandQuestion('next')] });
    await expect.poll(() => textOf('.question-notice')).toBe('The question before was settled elsewhere.');
    stage.change({ questions: [] });
  });

  it('hides nothing of a question, whatever a terminal would make of it', async () => {
    const hiding = 'ls \u001b]; touch pwned #\u0007\r\u009b31mx \u202egnp\u200b\u00a0y';
    const spelled = 'ls \\u{1b}]; touch pwned #\\u{7}\\u{d}\\u{9b}31mx \\u{202e}gnp\\u{200b}\\u{a0}y';
    const question = commandQuestion('hiding');
    const call = { tool: 'Bash', input: {}, command: hiding };
    stage.change({ questions: [{ ...question, call }] });
    await go('/s/ask/question');
    await until(`document.querySelector('.question-command code')?.textContent.startsWith('ls')`);
    await expect.poll(() => textOf('.question-command code')).toBe(spelled);
    const asks = { tag: 'Run command?', text: hiding, isCode: true, since: 0 };
    stage.push({ type: 'board', rows: [row('ask', 'needs-you', { questions: 1, asks })], gone: [] });
    await go('/');
    await until(`document.querySelector('.board-card-asks')?.textContent.includes('pwned')`);
    await expect.poll(() => textOf('.board-card-asks .board-card-last')).toBe(`Run command?${spelled}`);
    const lines = [
      { kind: 'added' as const, text: 'a\u001b]hidden\u0007 b\u202e\u200b\u{e0041}\u3164\r', newLine: 1 },
    ];
    const diff = { path: '/home/user/shop/a\u202etxt.exe', lines };
    stage.change({ questions: [{ ...question, digest: 'other', call: { tool: 'Write', input: {}, diff } }] });
    await go('/s/ask/question');
    await seen('.question-diff .line');
    await expect
      .poll(() => textOf('.question-diff .text'))
      .toBe('a\\u{1b}]hidden\\u{7} b\\u{202e}\\u{200b}\\u{e0041}\\u{3164}');
    await expect.poll(() => textOf('.question-file code')).toBe('a\\u{202e}txt.exe');
    stage.change({ questions: [] });
  });

  it('keeps the bar with the answer in view below a change of 200 lines', async () => {
    stage.change({ questions: [changeQuestion('long-change')] });
    await go('/s/run/question');
    await until(`document.querySelectorAll('.question-diff .line').length === 200`);
    for (const [width, height] of [
      [1280, 800],
      [640, 800],
      [390, 844],
    ] as const) {
      await browser.resize(width, height);
      // Nothing covers the button that confirms, whichever end of the change is shown.
      for (const end of ['0', '1e6']) {
        await browser.evaluate(`document.querySelector('.question-scroll').scrollTop = ${end}`);
        await until(`(() => {
          const button = document.querySelector('.answer-bar [type=submit]');
          const box = button.getBoundingClientRect();
          const top = document.elementFromPoint(box.left + box.width / 2, box.bottom - 2);
          return box.top >= 0 && box.bottom <= innerHeight && button.contains(top);
        })()`);
      }
    }
    stage.change({ questions: [] });
  });

  it('returns to the session or the board after the last answer, with the focus', async () => {
    for (const [from, asked, focus] of [
      ['/s/run', 'run', 'composer'],
      ['/', 'ask', 'ask'],
    ] as const) {
      await go(from);
      await until(`location.pathname === '${from}'`);
      stage.change({ questions: [commandQuestion(`last-${asked}`)] });
      await go(`/s/${asked}/question`);
      await seen('.answer-bar');
      await browser.evaluate(`document.querySelector('.answer-bar [type=submit]').click()`);
      await until(`location.pathname === '${from}'`);
      await expect.poll(focused).toBe(focus);
    }
    stage.change({ questions: [] });
    stage.changes.length = 0;
  });

  it('has a menu for devices, theme and connection on a phone', async () => {
    await browser.resize(390, 844);
    await go('/');
    await seen('.phone-menu');
    await browser.evaluate(`document.querySelector('.phone-menu > button').click()`);
    await until(`document.querySelector('.phone-menu [href="/devices"]').checkVisibility()`);
    await expect.poll(() => textOf('.phone-menu .connection')).toContain('Live');
    await expect.poll(widthOfPage).toBe(390);
    const small = `[...document.querySelectorAll('.top-bar .button, .board-filter, .segmented > *')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 40).length`;
    await expect.poll(() => browser.evaluate(small)).toBe(0);
    await browser.evaluate(`document.querySelector('.phone-menu [href="/devices"]').click()`);
    await until(`location.pathname === '/devices'`);
    await browser.resize(1440, 900);
  });

  it('shows the copy that a fork makes', async () => {
    await go('/s/run');
    await seen('#composer');
    stage.changes.length = 0;
    await browser.evaluate(
      `[...document.querySelectorAll('.top-bar .more-menu button')].find((each) => each.innerText === 'Fork').click()`,
    );
    await until(`location.pathname === '/s/run2'`);
    await seen('#composer');
    await until(`document.getElementById('composer').value === 'Tax per line'`);
    expect(stage.changes.map(({ body }) => body)).toEqual([{ text: '/fork', as: 'prompt' }]);
    stage.changes.length = 0;
  });

  it('lists the reviews that wait if there are several', async () => {
    const changes = { added: 57, removed: 21, files: 3 };
    const rows = [
      row('changed0', 'to-review', { title: 'Round prices', changes, modified: 9 }),
      row('changed1', 'to-review', { title: 'Sort the stock', changes, modified: 8 }),
    ];
    stage.push({ type: 'board', rows, gone: [] });
    await browser.open(stage.at('/review'));
    await until(`document.querySelectorAll('.review-list a').length === 2`);
    await until(`document.activeElement?.getAttribute('href') === '/s/changed0/review'`);
    await expect.poll(() => textOf('.review-list a')).toMatch(/^Round pricesshop.*57.*21/);
    await expect
      .poll(() =>
        browser.evaluate(`document.querySelector('.rail-places [aria-current]').getAttribute('href')`),
      )
      .toBe('/review');
    await browser.open(stage.at('/'));
    await seen('[data-card]');
  });

  it('has names, landmarks and a place for the focus in every screen', async () => {
    for (const path of ['/', '/s/run', '/s/run/question', '/devices']) {
      await go(path);
      await seen('main');
      const nodes = await browser.accessibilityTree();
      const roles = nodes.map(({ role }) => role);
      expect(roles, path).toEqual(expect.arrayContaining(['navigation', 'main', 'link']));
      const nameless = nodes.filter(
        ({ role, name }) =>
          ['button', 'link', 'textbox', 'combobox', 'searchbox', 'radio'].includes(role) && name === '',
      );
      expect(nameless, path).toEqual([]);
    }
    await browser.open(stage.at('/s/run'));
    await seen('#composer');
    await browser.press('Tab');
    await expect.poll(() => textOf(':focus')).toBe('Skip to content');
    expect(
      (await browser.accessibilityTree()).some(({ role, name }) => role === 'log' && name === 'Transcript'),
    ).toBe(true);
  });

  it('follows the scheme of the system, moves nothing where motion is unwanted, and can be switched', async () => {
    await browser.emulate({ scheme: 'dark', reducedMotion: true });
    const background = () => browser.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await expect.poll(background).toBe('rgb(14, 16, 20)');
    await expect
      .poll(() => browser.evaluate(`getComputedStyle(document.querySelector('.dot-running')).animationName`))
      .toBe('none');
    await browser.evaluate(`document.querySelector('[aria-label="Switch theme"]').click()`);
    await expect.poll(background).toBe('rgb(246, 247, 249)');
    await browser.emulate({ scheme: 'light', reducedMotion: false });
    await expect
      .poll(() => browser.evaluate(`getComputedStyle(document.querySelector('.dot-running')).animationName`))
      .toBe('turn');
  });

  it('says that the server stopped, and returns with it', async () => {
    const { port } = stage;
    await stage.stop();
    await until(
      `document.querySelector('.connection-bar')?.textContent.includes('Stopped. Run robota web again.')`,
    );
    await stage.open(port);
    await browser.evaluate(`document.querySelector('.connection-bar button').click()`);
    await until(`document.querySelector('.connection')?.textContent.startsWith('Live')`);
  });

  it('broke no rule of its policy', () => {
    const broken = browser.events.filter(
      ({ method, params }) =>
        method === 'Runtime.exceptionThrown' ||
        (method === 'Log.entryAdded' && JSON.stringify(params).includes('Content Security Policy')),
    );
    expect(broken).toEqual([]);
  });
});
