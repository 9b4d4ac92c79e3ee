import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { Chromium, findChromium } from './chromium.ts';
import { commandQuestion, WebPageStage } from './web-page-stage.ts';

const program = findChromium();

describe.skipIf(program === undefined)('the page of robota web', () => {
  const stage = new WebPageStage();
  const { state } = stage;
  let browser: Chromium;

  beforeAll(async () => {
    await stage.open();
    browser = await Chromium.start(program ?? '');
    await browser.resize(1440, 900);
  });
  afterAll(async () => {
    await browser?.close();
    await stage.close();
  });
  beforeEach(async () => {
    stage.state = state;
    stage.status = undefined;
    stage.changes.length = 0;
    await browser.open(stage.address());
    await until(`document.querySelector('[data-card]')`);
  });

  const until = (expression: string) =>
    expect
      .poll(() => browser.evaluate<boolean>(`Boolean(${expression})`), {
        message: expression,
        timeout: 20_000,
      })
      .toBe(true);
  /** Waits for something that comes today, and that a repair prevents; or for the other way round, if given seconds. */
  const comes = async (expression: string, seconds = 10) => {
    for (let look = 0; look < seconds * 20; look++) {
      if (await browser.evaluate<boolean>(`Boolean(${expression})`)) return true;
      await browser.evaluate('new Promise((resolve) => setTimeout(resolve, 50))');
    }
    return false;
  };
  const go = (path: string) =>
    browser.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  const write = async (text: string) => {
    await browser.evaluate(`document.getElementById('composer').focus()`);
    await browser.type(text);
    await browser.press('Enter');
  };
  /** Holds the reply that the page of the session `run` waits for until `window.letGo` is called. */
  const delaySession = () =>
    browser.evaluate(`(() => {
      const reach = window.fetch;
      const gate = new Promise((resolve) => { window.letGo = resolve; });
      window.streams = [];
      window.fetch = async (path, options) => {
        if (String(path).startsWith('/api/events?')) window.streams.push(String(path).split('session=')[1]);
        const reply = await reach.call(window, path, options);
        if (path === '/api/sessions/run') { window.isHeld = true; await gate; }
        return reply;
      };
    })()`);
  /** Leaves the session `run` while it loads for `run2`, and lets the late reply in. */
  const leave = async (from: string) => {
    await delaySession();
    await go(from);
    await until('window.isHeld');
    await go('/s/run2');
    await until(`window.streams.at(-1) === 'run2' && document.querySelector('#composer')`);
    return () => browser.evaluate('window.letGo()');
  };

  stillOpen('follows the session on screen, not one that was left while it loaded', {
    observe: async () => {
      const letGo = await leave('/s/run');
      await letGo();
      await comes(`window.streams.at(-1) === 'run'`);
      return browser.evaluate<object>('({ shown: location.pathname, stream: window.streams.at(-1) })');
    },
    today: { shown: '/s/run2', stream: 'run' },
    wanted: ({ stream }: { stream?: string }) => expect(stream).toBe('run2'),
  });

  stillOpen('shows the questions of the session on screen only', {
    observe: async () => {
      const letGo = await leave('/s/run/question');
      // From now on only the stream of the session that was left tells of a question.
      stage.state = { ...state, questions: [commandQuestion('q')] };
      await letGo();
      return comes(`document.querySelector('a[href="/s/run2/question"]')`);
    },
    today: true,
    wanted: (isShown) => expect(isShown).toBe(false),
  });

  stillOpen('sends a prompt whose reply was lost so that the server can know it again', {
    observe: async () => {
      await go('/s/run');
      await until(`document.querySelector('#composer')`);
      await browser.evaluate(`(() => {
        const reach = window.fetch;
        window.fetch = async (path, options) => {
          const reply = await reach.call(window, path, options);
          if (!String(path).endsWith('/prompt')) return reply;
          window.fetch = reach;
          throw new TypeError('Failed to fetch');
        };
      })()`);
      await write('Add a page');
      const value = `document.getElementById('composer').value`;
      await until(`${value} === 'Add a page' && document.querySelector('.dock-error')`);
      await browser.press('Enter');
      await until(`${value} === ''`);
      return stage.changes.map(({ body }) => body);
    },
    today: [
      { text: 'Add a page', as: 'steer' },
      { text: 'Add a page', as: 'steer' },
    ],
    wanted: (bodies) => {
      const [id, ...others] = (bodies as readonly { readonly id?: string }[]).map((body) => body.id);
      expect(id).toBeTypeOf('string');
      expect(others).toEqual([id]);
    },
  });

  stillOpen('shows the answer to a side question also after another screen was looked at', {
    observe: async () => {
      await go('/s/run');
      await until(`document.querySelector('#composer')`);
      let reply = () => {};
      stage.status = new Promise<undefined>((resolve) => {
        reply = () => resolve(undefined);
      });
      await write('/btw why so?');
      await expect.poll(() => stage.changes.length).toBe(1);
      await go('/');
      await until(`document.querySelector('[data-card]')`);
      await go('/s/run');
      await until(`document.querySelector('#composer')`);
      reply();
      return comes(`document.querySelector('.dock-result')`, 2);
    },
    today: false,
    wanted: (isShown) => expect(isShown).toBe(true),
  });

  stillOpen('shows a question that a rewind asks above its dialog', {
    observe: async () => {
      const { runningSince: _, ...idle } = state;
      stage.state = idle;
      await go('/s/run');
      await until(`document.querySelector('.session-tree button')`);
      await browser.evaluate(`document.querySelector('.session-tree button').click()`);
      await until(`document.querySelector('dialog [type=submit]')`);
      let reply = (_status: number) => {};
      stage.status = new Promise((resolve) => {
        reply = resolve;
      });
      await browser.evaluate(`document.querySelector('dialog [type=submit]').click()`);
      await expect.poll(() => stage.changes.length).toBe(1);
      stage.change({ questions: [commandQuestion('q')] });
      await until(`document.querySelector('a[href="/s/run/question"]')`);
      const isReachable = await browser.evaluate<boolean>(`(() => {
        const links = [...document.querySelectorAll('a[href="/s/run/question"]')];
        return links.some((link) => {
          const { left, top, width, height } = link.getBoundingClientRect();
          return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
      })()`);
      reply(409);
      return isReachable;
    },
    today: false,
    wanted: (isReachable) => expect(isReachable).toBe(true),
  });

  stillOpen('offers no removal of messages that wait in another process', {
    observe: async () => {
      stage.state = {
        ...state,
        holder: 'elsewhere',
        heldBy: { name: 'a terminal', text: 'a terminal (process 7)', handsOver: true },
        queue: [{ id: 'queue-0-a', as: 'queue', text: 'then the docs' }],
      };
      await go('/s/run');
      await until(`document.querySelector('.queued')`);
      return browser.evaluate<object>(`({
        edit: document.querySelector('.queued [aria-label="Edit queued message"]') !== null,
        remove: document.querySelector('.queued [aria-label="Remove queued message"]') !== null,
      })`);
    },
    today: { edit: false, remove: true },
    wanted: ({ remove }: { remove?: boolean }) => expect(remove).toBe(false),
  });

  describe('an answer with code that is being written', () => {
    const stream = (text: string) => stage.push({ type: 'event', event: { type: 'text-delta', text } });
    const open = async () => {
      await go('/s/run');
      await until(`document.querySelector('.transcript .call')`);
    };

    stillOpen('keeps the lines that are drawn while more of the block come', {
      observe: async () => {
        await open();
        stream('```js\nconst first = 1;\n');
        await until(`document.querySelector('.live pre')?.textContent.includes('first')`);
        await browser.evaluate(`document.querySelector('.live pre').isFirst = true`);
        stream('const second = 2;\n');
        await until(`document.querySelector('.live pre')?.textContent.includes('second')`);
        return browser.evaluate<boolean>(`document.querySelector('.live pre').isFirst === true`);
      },
      today: false,
      wanted: (isKept) => expect(isKept).toBe(true),
    });

    stillOpen('takes the marks of another fence for code', {
      observe: async () => {
        await open();
        stream('```md\n~~~\n\ninside\n\nalso inside\n');
        await until(`document.querySelector('.live')?.textContent.includes('also inside')`);
        return browser.evaluate<boolean>(
          `document.querySelector('.live pre').textContent.includes('also inside')`,
        );
      },
      today: false,
      wanted: (isCode) => expect(isCode).toBe(true),
    });
  });
});
