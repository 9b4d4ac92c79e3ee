import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { modelServer } from '../testing/model-server.ts';
import { call, scriptedModel } from '../testing/scripted-model.ts';
import { type TemporaryProject, temporaryProject } from '../testing/temporary-project.ts';
import { defineExtension } from './define-extension.ts';
import { Robota } from './robota.ts';

let project: TemporaryProject;
let home: string;
let robota: Robota;

beforeEach(async () => {
  project = await temporaryProject({ 'a.md': 'content of a' });
  home = await temporaryDirectory('robota-home');
  robota = new Robota({ home, env: {} });
});
afterEach(async () => {
  await robota.close();
  await project[Symbol.asyncDispose]();
});

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (thrown: { readonly code?: string }) => thrown.code ?? String(thrown),
  );

stillOpen('frees a session that could not be opened at an entry', {
  observe: async () => {
    const model = scriptedModel(['one']);
    const first = robota.createSession({ cwd: project.path, model, session: 'new' });
    await first.run('one');
    const { id } = first;
    await first.close();
    const open = (choice: { resume: string; at?: string }) =>
      robota.createSession({ cwd: project.path, model, session: choice }).ready;
    expect(await codeOf(open({ resume: id, at: 'nonsense' }))).not.toBe('opened');
    return codeOf(open({ resume: id }));
  },
  today: 'session-in-use',
  wanted: (code) => expect(code).toBe('opened'),
});

stillOpen('interrupts a run whose session is still opening', {
  observe: async () => {
    const session = robota.createSession({ cwd: project.path, model: scriptedModel(['done']) });
    const run = session.run('x');
    await session.interrupt();
    return (await run.result).status;
  },
  today: 'completed',
  wanted: (status) => expect(status).toBe('aborted'),
});

stillOpen('sends the key of a connection to a vendor of models.json', {
  observe: async () => {
    await using server = await modelServer(['done']);
    await mkdir(join(home, '.robota'));
    const acme = { baseUrl: server.url, api: 'anthropic', models: [{ id: 'large', contextWindow: 100_000 }] };
    await writeFile(join(home, '.robota', 'models.json'), JSON.stringify({ providers: { acme } }));
    const client = new Robota({ home, env: {}, connections: { acme: { apiKey: 'key-of-acme' } } });
    const run = client.query('x', { cwd: project.path, model: 'acme/large' });
    const { status } = await run.result;
    await client.close();
    const [headers] = server.headers;
    return { status, key: headers?.['x-api-key'] ?? headers?.authorization };
  },
  today: { status: 'completed', key: undefined },
  wanted: ({ key }) => expect(key).toContain('key-of-acme'),
});

describe('steering', () => {
  /** Steers while the first turn is answered, with a hook for each prompt. */
  const steered = async (texts: readonly string[], hook: (text: string) => object) => {
    const answers: Promise<boolean>[] = [];
    const model = scriptedModel((_, turn) => {
      if (turn > 0) return 'done';
      for (const text of texts) answers.push(run.steer(text));
      return call('Glob', { pattern: '*' });
    });
    const extension = defineExtension({
      name: 'rewriter',
      hooks: { input: ({ text }) => hook(text) },
    });
    const session = robota.createSession({ cwd: project.path, model, extensions: [extension] });
    const run = session.run('Add a page');
    await run;
    return { taken: await Promise.all(answers), seen: JSON.stringify(model.requests.at(-1)?.messages) };
  };

  stillOpen('says that a message was taken if a hook rewrote it', {
    observe: async () => {
      const rewrite = (text: string) => ({ text: text.replace('colour', 'color') });
      const { taken, seen } = await steered(['Use a colour.'], rewrite);
      expect(seen).toContain('Use a color.');
      return taken;
    },
    today: [false],
    wanted: (taken) => expect(taken).toEqual([true]),
  });

  stillOpen('says that a message was not taken if a hook blocked it, whatever others say', {
    observe: async () => {
      const refuse = (text: string) => (text === 'form' ? { block: 'not now' } : {});
      const { taken, seen } = await steered(['form', 'Use the form of the page.'], refuse);
      expect(seen).toContain('Use the form of the page.');
      expect(seen).not.toContain('"form"');
      return taken;
    },
    today: [true, true],
    wanted: (taken) => expect(taken).toEqual([false, true]),
  });
});
