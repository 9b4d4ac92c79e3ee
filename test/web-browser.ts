import { setTimeout } from 'node:timers/promises';
import { modelServer, type ScriptedStep } from '@robota-sdk/agent-sdk/testing';
import { serveWeb } from '../packages/agent-web/src/serve-web.ts';
import { Chromium, findChromium } from './chromium.ts';
import type { WebFixture } from './fixtures/web/make-web-fixture.ts';

/** The server of `robota web` on a fixture, with a server that plays the model. */
export async function serveFixture({ place }: WebFixture, answers: readonly ScriptedStep[] = ['ok']) {
  const model = await modelServer(answers);
  const host = { ...place.host, env: { ...place.host.env, ...model.env } };
  const log = (text: string) => console.error(text);
  const web = await serveWeb({ target: { kind: 'loopback', port: 0 }, host, shell: false, log });
  const close = async () => {
    await web.close();
    await model[Symbol.asyncDispose]();
  };
  return { ...web, requests: model.requests, close };
}

/** A page of `robota web` in a real browser. */
export class WebPage {
  readonly browser: Chromium;

  private constructor(browser: Chromium) {
    this.browser = browser;
  }

  static async open(address: string): Promise<WebPage> {
    const program = findChromium();
    if (program === undefined) throw new Error('no Chromium');
    const page = new WebPage(await Chromium.start(program));
    await page.look({ width: 1440, height: 900 });
    await page.browser.open(address);
    return page;
  }

  /** Sets the size of the window, the zoom, the colours and the wish for less motion. */
  async look(wish: {
    readonly width: number;
    readonly height: number;
    readonly scale?: number;
    readonly scheme?: 'light' | 'dark';
    readonly isStill?: boolean;
  }): Promise<void> {
    const { width, height, scale = 1, scheme = 'light', isStill = true } = wish;
    await this.browser.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: width < 640,
    });
    await this.browser.send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: scheme },
        { name: 'prefers-reduced-motion', value: isStill ? 'reduce' : 'no-preference' },
      ],
    });
    await this.until('document.getAnimations().every((each) => each.playState !== "running")');
  }

  /** Shows another screen as a link does. */
  async show(path: string): Promise<void> {
    await this.browser.evaluate(
      `(() => { const a = document.createElement('a'); a.href = ${JSON.stringify(path)}; document.body.append(a); a.click(); a.remove(); })()`,
    );
  }

  /** Sends a request of the page to the server; without a body it only reads. */
  async send<T = unknown>(path: string, body?: unknown): Promise<T> {
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const key = `{ 'Robota-Key': localStorage.getItem('robota-key'), 'content-type': 'application/json' }`;
    return this.browser.evaluate<T>(
      `fetch(${JSON.stringify(path)}, { ...${JSON.stringify(options)}, headers: ${key} }).then((reply) => reply.json())`,
    );
  }

  /** Waits until an expression is true in the page, also while it loads another document. */
  async until(expression: string): Promise<void> {
    const isTrue = () => this.browser.evaluate<boolean>(`Boolean(${expression})`).catch(() => false);
    while (!(await isTrue())) {
      this.browser.assertAlive();
      await setTimeout(20);
    }
  }

  value<T>(expression: string): Promise<T> {
    return this.browser.evaluate<T>(expression);
  }

  /** Presses keys one after the other: `j`, `Enter`, `ctrl+Enter`, `ctrl+shift+Enter`. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const each of keys) {
      const parts = each.split('+');
      const key = parts.pop() ?? '';
      const has = (name: string) => parts.includes(name);
      const modifiers = (has('alt') ? 1 : 0) + (has('ctrl') ? 2 : 0) + (has('shift') ? 8 : 0);
      const isLetter = key.length === 1 && modifiers === 0;
      const text = isLetter
        ? { text: key }
        : key === 'Enter'
          ? { text: '\r', windowsVirtualKeyCode: 13 }
          : {};
      await this.browser.send('Input.dispatchKeyEvent', { type: 'keyDown', key, modifiers, ...text });
      await this.browser.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers });
    }
  }

  async type(text: string): Promise<void> {
    await this.browser.send('Input.insertText', { text });
  }

  /** Roles and names of everything that a screen reader finds. */
  async spoken(): Promise<readonly string[]> {
    const { nodes } = (await this.browser.send('Accessibility.getFullAXTree')) as {
      nodes: readonly { ignored?: boolean; role?: { value?: string }; name?: { value?: string } }[];
    };
    return nodes.flatMap(({ ignored, role, name }) =>
      ignored || !name?.value ? [] : [`${role?.value ?? ''} ${name.value}`],
    );
  }

  /** Controls and pictures without a name. */
  async unnamed(): Promise<readonly string[]> {
    const named = ['button', 'link', 'textbox', 'searchbox', 'combobox', 'image', 'img', 'dialog', 'radio'];
    const { nodes } = (await this.browser.send('Accessibility.getFullAXTree')) as {
      nodes: readonly { ignored?: boolean; role?: { value?: string }; name?: { value?: string } }[];
    };
    return nodes.flatMap(({ ignored, role, name }) =>
      !ignored && named.includes(role?.value ?? '') && !name?.value ? [role?.value ?? ''] : [],
    );
  }

  /** A picture of the window, as WebP. */
  async picture(): Promise<Buffer> {
    const { data } = await this.browser.send('Page.captureScreenshot', { format: 'webp', quality: 72 });
    return Buffer.from(String(data), 'base64');
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}
