import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { anthropicChunks, sharedCode } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const execute = promisify(execFile);
const newest = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
/** Often one and the same. */
const nodes = new Set(
  [process.execPath, newest].filter((path) => existsSync(path)).map((path) => realpathSync(path)),
);

/** Ways to end a run from the inside, each with what it must say at its end. */
const ways: readonly (readonly [title: string, code: string, said: string])[] = [
  ['break', `for await (const e of query('x', options)) if (e.type === 'text-delta') break;`, ''],
  [
    'abort() in the iteration',
    `const q = query('x', options);
     try { for await (const e of q) if (e.type === 'text-delta') q.abort(); } catch (e) { if (e.name !== 'AbortError') say(e.name); }
     say((await q.result).turns);`,
    '1',
  ],
  [
    'abort() in onTextDelta',
    `const q = query('x', { ...options, onTextDelta: () => q.abort() });
     say((await q.result).status);`,
    'aborted',
  ],
  [
    'a signal in a listener of the client',
    `const c = new AbortController();
     robota.subscribe(({ event }) => event.type === 'text-delta' && c.abort());
     const q = query('x', { ...options, signal: c.signal });
     say((await q.result).status);`,
    'aborted',
  ],
  [
    'an error in onTextDelta',
    `await query('x', { ...options, onTextDelta: () => { throw new Error('mine'); } }).catch((e) => say(e.message));`,
    'mine',
  ],
  [
    'an error in a listener of the client',
    `robota.subscribe(() => { throw new Error('mine'); });
     say((await query('x', options)).length);`,
    '4000',
  ],
  [
    'a rejected promise of a listener',
    `await query('x', { ...options, onTextDelta: async () => { throw new Error('mine'); } }).catch((e) => say(e.message));`,
    'mine',
  ],
  [
    'an error in a listener of events from outside a run',
    `const s = await createInteractiveSession(options);
     s.on('error', (e) => say(e.message));
     s.on('event', () => { throw new Error('mine'); });
     s.on('event', async () => { throw new Error('later'); });
     s.publish({ type: 'notice-show', level: 'info', text: 'x' });
     await new Promise(setImmediate);
     await s.shutdown();`,
    'A listener of "event" failed: mine',
  ],
  [
    'abort() of a session in its listener',
    `const s = await createInteractiveSession(options);
     s.on('text_delta', () => s.abort());
     say((await s.submit('x')).status);
     await s.shutdown();`,
    'aborted',
  ],
  [
    'an error in the listener of a session, which goes on to answer',
    `const s = await createInteractiveSession(options);
     const stop = s.on('text_delta', () => { throw new Error('mine'); });
     await s.submit('x').catch((e) => say(e.message));
     stop();
     say((await s.submit('y')).response.length);
     await s.shutdown();`,
    'mine,4000',
  ],
];

let server: Server;
let folder: string;

beforeAll(async () => {
  const cache = join(root, 'node_modules/.cache/robota');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'leave-'));
  // One answer, one write, and the connection stays open.
  const whole = Buffer.from(anthropicChunks({ text: 'word '.repeat(800) }).join(''));
  server = createServer(async (request, response) => {
    for await (const _ of request);
    const isZipped = request.url?.startsWith('/zip') === true;
    const body = isZipped ? gzipSync(whole) : whole;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'content-length': body.length,
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

describe.each([...nodes])('with %s', (node) => {
  it.each(ways)('%s does not end the process', async (title, code, said) => {
    proves('R-3', 'R-39', 'H-18');
    const { stdout, stderr } = await run(node, title, code);
    expect({ stdout, stderr }).toEqual({ stdout: `plain ${said}|alive\nzip ${said}|alive\n`, stderr: '' });
  });
});

/** Runs a program that ends a run in this way, from a server that sends plain bytes and from one that compresses. */
async function run(node: string, title: string, code: string) {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  const file = join(folder, `${title.replace(/\W+/g, '-')}.mjs`);
  const { port } = server.address() as AddressInfo;
  await writeFile(
    file,
    `import { Robota } from '@robota-sdk/agent-sdk';
     import { createInteractiveSession as open } from '@robota-sdk/agent-sdk/compat';
     const createInteractiveSession = (options) => open({ ...options, store: 'none' });
     const options = { cwd: ${JSON.stringify(folder)}, model: 'claude-sonnet-4-5' };
     for (const kind of ['plain', 'zip']) {
       process.env.ANTHROPIC_BASE_URL = ${JSON.stringify(`http://127.0.0.1:${port}/`)} + kind;
       const robota = new Robota();
       const query = (prompt, options) => robota.query(prompt, options);
       const said = [];
       const say = (word) => said.push(word);
       ${code}
       // What fails late, fails now.
       await new Promise((resolve) => setTimeout(resolve, 100));
       console.log(kind + ' ' + said.join(',') + '|alive');
     }`,
  );
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: home,
    ...sharedCode(),
    ANTHROPIC_API_KEY: 'k',
  };
  return execute(node, [file], { env }).catch((failed: { stdout: string; stderr: string }) => failed);
}
