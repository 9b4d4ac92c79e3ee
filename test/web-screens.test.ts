import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { readUsage, usageCsv, usageReport } from '@robota-sdk/agent-usage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from './chromium.ts';
import { makeWebFixture, type WebFixture } from './fixtures/web/make-web-fixture.ts';
import { serveFixture, WebPage } from './web-browser.ts';

const text = (selector: string) => `(document.querySelector(${JSON.stringify(selector)})?.innerText ?? '')`;
const count = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)}).length`;

describe.skipIf(findChromium() === undefined)('review, usage and fleet in a browser', () => {
  let fixture: WebFixture;
  let server: Awaited<ReturnType<typeof serveFixture>>;
  let page: WebPage;

  beforeAll(async () => {
    fixture = await makeWebFixture();
    server = await serveFixture(fixture);
    page = await WebPage.open(server.createAddress());
    await page.until(count('.rail'));
  });

  afterAll(async () => {
    await page?.close();
    await server?.close();
  });

  const shop = (name: string) => readFile(join(fixture.projects.get('shop') ?? '', name), 'utf8');
  const openReview = async (id = fixture.reviewed) => {
    await page.show(`/s/${id}/review`);
    await page.until(count('.review-line'));
  };

  it('decides hunks with keys alone, and writes what was taken back', async () => {
    await page.look({ width: 1440, height: 900 });
    await openReview();
    await expect.poll(() => page.value(text('.top-title'))).toContain('6 hunks in 5 files');
    await page.press('y');
    await page.until(`${count('.review-kept')} === 1`);
    await page.press('J');
    await page.until(`${text('.review-files [aria-current]')}.includes('cart.ts')`);
    await page.press('j', 'u');
    await page.until(`${count('.review-gone')} === 1`);
    await expect.poll(() => shop('src/cart.ts')).toContain('return line.unit * line.quantity;');
    await expect.poll(() => page.value(text('.review-progress'))).toContain('2 of 6 hunks decided');
    await page.press('u');
    await page.until(`${count('.review-gone')} === 0`);
    await expect.poll(() => shop('src/cart.ts')).toContain('line.discount');
    await page.press('s');
    await page.until(count('.review-pair'));
    await page.press('s');
    await page.until(`${count('.review-pair')} === 0`);
  });

  it('comments on lines and sends all drafts as one message', async () => {
    await openReview();
    await page.until(`document.activeElement?.tagName !== 'TEXTAREA'`);
    await page.value(`document.querySelector('.review-files a[title="src/cart.ts"]').click()`);
    await page.until(`document.activeElement?.closest('.review-hunk')`);
    await page.press('ArrowDown', 'v', 'j', 'j', 'j', 'j', 'Enter');
    await page.until(`document.activeElement?.tagName === 'TEXTAREA'`);
    await page.type('Name this `rounded`: it holds prices.');
    await page.press('ctrl+Enter');
    await page.until(`${text('.review-comment-text')}.includes('rounded')`);
    await expect.poll(() => page.value(text('.review-comment'))).toContain('lines 2–5');
    await page.press('J');
    await page.until(`${text('.review-files [aria-current]')}.includes('round.ts')`);
    await page.press('Enter');
    await page.until(`document.activeElement?.tagName === 'TEXTAREA'`);
    await page.until(`(() => {
        const { top, bottom } = document.querySelector('.review-comment-open').getBoundingClientRect();
        return top >= 56 && bottom <= document.querySelector('.review-send').getBoundingClientRect().top;
      })()`);
    await page.type('Please add a test.');
    // It is a draft before it is kept.
    await page.until(`${text('.review-comment-open [role=status]')} === 'saved'`);
    await page.press('Escape');
    await page.until(`${count('.review-comment-text')} === 1`);
    await page.press('Enter');
    await page.until(`document.activeElement?.tagName === 'TEXTAREA'`);
    await page.type('Does this hold for returns?');
    await page.press('ctrl+Enter');
    await page.until(`${text('.review-send')}.includes('2 draft comments')`);
    await page.press('ctrl+shift+Enter');
    await page.until(count('.review-sent'));
    await page.until(`(() => {
        const { top, bottom } = document.querySelector('.review-sent').getBoundingClientRect();
        return top >= 56 && bottom <= innerHeight;
      })()`);
    const sent = () =>
      server.requests.map((each) => JSON.stringify(each)).filter((each) => each.includes('returns?'));
    await expect.poll(sent).toHaveLength(1);
    expect(sent()[0]).toContain('src/cart.ts:2-5\\n> import { roundLine }');
    expect(sent()[0]).toContain('src/round.ts:1\\n> import type { Money }');
    await expect.poll(() => page.value(count('.review-send'))).toBe(0);
  });

  it('says that a file moved on instead of losing a change', async () => {
    await openReview();
    const path = join(fixture.projects.get('shop') ?? '', 'test/orders.test.ts');
    const before = await readFile(path, 'utf8');
    await writeFile(path, `${before}// mine\n`);
    await page.value(`document.querySelector('.review-files a[title="test/orders.test.ts"]').click()`);
    await page.until(`document.activeElement?.closest('.review-hunk')?.ariaLabel.startsWith('test/orders')`);
    await page.press('u');
    await page.until(`${text('.review-note')}.includes('changed since')`);
    expect(await readFile(path, 'utf8')).toContain('// mine');
    await page.value(`document.querySelector('.review-note button').click()`);
    await page.until(`${count('.review-note')} === 0`);
    await page.until(`document.body.innerText.includes('// mine')`);
    await writeFile(path, before);
  });

  it('draws no more of a diff of 10,000 lines than of a small one', async () => {
    const folder = fixture.projects.get('scripts') ?? '';
    const lines = Array.from({ length: 10_000 }, (_, index) => `const line${index} = ${index};`);
    await writeFile(join(folder, 'large.ts'), `${lines.join('\n')}\n`);
    const store = new JsonlSessionStore({ home: userPaths(fixture.place.host).data });
    const id = (await store.list({ cwd: folder }))[0]?.id ?? '';
    await page.show('/usage');
    await page.until(count('.usage'));
    await openReview(id);
    await expect.poll(() => page.value<string>(text('.top-title'))).toContain('1 hunk in 1 file');
    expect(await page.value<number>(count('.review-line'))).toBeLessThanOrEqual(300);
    await expect
      .poll(() => page.value<number>('document.documentElement.scrollHeight'))
      .toBeGreaterThan(190_000);
    await page.value('scrollTo(0, document.documentElement.scrollHeight)');
    await page.until(`document.body.innerText.includes('line9999 = 9999')`);
    expect(await page.value<number>(count('.review-line'))).toBeLessThanOrEqual(600);
    execFileSync('rm', [join(folder, 'large.ts')]);
  });

  it('shows the usage of robota usage, by day and as tables, and exports it', async () => {
    await page.show('/usage');
    await page.until(`document.querySelectorAll('.figure').length === 4`);
    const { root } = userPaths(fixture.place.host);
    const facts = readUsage(root).sessions;
    const range = await page.value<string>(text('.usage > p code'));
    const since = range.split(' ').at(-1) ?? '';
    const total = usageReport(facts, { since }).rows[0];
    await expect.poll(() => page.value(text('.figure-value'))).toBe(`$${total?.cost.toFixed(2)}`);
    await page.press('ArrowLeft');
    await page.until(count('.plot-tooltip'));
    await expect.poll(() => page.value(text('.usage [role=status]'))).toContain('sonnet-4-6 $');
    for (const by of ['project', 'model', 'tool', 'agent']) {
      const costs = usageReport(facts, { since })
        .rows.filter((row) => row.by === by && !row.name.startsWith('('))
        .map(({ cost }) => (cost > 0 ? `$${cost.toFixed(2)}` : '–'));
      const shown = `[...document.querySelectorAll('.usage-ranks')].find((each) => each.innerText.startsWith('By ${by}'))`;
      const values = `[...${shown}.querySelectorAll('li > :nth-child(2)')].map((each) => each.innerText)`;
      await expect.poll(() => page.value(values)).toEqual(costs.slice(0, 5));
    }
    await expect.poll(() => page.value(text('.usage-budgets'))).toContain('of $15.00');
    await page.press('t');
    await page.until(`${count('.plot-table')} === 2`);
    expect(await page.value(count('.plot-table:first-of-type tbody tr'))).toBeGreaterThanOrEqual(30);
    await page.press('t', '1');
    await page.until(`${text('[aria-label="Range"] [aria-pressed=true]')} === '7 d'`);
    await page.until(`${text('.usage > p code')} !== ${JSON.stringify(range)}`);
    const downloads = await mkdtemp(join(tmpdir(), 'robota-csv-'));
    await page.browser.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: downloads });
    await page.press('2');
    await page.until(`${text('.usage > p code')} === ${JSON.stringify(range)}`);
    await page.press('e');
    await expect
      .poll(async () => (await readdir(downloads)).filter((name) => name.endsWith('.csv')))
      .toHaveLength(1);
    const [file = ''] = await readdir(downloads);
    const until = file.slice(-14, -4);
    const csv = usageCsv(usageReport(facts, { since, until }).rows);
    await expect.poll(() => readFile(join(downloads, file), 'utf8')).toBe(csv);
  });

  it('answers, stops and retries tasks of the fleet with keys', async () => {
    await page.show('/fleet');
    await page.until(count('.fleet'));
    await page.press('j', 'a');
    await page.until(`${text('.answer-call')}.includes('rm -r public/uploads/tmp')`);
    // The question stands below its task, not above everything; no yes is chosen first, and Escape returns to the task.
    await expect.poll(() => page.value(count('dialog'))).toBe(0);
    await expect
      .poll(() => page.value(`document.querySelector('.answer input:checked + * + *').innerText`))
      .toContain('Deny');
    await page.until(`document.activeElement?.matches('.task-question')`);
    // Keys count half a second after the question came.
    while (await page.value(count('.task-question'))) await page.press('Escape');
    await page.until(`document.activeElement?.id === 'task-t-116'`);
    await page.press('a');
    await page.until(count('.task-question'));
    await page.value(`document.querySelector('.task-question [type=submit]').click()`);
    await page.until(`${text('.fleet .data-table')}.includes('Delete orphaned images')`);
    // The same is in the menu of the row.
    await page.value(`document.querySelector('#task-t-118 .more-menu > button').click()`);
    await page.until(`document.activeElement?.innerText?.startsWith('Message')`);
    await page.press('Escape');
    await page.value(`document.querySelector('#task-t-118').focus()`);
    await page.press('m');
    await page.until(`document.activeElement?.matches('.task-message input')`);
    await page.type('Use the new clock');
    await page.press('Enter');
    await page.until(`${count('.task-message')} === 0`);
    await page.until(`document.activeElement?.id === 'task-t-118'`);
    await page.value(`document.querySelector('#task-t-112').focus()`);
    await page.press('R');
    await page.until(`${text('.fleet .data-table')}.includes('Update the payment library')`);
    await page.value(`document.querySelector('#task-t-125').focus()`);
    await page.press('x');
    await page.until(`!${text('.fleet .data-table')}.includes('Add tests for returns')`);
  });

  it('adds tasks and schedules on the page, and removes a schedule after asking', async () => {
    const add = async (key: 'n' | 's', task: string) => {
      await page.press(key);
      await page.until(`document.activeElement?.tagName === 'TEXTAREA'`);
      await page.type(task);
      await page.press('Enter');
      await page.until(`${count('dialog')} === 0`);
    };
    await add('n', 'Sort the imports');
    await page.until(`${text('.fleet .data-table')}.includes('Sort the imports')`);
    // Only where sessions may be started, and without a command.
    const refused = async (body: object) =>
      (await page.send<{ message: string }>('/api/fleet/add', { prompt: 'x', ...body })).message;
    expect(await refused({ repo: '/' })).toContain('directories that you have used before');
    const repo = fixture.projects.get('shop') ?? '';
    expect(await refused({ repo, check: 'touch pwned' })).toContain('Commands as checks are off');
    await add('s', 'Look for dead links');
    await page.until(`${text('[aria-label=Schedules]')}.includes('Look for dead links')`);
    await expect.poll(() => page.value(text('[aria-label=Schedules]'))).toContain('Every day at 02:00');
    await page.value(`document.querySelector('[aria-label="Remove Look for dead links"]').click()`);
    await page.until(count('dialog'));
    await page.value(`document.querySelector('dialog .button-primary').click()`);
    await page.until(`!${text('[aria-label=Schedules]')}.includes('Look for dead links')`);
  });

  const paths = () => ({
    review: [`/s/${fixture.reviewed}/review`, '.review-line'],
    usage: ['/usage', '.usage'],
    fleet: ['/fleet', '.fleet'],
    task: ['/tasks/t-109/review', '.review-line'],
  });

  it('fits phones and 200 % zoom without scrolling sideways, with controls large enough to touch', async () => {
    for (const [path = '', selector = ''] of Object.values(paths()))
      for (const width of [320, 390, 720, 1024]) {
        await page.look({ width, height: 844 });
        await page.show(path);
        await page.until(count(selector));
        const wide = await page.value<number>('document.documentElement.scrollWidth');
        expect(wide, `${path} at ${width}`).toBeLessThanOrEqual(width);
        await expect.poll(() => page.unnamed(), { message: `${path} at ${width}` }).toEqual([]);
        // The keys of the screen cover no bar above them.
        const hints = await page.value<number>(
          `document.querySelector('.key-hints')?.getBoundingClientRect().height ?? 0`,
        );
        expect(hints, `${path} at ${width}`).toBeLessThanOrEqual(40);
        if (width >= 640) continue;
        const small = await page.value<string[]>(
          `[...document.querySelectorAll('.button, select, .segmented button')].filter((each) => each.offsetParent).flatMap((each) => each.getBoundingClientRect().height < 36 ? each.outerHTML.slice(0, 90) : [])`,
        );
        expect(small, path).toEqual([]);
      }
  });

  it('cuts no name of a task where the panels leave little room', async () => {
    await page.look({ width: 1024, height: 900 });
    await page.show('/fleet');
    await page.until(count('.task-row'));
    const cut = `[...document.querySelectorAll('.task-name b')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)`;
    expect(await page.value(cut)).toEqual([]);
  });

  it('gives everything a name, moves nothing where motion is unwanted, and breaks no rule of the policy', async () => {
    await page.look({ width: 1440, height: 900 });
    for (const [path = '', selector = ''] of Object.values(paths())) {
      await page.show(path);
      await page.until(count(selector));
      await expect.poll(() => page.unnamed(), { message: path }).toEqual([]);
      const still = `document.getAnimations().filter((each) => each.playState === 'running').length`;
      await expect.poll(() => page.value<number>(still)).toBe(0);
    }
    await page.show('/usage');
    await page.until(count('.usage'));
    const spoken = (await page.spoken()).join('\n');
    expect(spoken).toMatch(/image Cost by day, stacked by model\. Highest: \$1\d\.\d\d on \d+ \w+\./);
    expect(spoken).toContain('image Cached share by day, between 54% and 90%.');
    // Forced colours leave series their patterns, and changed words and chosen lines their lines.
    const forced = [{ name: 'forced-colors', value: 'active' }];
    await page.browser.send('Emulation.setEmulatedMedia', { features: forced });
    const look = (selector: string, name: string) =>
      page.value<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`);
    await expect.poll(() => look('.plot .series-2', 'fill')).toContain('#hatch-2');
    expect(await look('.plot .series-1', 'fill')).not.toBe(await look('.plot .series-4', 'fill'));
    await openReview();
    await expect.poll(() => look('.review-code .word', 'textDecorationLine')).toBe('underline');
    await page.press('ArrowDown', 'v');
    await page.until(count('.review-line.chosen'));
    await expect.poll(() => look('.review-line.chosen', 'outlineStyle')).toBe('solid');
    expect(await look('.segmented [aria-pressed=true]', 'backgroundColor')).not.toBe(
      await look('.segmented [aria-pressed=false]', 'backgroundColor'),
    );
    await page.show(`/s/${fixture.reviewed}`);
    await page.until(count('.bubble-text'));
    expect(await look('.bubble-text', 'borderTopStyle')).toBe('solid');
    await openReview();
    await page.look({ width: 1440, height: 900 });
    expect((await page.spoken()).join('\n')).toMatch(/region src\/cart\.ts, hunk 1 of 2, total, /);
    const complaints = page.browser.events.filter(
      ({ method, params }) =>
        method === 'Runtime.exceptionThrown' ||
        (method === 'Log.entryAdded' && /security|violat/i.test(JSON.stringify(params))),
    );
    expect(complaints).toEqual([]);
  });

  it('lets a browser that never was in type a code at once', async () => {
    await page.value(`localStorage.clear(); location.assign('/devices')`);
    await page.until(`document.activeElement?.id === 'code'`);
    const shown = await page.value<string>('document.body.innerText');
    expect(shown).toContain('Type the code');
    expect(shown).not.toContain('no longer signed in');
  });
});
