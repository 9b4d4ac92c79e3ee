import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JsonlSessionStore } from './jsonl-store.ts';

const appendForever = `
  import { writeSync } from 'node:fs';
  import { user } from '../fixtures/messages.ts';
  import { JsonlSessionStore } from './jsonl-store.ts';

  const store = new JsonlSessionStore({ home: process.argv[2] });
  const handle = await store.create({ cwd: '/' });
  writeSync(1, handle.id + '\\n');
  for (let count = 0; ; count++) {
    const message = user('x'.repeat((count * 977) % 20_000));
    await handle.append({ type: 'message', message }, { durable: count % 10 === 0 });
    writeSync(1, message.id + '\\n');
  }
`;

let home: string;
let script: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'robota-kill-'));
  script = join(home, 'append-forever.mjs');
  await build({
    stdin: { contents: appendForever, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@robota-sdk/source'],
  });
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Starts a process that appends and says what it has appended; kills it after so many acknowledgements. */
function killAfter(acknowledgements: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, home], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.split('\n').length > acknowledgements) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(output.split('\n').slice(0, -1)));
  });
}

describe('AppendLog', () => {
  it('has every acknowledged line after kill -9, and the session opens and continues', async () => {
    const store = new JsonlSessionStore({ home });
    for (let run = 0; run < 10; run++) {
      const [id = '', ...acknowledged] = await killAfter(2 + run * 13);
      expect(acknowledged.length).toBeGreaterThan(0);
      const handle = await store.open(id);
      const kept = new Set(handle.path().map((entry) => (entry.type === 'message' ? entry.message.id : '')));
      expect(acknowledged.filter((messageId) => !kept.has(messageId))).toEqual([]);
      await handle.append({ type: 'custom', customType: 'after' });
      await handle.close();
      const again = await store.open(id, { mode: 'read' });
      expect(again.problems).toEqual([]);
      expect(again.path()).toHaveLength(kept.size + 1);
    }
  });
});
