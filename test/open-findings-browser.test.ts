import { userPaths } from '@robota-sdk/agent-sdk/front-end';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type FleetTask, writeFleet } from '../packages/agent-web/src/fixtures/write-fleet.ts';
import { findChromium } from './chromium.ts';
import { makeWebFixture, type WebFixture } from './fixtures/web/make-web-fixture.ts';
import { serveFixture, WebPage } from './web-browser.ts';
import { answerEvent, commandQuestion, WebPageStage } from './web-page-stage.ts';

const count = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)}).length`;
const text = (selector: string) => `(document.querySelector(${JSON.stringify(selector)})?.innerText ?? '')`;

describe.skipIf(findChromium() === undefined)('the page of robota web', () => {
  const stage = new WebPageStage();
  let page: WebPage;
  let fixture: WebFixture;
  let server: Awaited<ReturnType<typeof serveFixture>>;

  beforeAll(async () => {
    await stage.open();
    fixture = await makeWebFixture();
    server = await serveFixture(fixture);
    page = await WebPage.open(stage.address());
    await page.until(count('[data-card]'));
  });
  afterAll(async () => {
    await page?.close();
    await server?.close();
    await stage.close();
  });

  let cases = 0;
  /** An idle session with an empty composer that has the focus. */
  const openSession = async (changes: Parameters<WebPageStage['change']>[0] = {}) => {
    await page.show('/s/run');
    await page.until(count('#composer'));
    cases += 1;
    const title = `Case number ${cases}`;
    stage.change({ title, runningSince: undefined as never, questions: [], ...changes });
    await page.until(`document.querySelector('h1, .top-title')?.innerText.includes('${title}')`);
    await page.value(`document.getElementById('composer').focus()`);
    stage.changes.length = 0;
  };
  const composer = () => page.value<string>(`document.getElementById('composer')?.value ?? ''`);
  const focused = () => page.value<string>('document.activeElement.id || document.activeElement.tagName');

  describe('a session in it', () => {
    beforeEach(async () => {
      await page.look({ width: 1440, height: 900 });
      await page.show('/');
      await page.until(count('[data-card]'));
    });

    stillOpen('opens a question by the key that is shown, though the empty composer has the focus', {
      observe: async () => {
        await openSession({ runningSince: 1, questions: [commandQuestion('q')] });
        await page.until(`document.body.innerText.includes('1 question')`);
        await page.press('a');
        const outcome = { typed: await composer(), path: await page.value<string>('location.pathname') };
        // The draft of a session is kept.
        await page.value(`document.execCommand('selectAll')`);
        await page.value(`document.execCommand('delete')`);
        return outcome;
      },
      today: { typed: 'a', path: '/s/run' },
      wanted: ({ typed, path }) => expect({ typed, path }).toEqual({ typed: '', path: '/s/run/question' }),
    });

    stillOpen('lets Escape leave an empty composer when nothing runs', {
      observe: async () => {
        await openSession();
        await page.press('Escape', 'Escape', 'Escape');
        return focused();
      },
      today: 'composer',
      wanted: (element) => expect(element).not.toBe('composer'),
    });

    stillOpen('moves the focus by Escape and Shift+Tab, as its documentation says, and changes no mode', {
      observe: async () => {
        await openSession();
        await page.press('Escape', 'shift+Tab');
        while ((await focused()) === 'composer' && stage.changes.length === 0);
        return { focused: await focused(), asked: stage.changes.map(({ path }) => path) };
      },
      today: { focused: 'composer', asked: ['/api/sessions/run/mode'] },
      wanted: ({ focused: element, asked }) => {
        expect(element).not.toBe('composer');
        expect(asked).toEqual([]);
      },
    });

    stillOpen('does not read a long block of code aloud', {
      observe: async () => {
        await openSession({ runningSince: 1 });
        const code = Array.from({ length: 400 }, (_, index) => `const line${index} = ${index};`).join('\n');
        const text = `\`\`\`ts\n${code}\n\`\`\`\n\nEnd`;
        stage.push({ type: 'event', event: { type: 'text-delta', text } });
        const heard = `(document.querySelector('.transcript [aria-live=polite]')?.textContent ?? '')`;
        await page.until(`${heard} !== ''`);
        const spoken = await page.value<string>(heard);
        stage.push(answerEvent('e9', 'e4', 'The whole answer.'));
        return { hasFirst: spoken.includes('line0 ='), hasLast: spoken.includes('line399 =') };
      },
      today: { hasFirst: true, hasLast: true },
      wanted: ({ hasLast }) => expect(hasLast).toBe(false),
    });
  });

  describe('the fleet in it', () => {
    beforeAll(async () => {
      await page.browser.open(server.createAddress());
      await page.until(count('.rail'));
    });
    const now = Date.now();
    const showFleet = async (tasks: readonly FleetTask[]) => {
      await page.look({ width: 1440, height: 900 });
      await writeFleet(userPaths(fixture.place.host).data, { now, tasks });
      await page.show('/usage');
      await page.until(count('.usage'));
      await page.show('/fleet');
      await page.until(count('.fleet'));
    };
    const done = (id: string): FleetTask => ({
      id,
      state: 'done',
      activity: 'waiting for the model',
      startedAt: new Date(now - 1000).toISOString(),
      endedAt: new Date(now).toISOString(),
    });

    stillOpen('answers by the key that a row shows, though no row was chosen', {
      observe: async () => {
        const question = {
          hash: 'abc',
          tool: 'Bash',
          text: 'Bash(rm -r tmp)',
          askedAt: new Date(now).toISOString(),
        };
        await showFleet([{ id: 't-1', state: 'parked', question }]);
        await page.until(`${text('#task-t-1')}.includes('Answer')`);
        await page.press('a');
        const afterOne = await page.value<number>(count('.task-question'));
        await page.press('j', 'a');
        await page.until(count('.task-question'));
        return afterOne;
      },
      today: 0,
      wanted: (questions) => expect(questions).toBe(1),
    });

    stillOpen('shows no last step on the row of a task that is done', {
      observe: async () => {
        await showFleet([done('t-1')]);
        await page.until(count('#task-t-1'));
        return page.value<string>(text('#task-t-1 .task-activity'));
      },
      today: 'waiting for the model',
      wanted: (shown) => expect(shown).not.toContain('waiting for the model'),
    });

    stillOpen('counts nothing as delivered that had nothing to deliver', {
      observe: async () => {
        await showFleet([done('t-1')]);
        await page.until(`document.body.innerText.includes('Finished today')`);
        return page.value<boolean>(`document.body.innerText.includes('1 delivered')`);
      },
      today: true,
      wanted: (isCounted) => expect(isCounted).toBe(false),
    });

    stillOpen('does not name ended tasks as a part of the queue', {
      observe: async () => {
        await showFleet([
          ...Array.from({ length: 40 }, (_, index) => done(`t-${100 + index}`)),
          { id: 't-900', state: 'queued' },
        ]);
        await page.until(`${text('[aria-label=Queue]')}.includes('t-900')`);
        return page
          .value<string>(text('[aria-label=Queue] header'))
          .then((shown) => shown.split('\n').join(' '));
      },
      today: (shown) => expect(shown).toContain('10 more tasks'),
      wanted: (shown) => expect(shown).not.toContain('more tasks'),
    });
  });

  describe('a review on a phone', () => {
    stillOpen('gives each line of code only the height that its text needs', {
      observe: async () => {
        await page.look({ width: 390, height: 844 });
        await page.show(`/s/${fixture.reviewed}/review`);
        await page.until(
          `[...${all('.review-line.context')}].some((line) => line.innerText.match(/^\\d\\d/))`,
        );
        const heights = await page.value<number[]>(
          `[...${all('.review-line.context')}].filter((line) => line.querySelector('.review-code').innerText.length < 12).map((line) => Math.round(line.getBoundingClientRect().height))`,
        );
        return { lines: new Set(heights).size > 0, isEven: Math.max(...heights) === Math.min(...heights) };
      },
      today: { lines: true, isEven: false },
      wanted: ({ isEven }) => expect(isEven).toBe(true),
    });
  });

  describe('a prompt in it', () => {
    stillOpen('shows no file from outside of the project without --shell', {
      observe: async () => {
        const folder = fixture.projects.get('docs') ?? '';
        const { id } = await page.send<{ id: string }>('/api/sessions', { cwd: folder, prompt: 'Hello.' });
        await page.send(`/api/sessions/${id}/prompt`, { text: '@/etc/passwd look', as: 'prompt' });
        const sent = () => server.requests.map((each) => JSON.stringify(each)).join('\n');
        await expect.poll(sent).toContain('passwd look');
        return sent().includes('root:x:0:0');
      },
      today: true,
      wanted: (isShown) => expect(isShown).toBe(false),
    });
  });
});

const all = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)})`;
