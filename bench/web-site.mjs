import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `robota web` in a process of its own, with one device let in. */
export class WebSite {
  /** @type {import('node:child_process').ChildProcess} */ #child;
  /** @type {Promise<unknown>} */ #ended;
  /** @type {Record<string, string>} */ headers = {};

  /** @param {{ child: import('node:child_process').ChildProcess, address: string }} started */
  constructor({ child, address }) {
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    this.address = address;
    [this.origin = '', this.token = ''] = address.split('/#');
  }

  /**
   * Starts it; the headers of a device that an earlier one let in are kept.
   * @param {import('./bench.mjs').Bench} bench
   * @param {{ home: string, port?: string, headers?: Record<string, string> }} options
   */
  static async start(bench, { home, port = '0', headers }) {
    const { args, cwd, env } = bench.robota('web', '--port', port);
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...env, HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const address = await new Promise((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part) => {
        text += part;
        if (text.includes('\n')) resolve(text.trim());
      });
      child.once('exit', () => reject(new Error('robota web ended. Build it first: npm run build')));
    });
    const site = new WebSite({ child, address });
    if (headers) site.headers = headers;
    return site;
  }

  /** Lets this program in, as a browser would be. */
  async enter() {
    const reply = await fetch(`${this.origin}/api/enter`, {
      method: 'POST',
      headers: { Origin: this.origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: this.token }),
    });
    const { key } = /** @type {{ key: string }} */ (await reply.json());
    const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
    this.headers = { Cookie: cookie, 'Robota-Key': key, 'Sec-Fetch-Site': 'same-origin' };
  }

  /**
   * The ids of the entries that a stream sends, until it ends or is aborted.
   * @param {string} session
   * @param {{ lastId?: string, signal: AbortSignal, onId: (id: string) => void }} options
   */
  async follow(session, { lastId, signal, onId }) {
    const headers = { ...this.headers, ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) };
    try {
      const reply = await fetch(`${this.origin}/api/events?session=${session}`, { headers, signal });
      let rest = '';
      for await (const part of /** @type {AsyncIterable<Uint8Array>} */ (reply.body)) {
        const blocks = (rest + Buffer.from(part).toString('latin1')).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, id] = /^id: (.*)$/m.exec(block) ?? [];
          if (id !== undefined && block.includes('"type":"entry"')) onId(id);
        }
      }
    } catch {
      // Aborted, or the server was killed.
    }
  }

  /** Milliseconds of CPU so far, of all its threads. */
  cpu() {
    const folder = `/proc/${this.#child.pid}/task`;
    return readdirSync(folder).reduce((sum, thread) => {
      const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / 1e6;
    }, 0);
  }

  /** Resident bytes. */
  memory() {
    const [, kilobytes = '0'] =
      /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  }

  /** Waits until it rests: V8 looks after its memory for a while once nothing happens. */
  async calm() {
    for (let tries = 0; tries < 20; tries++) {
      const before = this.cpu();
      await sleep(3_000);
      if (this.cpu() - before < 1) return;
    }
  }

  /** Ends it, by `kill -9` unless another signal is given. */
  async stop(/** @type {NodeJS.Signals} */ signal = 'SIGKILL') {
    this.#child.kill(signal);
    await this.#ended;
  }
}

/**
 * A headless browser without a limit of its frame rate, by the driver of the tests; undefined if there is none here.
 * @param {import('./bench.mjs').Bench} bench
 */
export async function openBrowser(bench) {
  const file = join(bench.root, 'chromium.mjs');
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/chromium.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  writeFileSync(file, outputFiles[0]?.text ?? '');
  /** @type {typeof import('../test/chromium.ts')} */
  const { Chromium, findChromium } = await import(pathToFileURL(file).href);
  rmSync(file);
  const program = findChromium();
  if (program === undefined) return undefined;
  return Chromium.start(program, [
    '--disable-frame-rate-limit',
    '--disable-gpu-vsync',
    '--window-size=1440,900',
  ]);
}
