import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  robotaBin,
  sharedCode,
  startFakeLlama,
  startFakeOllama,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';
import { openTerminal } from './terminal.ts';

const stage = stagePerTest();
let bin: string;
let log: string;

beforeEach(async () => {
  bin = await temporaryDirectory('robota-bin');
  log = join(bin, 'log');
  const script = resolve('test/fixtures/local/fake-server.mjs');
  for (const name of ['ollama', 'llama-server']) {
    await writeFile(join(bin, name), `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
});

/** Nothing runs at the usual addresses, whatever runs on this machine. */
const nothing = '127.0.0.1:1';
const env = (more: Record<string, string> = {}) => ({
  PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  FAKE_LOG: log,
  OLLAMA_HOST: nothing,
  LMSTUDIO_BASE_URL: `http://${nothing}/v1`,
  LLAMA_CPP_BASE_URL: `http://${nothing}/v1`,
  ...more,
});

interface Started {
  readonly pid?: number;
  readonly words?: readonly string[];
  readonly OLLAMA_CONTEXT_LENGTH?: string;
  readonly asked?: boolean;
  readonly helper?: number;
}

async function logged(): Promise<readonly Started[]> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Started);
}

function isAlive(pid = 0): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('robota local', () => {
  it("starts llama.cpp's server for a file with the flags that a session needs, and stops it with the session", async () => {
    await stage.file('models/tiny.gguf', 'GGUF');
    const result = await stage.robota(['local', 'models/tiny.gguf', '-p', 'hi'], { env: env() });
    expect(result).toMatchObject({ code: 0, stdout: 'from llama\n' });
    expect(result.stderr).toContain('Starting llama-server -m models/tiny.gguf');
    const [started] = await logged();
    expect(started?.words?.join(' ')).toMatch(
      /^-m models\/tiny\.gguf -c 32768 --parallel 1 --jinja --host 127\.0\.0\.1 --port \d+$/,
    );
    expect(isAlive(started?.pid)).toBe(false);
  });

  it('starts Ollama for a name, and finds its only model without one', async () => {
    const result = await stage.robota(['local', '-p', 'hi'], { env: env() });
    expect(result).toMatchObject({ code: 0, stdout: 'from ollama\n' });
    const [started] = await logged();
    expect(started).toMatchObject({ words: ['serve'], OLLAMA_CONTEXT_LENGTH: '32768' });
    expect(isAlive(started?.pid)).toBe(false);
  });

  it('uses the only model of a server that runs, and asks for a name where there are more', async () => {
    const llama = await startFakeLlama({ window: 32_768, answer: () => ['from the running one'] });
    const ollama = await startFakeOllama({
      models: [{ name: 'tiny:latest' }],
      answer: () => ({ text: 'no' }),
    });
    try {
      const one = env({ LLAMA_CPP_BASE_URL: `${llama.url}/v1` });
      expect(await stage.robota(['local', '-p', 'hi'], { env: one })).toMatchObject({
        code: 0,
        stdout: 'from the running one\n',
        stderr: '',
      });
      const two = await stage.robota(['local', '-p', 'hi'], { env: { ...one, OLLAMA_HOST: ollama.url } });
      expect(two.code).toBe(2);
      expect(two.stderr).toContain(
        'Several models are available: ollama/tiny:latest, llama.cpp//models/tiny.gguf.',
      );
      const missing = await stage.robota(['local', 'gone:1b', '-p', 'hi'], {
        env: env({ OLLAMA_HOST: ollama.url }),
      });
      expect(missing).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'Ollama is running, but has no model gone:1b. It has: tiny:latest. Get it: ollama pull gone:1b',
        ),
      });
      expect(await logged()).toEqual([]);
    } finally {
      await llama.close();
      await ollama.close();
    }
  });

  it('leaves no server behind where it is killed itself', async () => {
    await stage.file('tiny.gguf', 'GGUF');
    const child: ChildProcess = spawn(process.execPath, [robotaBin, 'local', 'tiny.gguf', '-p', 'hi'], {
      cwd: stage.cwd,
      env: { HOME: stage.home, ...sharedCode(), ...env({ FAKE_HANG: '1' }) },
      stdio: 'ignore',
    });
    await expect.poll(async () => (await logged()).some(({ asked }) => asked)).toBe(true);
    const [started] = await logged();
    expect(isAlive(started?.pid)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => isAlive(started?.pid)).toBe(false);
  });

  it('says that the server ended during the session, and why', async () => {
    await stage.file('tiny.gguf', 'GGUF');
    const dying = env({ FAKE_DIE: '1' });
    const { code, stderr } = await stage.robota(['local', 'tiny.gguf', '-p', 'hi'], { env: dying });
    expect(code).toBe(1);
    expect(stderr).toContain('llama-server ended during the session (exit code 3).');
    expect(stderr).toContain('error: out of memory');
  });

  it.each([{}, { FAKE_DIE: '1' }])('ends what the server started, too: %j', async (more) => {
    await stage.file('tiny.gguf', 'GGUF');
    const stubborn = env({ FAKE_HELPER: '1', ...more });
    await stage.robota(['local', 'tiny.gguf', '-p', 'hi'], { env: stubborn });
    const helper = (await logged()).find((each) => each.helper !== undefined)?.helper;
    await expect.poll(() => isAlive(helper)).toBe(false);
  });

  it('shows in a terminal how far the server is, and nothing that controls the terminal', async () => {
    await stage.file('tiny.gguf', 'GGUF');
    const terminal = openTerminal(['local', 'tiny.gguf', '-p', 'hi'], {
      cwd: stage.cwd,
      home: stage.home,
      env: env(),
    });
    await terminal.exit;
    expect(terminal.raw).toMatch(/fetching 1 %.*fetching 100 %/s);
    expect(terminal.raw).not.toContain('\x1b[2J');
    expect(await terminal.screen()).toMatch(/^Starting llama-server .*\nfrom llama$/);
  });

  it('finds mistakes on the command line before it starts a server', async () => {
    await stage.file('tiny.gguf', 'GGUF');
    const unknown = await stage.robota(['local', 'tiny.gguf', '--bogus', '-p', 'hi'], { env: env() });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown option --bogus') });
    const twice = await stage.robota(['local', '--model', 'tiny:1b', '-p', 'hi'], { env: env() });
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('Use: robota local tiny:1b') });
    expect(await logged()).toEqual([]);
  });

  it('says why a server does not start, and what is missing', async () => {
    await stage.file('broken.gguf', 'GGUF');
    const broken = await stage.robota(['local', 'broken.gguf', '-p', 'hi'], { env: env() });
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain('llama-server did not start (exit code 1).');
    expect(broken.stderr).toContain('out of memory');
    const gone = await stage.robota(['local', 'gone.gguf', '-p', 'hi'], { env: env() });
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('File not found: gone.gguf.') });
    const path = join(await temporaryDirectory('empty-bin'));
    await mkdir(path, { recursive: true });
    const nowhere = { ...env(), PATH: `${path}:${dirname(process.execPath)}:/usr/bin:/bin` };
    expect(await stage.robota(['local', 'qwen3:8b', '-p', 'hi'], { env: nowhere })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ollama is not installed, or not in PATH.'),
    });
  });
});
