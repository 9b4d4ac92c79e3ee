import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { JsonlSessionStore } from '@robota-sdk/agent-sessions';
import { absolute } from '../report.mjs';
import { sampleMessage } from '../session-messages.mjs';
import { openBrowser, WebSite } from '../web-site.mjs';

/** @typedef {import('../bench.mjs').Bench} Bench */
/** @typedef {NonNullable<Awaited<ReturnType<typeof openBrowser>>>} Browser */

const megabyte = 1e6;
const items = 10_000;
const streams = 20;
const idleSeconds = 10;
const scrolledFrames = 300;
/** An hour, as the limit is meant, with ROBOTA_BENCH_WEB_MINUTES=60. */
const usualMinutes = 0.5;

/** `robota web`: the size of its page, its speed in a browser, its rest, and streams that are cut off. */
export async function web(/** @type {Bench} */ bench) {
  const home = bench.directory('web-home');
  await fill(bench, home);
  return [
    ...sizes(),
    ...(await inBrowser(bench, home)),
    ...(await growth(bench, home)),
    ...(await killed(bench, home)),
  ];
}

/** One session of many items, and twenty small ones for the board. */
async function fill(/** @type {Bench} */ bench, /** @type {string} */ home) {
  const store = new JsonlSessionStore({ home: join(home, '.robota') });
  for (const [id, messages] of [
    ['long', Math.ceil(items / 3) * 4],
    ...Array.from({ length: 20 }, (_, index) => [`short-${index}`, 8]),
  ]) {
    const handle = await store.create({ cwd: bench.cwd, id: String(id) });
    for (let index = 0; index < Number(messages); index++)
      await handle.append({ type: 'message', message: sampleMessage(index, 400) });
    await handle.close();
  }
}

function sizes() {
  const file = new URL('../../packages/agent-web/src/server/page.json', import.meta.url);
  if (!existsSync(file)) throw new Error('The page is not built. Build it first: npm run build');
  const { script, reports, style } = JSON.parse(readFileSync(file, 'utf8'));
  const size = (/** @type {string} */ text) => gzipSync(text, { level: 9 }).length;
  const unit = /** @type {const} */ ('bytes');
  return [
    absolute({ name: 'web, script of sessions, compressed', ours: size(script), unit, limit: 60_000 }),
    absolute({ name: 'web, script of reports, compressed', ours: size(reports), unit, limit: 60_000 }),
    absolute({ name: 'web, style, compressed', ours: size(style), unit }),
  ];
}

async function inBrowser(/** @type {Bench} */ bench, /** @type {string} */ home) {
  const browser = await openBrowser(bench);
  if (!browser) {
    process.stderr.write('No Chromium here: the figures of the page are left out.\n');
    return [];
  }
  const site = await WebSite.start(bench, { home });
  try {
    await browser.open(site.address);
    await until(browser, `localStorage.getItem('robota-key') && location.hash === ''`);
    const rounds = bench.quick ? 5 : 20;
    const paint = await firstPaint(browser, { address: `${site.origin}/`, rounds });
    const bare = await bareServer();
    const barePaint = await firstPaint(browser, { address: bare.address, rounds });
    bare.close();
    await browser.open(`${site.origin}/s/long`);
    await until(browser, `${transcript} !== null && ${transcript}.scrollHeight > innerHeight * 3`);
    const echo = await keyToEcho(browser, bench.quick ? 20 : 50);
    const frames = await scroll(browser);
    await browser.open(`${site.origin}/`);
    await site.calm();
    const before = site.cpu();
    await sleep(idleSeconds * 1000);
    const idle = site.cpu() - before;
    return [
      absolute({ name: 'web, first paint of the board', ours: paint, unit: 'ms', limit: 150 }),
      absolute({ name: 'web, first paint of a page of one word', ours: barePaint, unit: 'ms' }),
      absolute({ name: 'web, key to echo, median', ours: echo, unit: 'ms', limit: 16 }),
      absolute({
        name: 'web, 10,000 items: work for a frame while scrolling',
        ours: frames.work,
        unit: 'ms',
        limit: 16,
      }),
      absolute({
        name: 'web, 10,000 items: time between frames, median',
        ours: frames.median,
        unit: 'ms',
        limit: 17.5,
      }),
      absolute({
        name: 'web, idle for 10 s with a page open, CPU of the server',
        ours: idle,
        unit: 'ms',
        limit: 10,
      }),
    ];
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** The element that scrolls: the one with the most to scroll. */
const transcript = `([...document.querySelectorAll('*')].filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY)).sort((one, other) => other.scrollHeight - one.scrollHeight)[0] ?? null)`;

function until(/** @type {Browser} */ browser, /** @type {string} */ expression) {
  return browser.evaluate(`new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('It did not happen: ' + document.body.innerText.slice(0, 300))), 60_000);
    const look = () => { if (${expression}) { clearTimeout(late); resolve(true); } else setTimeout(look, 20); };
    look();
  })`);
}

/** Noise only ever adds time, so the least one is the truest. */
async function firstPaint(
  /** @type {Browser} */ browser,
  /** @type {{ address: string, rounds: number }} */ { address, rounds },
) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    await browser.open(address);
    await until(browser, `performance.getEntriesByName('first-contentful-paint').length > 0`);
    times.push(
      Number(await browser.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)),
    );
  }
  return Math.min(...times);
}

/** From the event of a key to the frame that shows it. */
async function keyToEcho(/** @type {Browser} */ browser, /** @type {number} */ keys) {
  await until(browser, `document.querySelector('textarea:not([disabled])') !== null`);
  await browser.evaluate(`(() => {
    const field = document.querySelector('textarea:not([disabled])');
    field.focus();
    window.echoes = [];
    field.addEventListener('keydown', ({ timeStamp }) => {
      field.addEventListener('input', () => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.echoes.push(performance.now() - timeStamp);
        port2.postMessage(0);
      }), { once: true });
    });
  })()`);
  for (let key = 0; key < keys; key++) {
    await browser.press('a', 'a');
    await until(browser, `window.echoes.length > ${key}`);
  }
  return median(await browser.evaluate('window.echoes'));
}

/** Scrolls up through the transcript, a third of a screen for each frame. Browsers paint sixty frames a second. */
async function scroll(/** @type {Browser} */ browser) {
  await browser.send('Performance.enable');
  const before = await busyMs(browser);
  /** @type {number[]} */
  const times = await browser.evaluate(`new Promise((resolve) => {
    const element = ${transcript};
    const times = [];
    let last = performance.now();
    const step = (now) => {
      times.push(now - last);
      last = now;
      element.scrollTop -= 300;
      if (times.length < ${scrolledFrames}) requestAnimationFrame(step);
      else resolve(times);
    };
    requestAnimationFrame(step);
  })`);
  return { median: median(times), work: ((await busyMs(browser)) - before) / scrolledFrames };
}

/** Time that the main thread of the page has worked. */
async function busyMs(/** @type {Browser} */ browser) {
  const { metrics } = await browser.send('Performance.getMetrics');
  const list = /** @type {{ name: string, value: number }[]} */ (metrics);
  return (list.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** The least page there is. */
async function bareServer() {
  const server = createServer((_, reply) => {
    reply.setHeader('Content-Type', 'text/html');
    reply.end('<!doctype html><title>Bare</title><link rel="icon" href="data:,"><p>Hello');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

function median(/** @type {readonly number[]} */ values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** A session that grows, followed by several streams: the memory of the server, and what they got. */
async function growth(/** @type {Bench} */ bench, /** @type {string} */ home) {
  const site = await WebSite.start(bench, { home });
  await site.enter();
  const { handle, append } = await growing(bench, { home, id: 'growing' });
  const end = new AbortController();
  const got = Array.from({ length: streams }, () => /** @type {string[]} */ ([]));
  const followers = got.map((ids) =>
    site.follow('growing', { signal: end.signal, onId: (id) => void ids.push(id) }),
  );
  const minutes = Number(
    process.env.ROBOTA_BENCH_WEB_MINUTES ?? (bench.quick ? usualMinutes / 3 : usualMinutes),
  );
  try {
    const warm = Date.now() + 10_000;
    while (Date.now() < warm) await append();
    await site.calm();
    const before = site.memory();
    const until = Date.now() + minutes * 60_000;
    while (Date.now() < until) await append();
    const sent = await append();
    await settled(() => got.every((ids) => ids.includes(sent.id)));
    await site.calm();
    const grown = (site.memory() - before) / megabyte;
    const lost = got.reduce((sum, ids) => sum + sent.count - new Set(ids).size, 0);
    const twice = got.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0);
    const shown = `web, ${streams} streams for ${minutes * 60} s`;
    return [
      absolute({ name: `${shown}: memory added`, ours: Math.max(0, grown), unit: 'MB', limit: 8 }),
      absolute({ name: `${shown}: entries lost or repeated`, ours: lost + twice, unit: 'count', limit: 0 }),
    ];
  } finally {
    end.abort();
    await Promise.all(followers);
    await handle.close();
    await site.stop();
  }
}

/** The server is killed again and again while a session grows; the stream continues where it was. */
async function killed(/** @type {Bench} */ bench, /** @type {string} */ home) {
  const rounds = bench.quick ? 3 : 10;
  let site = await WebSite.start(bench, { home });
  await site.enter();
  const { port } = new URL(site.origin);
  const { handle, append } = await growing(bench, { home, id: 'killed' });
  /** @type {string[]} */
  const ids = [];
  const follow = () =>
    site.follow('killed', {
      ...(ids.length > 0 ? { lastId: String(ids.at(-1)) } : {}),
      signal: end.signal,
      onId: (id) => void ids.push(id),
    });
  const end = new AbortController();
  let following = follow();
  try {
    for (let round = 0; round < rounds; round++) {
      const { count } = await append();
      await settled(() => ids.length >= count);
      const killing = site.stop();
      await append();
      await killing;
      await following;
      await append();
      site = await WebSite.start(bench, { home, port, headers: site.headers });
      following = follow();
    }
    const { id, count } = await append();
    await settled(() => ids.includes(id));
    const shown = `web, server killed ${rounds} times in a stream`;
    return [
      absolute({ name: `${shown}: entries lost`, ours: count - new Set(ids).size, unit: 'count', limit: 0 }),
      absolute({
        name: `${shown}: entries repeated`,
        ours: ids.length - new Set(ids).size,
        unit: 'count',
        limit: 0,
      }),
    ];
  } finally {
    end.abort();
    await handle.close();
    await site.stop();
  }
}

/**
 * A session that this process writes to.
 * @param {Bench} bench
 * @param {{ home: string, id: string }} options
 */
async function growing(bench, { home, id }) {
  const store = new JsonlSessionStore({ home: join(home, '.robota') });
  const handle = await store.create({ cwd: bench.cwd, id });
  let count = 0;
  const append = async () => {
    await sleep(20);
    const entry = await handle.append({ type: 'message', message: sampleMessage(count++, 400) });
    return { id: entry.id, count };
  };
  await append();
  return { handle, append };
}

async function settled(/** @type {() => boolean} */ isTrue) {
  for (let tries = 0; tries < 600; tries++) {
    if (isTrue()) return;
    await sleep(50);
  }
}
