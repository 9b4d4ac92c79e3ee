import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser of this machine, if it has one. */
export function findChromium(): string | undefined {
  for (const name of names) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {}
  }
  return undefined;
}

/** Codes of keys that do more than write a letter. */
const keyCodes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, Tab: 9 };

type Fields = Readonly<Record<string, unknown>>;

/** Something the browser told without being asked. */
export interface BrowserEvent {
  readonly method: string;
  readonly params: Fields;
}

/** A request that the browser has not answered yet. */
interface Waiting {
  readonly resolve: (answer: Fields) => void;
  readonly reject: (reason: Error) => void;
}

/** One page of a headless browser, driven over two pipes by the browser's own protocol. */
export class Chromium {
  readonly events: BrowserEvent[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(event: BrowserEvent) => void>();
  #next = 1;
  #session: string | undefined;
  #rest = '';
  /** The end of what the browser wrote about itself. */
  #told = '';
  /** Why it answers no more. */
  #gone: Error | undefined;
  #onEnd = () => {};

  private constructor(program: string, more: readonly string[]) {
    this.#profile = mkdtempSync(join(tmpdir(), 'robota-chromium-'));
    const options = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--hide-scrollbars',
      '--remote-debugging-pipe',
      `--user-data-dir=${this.#profile}`,
      ...more,
      'about:blank',
    ];
    this.#process = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    const told = this.#process.stderr as Readable;
    told.setEncoding('utf8').on('data', (text: string) => {
      this.#told = (this.#told + text).slice(-2_000);
    });
    this.#process.once('error', ({ message }) => this.#end(message));
    // Not `exit`: its last output is shown too.
    this.#process.once('close', (code, signal) => this.#end(`it ended with ${signal ?? `code ${code}`}`));
    // A write to a browser that has ended; `close` tells why it did.
    (this.#process.stdio[3] as Writable).on('error', () => {});
    const output = this.#process.stdio[4] as Readable;
    output.setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  /** Starts the browser and looks at one empty page, with every event of it. */
  static async start(program: string, options: readonly string[] = []): Promise<Chromium> {
    const browser = new Chromium(program, options);
    const { targetInfos } = (await browser.send('Target.getTargets')) as {
      targetInfos: readonly { readonly type: string; readonly targetId: string }[];
    };
    const page = targetInfos.find(({ type }) => type === 'page');
    const { targetId } =
      page ?? ((await browser.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string });
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    browser.#session = String(attached.sessionId);
    for (const domain of ['Inspector', 'Page', 'Runtime', 'Network', 'Log'])
      await browser.send(`${domain}.enable`);
    await browser.send('Page.setLifecycleEventsEnabled', { enabled: true });
    return browser;
  }

  /** Throws if the browser or its page has crashed. */
  assertAlive(): void {
    if (this.#gone) throw this.#gone;
  }

  async send(method: string, params: Fields = {}): Promise<Fields> {
    this.assertAlive();
    const id = this.#next++;
    const sessionId = this.#session === undefined ? {} : { sessionId: this.#session };
    const input = this.#process.stdio[3] as Writable;
    const answer = new Promise<Fields>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    input.write(`${JSON.stringify({ id, method, params, ...sessionId })}\0`);
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return (result ?? {}) as Fields;
  }

  /** Opens an address and waits until it has loaded; a load of the page before does not count. */
  async open(url: string): Promise<void> {
    const loaded = new Set<string>();
    let onLoad = () => {};
    const listener = ({ method, params }: BrowserEvent) => {
      if (method !== 'Page.lifecycleEvent' || params.name !== 'load') return;
      loaded.add(String(params.loaderId));
      onLoad();
    };
    this.#listeners.add(listener);
    const { loaderId } = await this.send('Page.navigate', { url });
    this.#onEnd = () => onLoad();
    while (loaderId !== undefined && !loaded.has(String(loaderId))) {
      this.assertAlive();
      await new Promise<void>((resolve) => {
        onLoad = resolve;
      });
    }
    this.#listeners.delete(listener);
  }

  /** The value of an expression in the page; promises are waited for. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    const { result, exceptionDetails } = answer as { result: { value: T }; exceptionDetails?: unknown };
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Presses a key like a user. */
  async press(key: string, text?: string, { alt = false, shift = false } = {}): Promise<void> {
    const code = key in keyCodes ? { windowsVirtualKeyCode: keyCodes[key], code: key } : {};
    const typed = text === undefined ? (key === 'Enter' ? { text: '\r' } : {}) : { text };
    const modifiers = (alt ? 1 : 0) + (shift ? 8 : 0);
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, modifiers, ...code, ...typed });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers });
  }

  /** Types a text into the element that has the focus. */
  async type(text: string): Promise<void> {
    for (const letter of text) await this.press(letter, letter);
  }

  /** Changes the size of the window, in pixels. */
  async resize(width: number, height: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 500,
    });
  }

  /** Sets preferences of the user. */
  async emulate({
    scheme,
    reducedMotion,
  }: {
    scheme: 'light' | 'dark';
    reducedMotion: boolean;
  }): Promise<void> {
    const features = [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
    ];
    await this.send('Emulation.setEmulatedMedia', { features });
  }

  /** Everything that a screen reader finds, in its order. */
  async accessibilityTree(): Promise<readonly { readonly role: string; readonly name: string }[]> {
    const { nodes } = (await this.send('Accessibility.getFullAXTree')) as {
      nodes: readonly {
        readonly ignored: boolean;
        readonly role?: { readonly value: string };
        readonly name?: { readonly value: string };
      }[];
    };
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => ({ role: role?.value ?? '', name: name?.value ?? '' }));
  }

  /** A picture of what is seen, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(String(data), 'base64');
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = new Promise((resolve) => this.#process.once('exit', resolve));
      this.#process.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #end(reason: string): void {
    this.#gone ??= new Error(`The browser is gone: ${reason}. It wrote:\n${this.#told}`);
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
    this.#onEnd();
  }

  /** Messages end with a null character. */
  #read(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop() ?? '';
    for (const message of messages) this.#take(JSON.parse(message) as Fields & Partial<BrowserEvent>);
  }

  #take(message: Fields & Partial<BrowserEvent>): void {
    const { id, method, params = {} } = message;
    if (typeof id === 'number') {
      this.#waiting.get(id)?.resolve(message);
      this.#waiting.delete(id);
      return;
    }
    if (method === undefined) return;
    if (method === 'Inspector.targetCrashed') this.#end('its page crashed');
    const event = { method, params };
    this.events.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}
