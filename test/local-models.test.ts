import { type FakeOllama, startFakeOllama } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let ollama: FakeOllama;

beforeEach(async () => {
  stage = await openStage();
  ollama = await startFakeOllama({
    models: [{ name: 'coder:30b' }, { name: 'old:7b', trained: 24_000, capabilities: ['completion'] }],
    // Like a real model, it works only where it sees its task and its tools.
    answer: ({ text, tools, model }) => {
      if (!text.includes('Read notes.txt')) return { text: 'Hello!' };
      if (text.includes('milk and eggs')) return { text: 'Buy milk.' };
      if (model === 'old:7b')
        return {
          text: '!unquote_start\n<tool_call id="c1" #>\nSysBuiltIn.Read({ file_path: "notes.txt" })\n</#>\n!unquote_end',
        };
      return tools.includes('Read')
        ? { calls: [{ name: 'Read', input: { file_path: 'notes.txt' } }] }
        : { text: 'I have no tools.' };
    },
  });
  await stage.file('notes.txt', 'milk and eggs\n');
});

afterEach(async () => {
  await stage.server.close();
  await ollama.close();
});

const ask = (args: readonly string[]) =>
  stage.robota(['-p', 'Read notes.txt', ...args], { env: { OLLAMA_HOST: ollama.url } });

describe('a model of Ollama', () => {
  it('gets a window that holds its tools, and works', async () => {
    expect(await ask(['--model', 'ollama/coder:30b'])).toMatchObject({ code: 0, stdout: 'Buy milk.\n' });
    expect(ollama.loaded.get('coder:30b')).toEqual({ numCtx: 32_768, keepAlive: '30m' });
  });

  it('gets no more than it was trained with, and writes its calls where its template has none', async () => {
    await stage.settings({ local: { contextWindow: 65_536, keepAlive: '1h' } });
    expect(await ask(['--model', 'ollama/old:7b'])).toMatchObject({ code: 0, stdout: 'Buy milk.\n' });
    expect(ollama.loaded.get('old:7b')).toEqual({ numCtx: 24_000, keepAlive: '1h' });
    await ask(['--model', 'ollama/coder:30b']);
    expect(ollama.loaded.get('coder:30b')?.numCtx).toBe(65_536);
  });
});
