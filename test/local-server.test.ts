import { type FakeOllama, startFakeLlama, startFakeOllama } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
let ollama: FakeOllama;

beforeEach(async () => {
  ollama = await startFakeOllama({
    models: [{ name: 'tiny:latest' }],
    answer: () => ({ text: 'from ollama' }),
  });
  onTestFinished(() => ollama.close());
});

/** Nothing runs at the usual addresses, whatever runs on this machine. */
const nothing = '127.0.0.1:1';

function local(words: readonly string[], env: Record<string, string> = {}) {
  return stage.robota(['local', ...words], {
    env: {
      OLLAMA_HOST: nothing,
      LMSTUDIO_BASE_URL: `http://${nothing}/v1`,
      LLAMA_CPP_BASE_URL: `http://${nothing}/v1`,
      ...env,
    },
  });
}

describe('robota local', () => {
  it.each([[[]], [['tiny']], [['ollama/tiny:latest']]])(
    'uses a model of a server that runs: %j',
    async (name) => {
      expect(await local([...name, '-p', 'hi'], { OLLAMA_HOST: ollama.url })).toMatchObject({
        code: 0,
        stdout: 'from ollama\n',
        stderr: '',
      });
    },
  );

  it('asks for a name where there are several, and says what to do about a missing one', async () => {
    const llama = await startFakeLlama({ window: 32_768, answer: () => ['from llama'] });
    onTestFinished(() => llama.close());
    const env = { OLLAMA_HOST: ollama.url, LLAMA_CPP_BASE_URL: `${llama.url}/v1` };
    const names = 'ollama/tiny:latest, llama.cpp//models/tiny.gguf';
    expect(await local(['-p', 'hi'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Several models are available: ${names}. Name one: robota local MODEL`),
    });
    expect(await local(['llama.cpp//models/tiny.gguf', '-p', 'hi'], env)).toMatchObject({
      code: 0,
      stdout: 'from llama\n',
    });
    expect(await local(['gone:1b', '-p', 'hi'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `No running server has the model gone:1b. There is: ${names}. Get it: ollama pull gone:1b`,
      ),
    });
  });

  it('says how to start a server if none is running', async () => {
    expect(await local(['tiny', '-p', 'hi'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'No model server is running on this machine. Start one: ollama serve, or llama-server -m FILE.gguf -c 32768 --jinja',
      ),
    });
  });

  it('finds mistakes on the command line first', async () => {
    const unknown = await local(['tiny', '--bogus', '-p', 'hi']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown option --bogus') });
    const twice = await local(['--model', 'tiny:1b', '-p', 'hi']);
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Use: robota local tiny:1b') });
  });
});
