import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMessage } from '@robota-sdk/agent-core';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { anthropicReply, runRobota, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Chromium, findChromium } from './chromium.ts';
import { call, Storyteller, tellStory } from './exported-session.ts';
import { openStage } from './stage.ts';

const chromium = findChromium();
const missing = chromium === undefined ? ' (not here: there is no Chromium)' : '';

let home: string;
let cwd: string;
let id: string;

async function robota(...args: string[]) {
  return runRobota(['sessions', 'export', ...args], { cwd, home });
}

describe('robota sessions export', () => {
  beforeAll(async () => {
    home = await temporaryDirectory('robota-home');
    cwd = await temporaryDirectory();
    const handle = await tellStory(home, cwd);
    id = handle.id;
    await handle.close();
  });

  it('writes a page named after the session, for its owner only, and never over another', async () => {
    const done = await robota(id);
    const [name = ''] = readdirSync(cwd);
    expect(done).toMatchObject({ code: 0, stdout: '', stderr: `Exported to ${join(cwd, name)}.\n` });
    expect(name).toMatch(/^robota-Lost-last-line-\d{4}-\d\d-\d\d\.html$/);
    expect(statSync(join(cwd, name)).mode & 0o777).toBe(0o600);
    const before = readFileSync(join(cwd, name), 'utf8');
    const again = await robota(id);
    expect(again.code).not.toBe(0);
    expect(again.stderr).toMatch(/already exists and was not changed/);
    expect(readFileSync(join(cwd, name), 'utf8')).toBe(before);
    expect((await robota(id, '--force')).code).toBe(0);
  });

  it('finds the session by its name and the format by the ending, or prints', async () => {
    expect(await robota('Lost last', '--output', 'a.md')).toMatchObject({ code: 0 });
    const printed = await robota(id, '--format', 'md', '--output', '-');
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toContain('## Rather make it a stream of lines');
    expect(printed.stdout).not.toContain('Windows line endings');
    expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toBe(printed.stdout);
    const all = await robota(id, '--all-branches', '--output=-');
    expect(all.stdout).toContain('## Add a test for Windows line endings, too');
  });

  it('exports lines that can be opened and gone on with', async () => {
    proves('P-19', 'P-21');
    expect(await robota(id, '--output', 'copy.jsonl')).toMatchObject({ code: 0 });
    const store = new JsonlSessionStore({ home: join(home, '.robota') });
    const original = await store.open(id, { mode: 'read' });
    const copy = await store.open(join(cwd, 'copy.jsonl'), { mode: 'read' });
    expect([...copy.entries()]).toEqual([...original.entries()]);
    expect(copy.messages()).toEqual(original.messages());
    const args = ['-p', '--model', 'offline', '--session', 'copy.jsonl', 'list files'];
    expect(await runRobota(args, { cwd, home })).toMatchObject({ code: 0 });
  });

  it('says what is wrong with a place, a format or a session, and leaves nothing behind', async () => {
    const files = readdirSync(cwd);
    const wrong: [string[], RegExp][] = [
      [[id, '--output', 'none/a.html'], /none\/a\.html could not be written: its directory does not exist/],
      [[id, '--output', 'a.pdf'], /a\.pdf has no known export format\. End it in \.html, \.md or \.jsonl/],
      [[id, '--format', 'pdf'], /Unknown format "pdf"\. Available: html, md, jsonl/],
      [[id, '--raw'], /--raw keeps secrets, which only --format jsonl can do/],
      [['nosuch-session-here'], /nosuch-session-here/],
      [[], /Missing session/],
      [['a', 'b'], /Name one session/],
    ];
    for (const [args, message] of wrong) {
      const { code, stderr } = await robota(...args);
      expect([code, stderr]).toEqual([expect.toSatisfy((one) => one !== 0), expect.stringMatching(message)]);
    }
    expect(readdirSync(cwd)).toEqual(files);
  });
});

describe('/export', () => {
  it('writes the session it is used in without the keys in use, and not over another unasked', async () => {
    const stage = await openStage();
    onTestFinished(() => stage.server.close());
    const key = 'test-key-that-nothing-looks-like-1234';
    const env = { ANTHROPIC_API_KEY: key };
    stage.server.reply(anthropicReply({ text: `The key is ${key}, I think.` }));
    const said = await stage.robota(['-p', 'what is the key?'], { env });
    expect(said.code).toBe(0);
    const exported = await stage.robota(['-c', '-p', '/export "my notes.md"'], { env });
    expect(exported.stdout + exported.stderr).toContain(`Exported to ${join(stage.cwd, 'my notes.md')}`);
    const text = readFileSync(join(stage.cwd, 'my notes.md'), 'utf8');
    expect(text).toContain('## what is the key?');
    expect(text).toContain('The key is [redacted], I think.');
    const again = await stage.robota(['-c', '-p', '/export my notes.md'], { env });
    expect(again.stdout + again.stderr).toContain('already exists');
    await stage.robota(['-c', '-p', '/export raw.jsonl --raw'], { env });
    expect(existsSync(join(stage.cwd, 'raw.jsonl'))).toBe(true);
  });
});

describe.skipIf(chromium === undefined)(`an exported page${missing}`, () => {
  let browser: Chromium;

  beforeAll(async () => {
    browser = await Chromium.start(chromium ?? '');
  });

  afterAll(() => browser?.close());

  beforeEach(async () => {
    browser.events.length = 0;
    await browser.send('Emulation.setDeviceMetricsOverride', desktop);
  });

  const textOf = (selector: string) =>
    browser.evaluate<string>(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const count = (selector: string) =>
    browser.evaluate<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
  /** Waits until an expression holds; the time-out of the test ends the waiting. */
  const until = (expression: string) =>
    browser.evaluate(`new Promise((resolve) => {
      const look = () => (${expression}) ? resolve(true) : requestAnimationFrame(look);
      look();
    })`);

  async function openPage(
    handle: { readonly id: string; close(): Promise<void> },
    place: { home: string; cwd: string },
  ) {
    await handle.close();
    const args = ['sessions', 'export', handle.id, '--output', 'page.html', '--force'];
    const done = await runRobota(args, place);
    expect(done).toMatchObject({ code: 0 });
    await browser.open(pathToFileURL(join(place.cwd, 'page.html')).href);
    await until(`document.querySelector('article.rendered')`);
  }

  /** Nothing was loaded but the page, nothing was complained about, nothing asked. */
  function expectQuiet() {
    const requests = browser.events
      .filter(({ method }) => method === 'Network.requestWillBeSent')
      .map(({ params }) => (params as { request: { url: string } }).request.url);
    expect(requests.filter((url) => !url.startsWith('data:image/'))).toEqual([
      expect.stringMatching(/^file:.*page\.html/),
    ]);
    const noise =
      /^(Runtime\.(consoleAPICalled|exceptionThrown)|Log\.entryAdded|Page\.javascriptDialogOpening|Page\.windowOpen)$/;
    expect(browser.events.filter(({ method }) => noise.test(method))).toEqual([]);
  }

  async function place() {
    return { home: await temporaryDirectory('robota-home'), cwd: await temporaryDirectory() };
  }

  it('shows prompts, answers, thinking, tools with their colours and differences, images and charts', async () => {
    const where = await place();
    await openPage(await tellStory(where.home, where.cwd), where);
    await expect.poll(() => textOf('#bar h1')).toBe('Lost last line');
    await expect.poll(() => textOf('.facts')).toContain(where.cwd);
    await expect
      .poll(() => textOf('.cards'))
      .toMatch(
        /\$0\.18[\s\S]*4 model calls[\s\S]*62k[\s\S]*61,720[\s\S]*67% cached[\s\S]*anthropic\/claude-opus-4-5/,
      );
    await expect.poll(() => textOf('article.prompt')).toContain('Why does the parser lose the last line?');
    await expect.poll(() => browser.evaluate('document.querySelector("img.picture").naturalWidth')).toBe(5);
    await browser.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`);
    await until(`document.querySelector('details.thinking .fold-content')`);
    await expect.poll(() => textOf('.thinking strong')).toBe('without');
    await expect.poll(() => textOf('.call.failed')).toContain('exit code 1');
    await expect.poll(() => textOf('.call.failed .fg1.bold')).toBe('✗ keeps the last line');
    await expect
      .poll(() =>
        browser.evaluate(
          `[...document.querySelectorAll('.call.failed .output span')].map((one) => one.style.color).filter(Boolean)`,
        ),
      )
      .toEqual(['rgb(255, 135, 0)', 'rgb(120, 80, 255)']);
    await expect.poll(() => count('.diff .added')).toBe(3);
    await expect.poll(() => textOf('.call .count.added')).toBe('+3');
    await expect.poll(() => textOf('.call .count.removed')).toBe('−2');
    await expect.poll(() => textOf('.diff .removed .code-keyword')).toBe('return');
    await expect.poll(() => textOf('.diff .added .code-function')).toBe('split');
    await expect.poll(() => textOf('.diff .removed .word')).toBe('text');
    await expect.poll(() => textOf('.diff .gap .text')).toBe('23 unchanged lines');
    await expect.poll(() => textOf('.diff .gap:last-child .text')).toBe('⊣ no newline at end of file');
    await expect.poll(() => textOf('.diff .removed .text')).toBe('  return text.split("\\n").slice(0, -1);');
    await expect.poll(() => count('.markdown table td')).toBe(6);
    await expect
      .poll(() => browser.evaluate(`(({ href, rel }) => [href, rel])(document.querySelector('.markdown a'))`))
      .toEqual(['https://example.com/manual', 'noopener noreferrer nofollow']);
    await expect.poll(() => count('.charts svg')).toBe(2);
    await expect.poll(() => count('.charts rect.bar')).toBe(3 * 4 + 3);
    await expect.poll(() => count('.charts polyline')).toBe(1);
    expectQuiet();
  });

  it('shows each branch of the tree, by mouse and by keyboard', async () => {
    proves('P-21');
    const where = await place();
    await openPage(await tellStory(where.home, where.cwd), where);
    await expect.poll(() => textOf('#tree h2')).toMatch(/^2 branches$/i);
    await expect.poll(() => textOf('#conversation')).toContain('On the second way');
    const other = `[...document.querySelectorAll('.waypoint')].find((one) => one.textContent.includes('Windows'))`;
    await expect.poll(() => browser.evaluate(`${other}.classList.contains('shown')`)).toBe(false);
    await browser.evaluate(`${other}.focus()`);
    await browser.press('Enter');
    await until(`document.querySelector('#conversation').textContent.includes('On the first way')`);
    expect(await textOf('#conversation')).not.toContain('On the second way');
    await expect.poll(() => browser.evaluate(`${other}.classList.contains('shown')`)).toBe(true);
    const second = `[...document.querySelectorAll('.waypoint')].find((one) => one.textContent.includes('Rather'))`;
    await browser.evaluate(`${second}.click()`);
    await until(`document.querySelector('#conversation').textContent.includes('On the second way')`);
    expectQuiet();
  });

  it('finds text also where it is folded, counts it and marks it', async () => {
    const where = await place();
    await openPage(await tellStory(where.home, where.cwd), where);
    await browser.press('/', '/');
    await expect.poll(() => browser.evaluate('document.activeElement.id')).toBe('search');
    await browser.send('Input.insertText', { text: 'KEEPS the last' });
    await until(`document.querySelector('.search-status').textContent !== ''`);
    await expect.poll(() => textOf('.search-status')).toMatch(/^1 match$/);
    await browser.press('Enter');
    await until(`document.querySelector('.call.failed[open] mark')`);
    await expect.poll(() => textOf('.call.failed mark')).toBe('keeps the last');
    await browser.evaluate(
      `(() => { const input = document.querySelector('#search'); input.value = 'way'; input.dispatchEvent(new Event('input')); })()`,
    );
    await until(`document.querySelector('.search-status').textContent.includes('other branches')`);
    await expect.poll(() => textOf('.search-status')).toBe('1 match, 1 on other branches');
    await browser.evaluate(
      `(() => { const input = document.querySelector('#search'); input.value = '(.*[no'; input.dispatchEvent(new Event('input')); })()`,
    );
    await until(`document.querySelector('.search-status').textContent === 'No match'`);
    await expect.poll(() => count('mark')).toBe(0);
    expectQuiet();
  });

  it('shows each call in its state, invisible characters, what is missing, and finds each text once', async () => {
    const where = await place();
    const story = await Storyteller.begin(where.home, where.cwd);
    await story.ask('Change it');
    const edit = { file_path: 'cart.ts', old_string: 'zebra', new_string: 'quagga' };
    const names = ['denied', 'failed', 'lost', 'done'] as const;
    await story.answer(names.map((id) => call(id, 'Edit', edit)));
    await story.result('denied', 'Permission denied.', { status: 'denied' });
    await story.result('failed', 'not found', { status: 'error' });
    await story.result('done', 'ok', {});
    const hidden = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /[\p{Default_Ignorable_Code_Point}\p{Z}]/u.test(character) && character !== ' ');
    const content = hidden.map((character) => `a${character}b`).join('\n');
    await story.answer([
      call('write', 'Write', { file_path: 'x.txt', content }),
      call('big', 'Bash', { command: 'make zebra' }),
      call('back', 'Bash', { command: 'npm start' }),
      call('plan', 'ExitPlanMode', { plan: '1. Zebra' }),
    ]);
    await story.result('write', 'ok', {});
    const omitted = { lines: 900, note: 'full text in /tmp/out.txt' };
    const display = {
      kind: 'terminal',
      command: 'make zebra',
      output: 'a zebra',
      exitCode: 0,
      omitted,
    } as const;
    await story.result('big', 'a zebra', { display });
    await story.result('back', 'moved', { display: { kind: 'text', text: 'moved', task: 'bash-1' } });
    await story.result('plan', 'no', { display: { kind: 'plan', text: '1. Zebra', outcome: 'presented' } });
    await openPage(story.handle, where);
    const states = `[...document.querySelectorAll('.call-mark')].map((mark) => mark.getAttribute('aria-label'))`;
    await expect
      .poll(() => browser.evaluate(states))
      .toEqual([
        'denied',
        'failed',
        'no result',
        'done',
        'done',
        'done',
        'in the background',
        'not approved yet',
      ]);
    await browser.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true })`);
    await until(`document.querySelectorAll('.diff').length === 2`);
    expect(await count('.call.done .count')).toBe(3);
    expect(await count('.call:not(.done) .count')).toBe(0);
    await expect.poll(() => textOf('#conversation')).toContain('900 more lines; full text in /tmp/out.txt');
    const shown = await browser.evaluate<string[]>(
      `[...document.querySelectorAll('.diff')].at(-1).querySelectorAll('.text').values().map((one) => one.textContent).toArray()`,
    );
    const split = content.split(/\r?\n/);
    for (const [index, line] of split.entries()) {
      const [character = ''] = [...line.slice(1)];
      if (line.length > 2) expect(shown[index]).toBe(`a\\u{${character.codePointAt(0)?.toString(16)}}b`);
    }
    for (const [word, matches] of [
      ['zebra', 9],
      ['quagga', 4],
    ] as const) {
      await browser.evaluate(
        `(() => { const input = document.querySelector('#search'); input.value = '${word}'; input.dispatchEvent(new Event('input')); })()`,
      );
      await expect.poll(() => textOf('.search-status')).toBe(`${matches} matches`);
      await expect.poll(() => count('mark')).toBe(matches);
    }
    expectQuiet();
  });

  it('sets tables by whole words and by their columns, tasks with a box alone, and code in colours', async () => {
    const where = await place();
    const story = await Storyteller.begin(where.home, where.cwd);
    await story.ask('Show me');
    await story.answer(markdown);
    await browser.send('Emulation.setDeviceMetricsOverride', phone);
    await openPage(story.handle, where);
    await expect.poll(() => browser.evaluate(brokenWords)).toEqual([]);
    await expect
      .poll(() =>
        browser.evaluate(
          `[...document.querySelectorAll('.markdown tbody tr:first-child td')].map((one) => getComputedStyle(one).textAlign)`,
        ),
      )
      .toEqual(['start', 'right', 'center', 'start']);
    await expect
      .poll(() =>
        browser.evaluate(
          `[...document.querySelectorAll('.markdown li')].map((one) => [getComputedStyle(one).listStyleType, one.textContent])`,
        ),
      )
      .toEqual([
        ['none', '☑ done'],
        ['none', '☐ open'],
        ['disc', 'plain'],
      ]);
    const colours = await browser.evaluate<string[]>(
      `['keyword', 'string', 'number', 'comment'].map((kind) => getComputedStyle(document.querySelector('.code-' + kind)).color)`,
    );
    expect(new Set([...colours, await browser.evaluate(`getComputedStyle(document.body).color`)]).size).toBe(
      5,
    );
    await expect.poll(() => textOf('pre.code')).toBe('const total = "12"; // in cents\nreturn total * 100;');
    await expect
      .poll(() => browser.evaluate(`document.documentElement.scrollWidth <= innerWidth`))
      .toBe(true);
    await browser.evaluate(
      `(() => { const input = document.querySelector('#search'); input.value = 'const total = "12"'; input.dispatchEvent(new Event('input')); })()`,
    );
    await until(`document.querySelector('.search-status').textContent === '1 match'`);
    await expect
      .poll(() =>
        browser.evaluate(`[...document.querySelectorAll('mark')].map((one) => one.textContent).join('')`),
      )
      .toBe('const total = "12"');
    expectQuiet();
  });

  it('hides the tree on a phone until it is asked for, and puts what only the model was given into one box', async () => {
    const where = await place();
    await browser.send('Emulation.setDeviceMetricsOverride', phone);
    const story = await Storyteller.begin(where.home, where.cwd);
    await story.ask('Hello', '<system-reminder>\nFrom a hook\n</system-reminder>');
    const { handle } = story;
    const reminder = createMessage(
      { role: 'user', content: [{ type: 'text', text: 'Only for the model' }], origin: 'reminder' },
      null,
    );
    await handle.append({ type: 'message', message: reminder });
    await openPage(handle, where);
    const display = () => browser.evaluate(`getComputedStyle(document.querySelector('#tree')).display`);
    await expect.poll(display).toBe('none');
    await browser.evaluate(`document.querySelector('.tree-toggle').click()`);
    await expect.poll(display).toBe('block');
    await expect.poll(() => textOf('article .other-fold summary')).toBe('Context given to the model');
    await expect.poll(() => textOf('article .prompt-text')).toBe('Hello');
    expect(await textOf('#tree')).not.toContain('reminder');
    await expect.poll(() => count('article .other-fold')).toBe(2);
    await expect
      .poll(() =>
        browser.evaluate(
          `getComputedStyle(document.querySelector('.context > .other-fold').parentElement).borderTopWidth`,
        ),
      )
      .toBe('0px');
    expectQuiet();
  });

  it('is light or dark as the system says, and the other on request', async () => {
    const where = await place();
    await openPage(await tellStory(where.home, where.cwd), where);
    const background = () => browser.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const prefer = (value: string) =>
      browser.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
    await prefer('light');
    const light = await background();
    await prefer('dark');
    const dark = await background();
    expect(dark).not.toBe(light);
    await browser.evaluate(`document.querySelector('.theme').click()`);
    await expect.poll(background).toBe(light);
    await browser.evaluate(`document.querySelector('.theme').click()`);
    await expect.poll(background).toBe(dark);
    await prefer('');
    expectQuiet();
  });

  it('is whole on paper', async () => {
    const where = await place();
    await openPage(await tellStory(where.home, where.cwd), where);
    await browser.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
    await expect.poll(() => count('article:not(.rendered)')).toBe(0);
    await expect.poll(() => count('details:not([open])')).toBe(0);
    expectQuiet();
  });

  it('opens a long session at once and makes what is read', async () => {
    const where = await place();
    const story = await Storyteller.begin(where.home, where.cwd);
    const long = 'A line of output that goes on for a while.\n'.repeat(400);
    for (let turn = 0; turn < 400; turn++) {
      await story.ask(`Question number ${turn}`);
      await story.answer([
        { type: 'text', text: `Answer number ${turn}` },
        call(`c${turn}`, 'Bash', { command: 'ls' }),
      ]);
      await story.result(`c${turn}`, turn === 321 ? `${long}needle in it` : long);
    }
    await openPage(story.handle, where);
    await expect.poll(() => count('article')).toBe(800);
    expect(await count('article.rendered')).toBeLessThan(100);
    expect(await count('.charts g.turn')).toBeLessThanOrEqual(240);
    await browser.evaluate(
      `(() => { const input = document.querySelector('#search'); input.value = 'needle'; input.dispatchEvent(new Event('input')); })()`,
    );
    await until(`document.querySelector('.search-status').textContent === '1 match'`);
    await browser.evaluate(`document.querySelector('#search').focus()`);
    await browser.press('Enter');
    await until(`document.querySelector('mark')`);
    await expect.poll(() => textOf('article:has(mark)')).toContain('Answer number 321');
    expectQuiet();
  });

  it('never runs or loads what a session says, wherever it says it', async () => {
    const where = await place();
    const story = await Storyteller.begin(where.home, where.cwd);
    for (const attack of attacks) {
      await story.ask(attack);
      await story.answer([
        { type: 'thinking', text: attack },
        { type: 'text', text: attack },
        {
          type: 'text',
          text: `[click](${attack}) ![x](${attack}) <${attack}> | ${attack} |\n|---|---|\n| ${attack} |`,
        },
        { type: 'text', text: `\`\`\`${attack}\n${attack}\n\`\`\`` },
        { type: 'server-tool', phase: 'call', id: 's', name: attack, summary: attack, vendorData: null },
        call(`id-${attack}`, attack, { [attack]: attack, file_path: attack, command: attack }),
        call(`edit-${attack}`, 'Edit', { file_path: attack, old_string: attack, new_string: `${attack}!` }),
      ]);
      await story.result(`id-${attack}`, `\u001b[31m${attack}\u001b]8;;${attack}\u0007${attack}`, {
        status: 'error',
      });
      await story.result(`edit-${attack}`, attack, {
        display: { kind: 'diff', path: attack, lines: [{ kind: 'added', text: attack }] },
      });
      await story.ask({
        type: 'image',
        mimeType: `image/svg+xml`,
        data: Buffer.from(attack).toString('base64'),
      });
      await story.ask({ type: 'image', mimeType: attack, data: attack });
    }
    const { handle } = story;
    const nasty = attacks.join(' ');
    await handle.append({ type: 'model_change', provider: nasty, modelId: nasty });
    await handle.append({ type: 'custom', customType: nasty, data: { [nasty]: nasty } });
    await handle.setLabel(handle.leafId ?? '', nasty);
    await handle.setName(nasty);
    await handle.flush();
    await openPage(handle, where);
    await browser.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
    expect(await browser.evaluate('typeof window.pwned')).toBe('undefined');
    await expect
      .poll(() =>
        count(
          'script, iframe, object, embed, link, base, form, [onerror], [onload], [onclick], [style*="url"]',
        ),
      )
      .toBe(1);
    await expect.poll(() => count('a:not([href^="http"]):not([href^="mailto"]):not(.skip)')).toBe(0);
    await expect.poll(() => count('img:not([src^="data:image/png"])')).toBe(0);
    await expect.poll(() => count('svg svg, foreignObject, animate, set')).toBe(0);
    await expect.poll(() => textOf('#conversation')).toContain('<img src=x onerror=pwned=1>');
    await browser.evaluate(`document.querySelectorAll('button, summary').forEach((one) => one.click())`);
    expect(await browser.evaluate('typeof window.pwned')).toBe('undefined');
    expectQuiet();
  });

  it('has a policy that would stop a script even if one came in', async () => {
    const where = await place();
    await openPage(await tellStory(where.home, where.cwd), where);
    await expect.poll(() => count('meta[http-equiv="Content-Security-Policy"]')).toBe(1);
    await browser.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.pwned = 1';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x.png" onerror="window.pwned = 2">');
      document.body.insertAdjacentHTML('beforeend', '<button id="bad" onclick="window.pwned = 3">x</button>');
      document.querySelector('#bad').click();
    })()`);
    expect(await browser.evaluate('typeof window.pwned')).toBe('undefined');
    const sent = browser.events.filter(({ method }) => method === 'Network.responseReceived');
    expect(JSON.stringify(sent)).not.toContain('evil.example');
  });
});

const desktop = { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false };
const phone = { width: 390, height: 800, deviceScaleFactor: 1, mobile: true };

const markdown = `| file | lines | subtotal | remark |
|---|--:|:-:|---|
| src/parser/readline.ts | 1204 | 12 | a long remark that goes over several rows |

- [x] done
- [ ] open
- plain

\`\`\`ts
const total = "12"; // in cents
return total * 100;
\`\`\``;

/** Words of table cells that stand on more than one row. */
const brokenWords = `[...document.querySelectorAll('.markdown th, .markdown td')].flatMap((cell) => {
  const node = cell.firstChild;
  return [...node.data.matchAll(/[^ ]+/g)].filter(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(([word]) => word);
})`;

const attacks = [
  '<img src=x onerror=pwned=1>',
  '</script><script>pwned=1</script>',
  '<!--<script>pwned=1//-->',
  '</textarea></title></style><svg onload=pwned=1>',
  '"><svg/onload=pwned=1>',
  "' onmouseover='pwned=1",
  'javascript:pwned=1',
  'JaVaScRiPt:pwned=1',
  'data:text/html,<script>pwned=1</script>',
  '<a href="javascript:pwned=1">x</a>',
  '<svg xmlns="http://www.w3.org/2000/svg"><script>pwned=1</script></svg>',
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '{{constructor.constructor("pwned=1")()}}',
  `\${pwned=1}`,
  '__proto__',
  '\u2028pwned=1\u2029',
  '\u001b]8;;javascript:pwned=1\u0007link\u001b]8;;\u0007',
  '&lt;script&gt;pwned=1&lt;/script&gt;',
  ']]><script>pwned=1</script>',
];
