import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it } from 'vitest';
import { BackgroundOutput } from './background-output.ts';

it('says at its end that the file is full, once', async () => {
  const output = new BackgroundOutput(join(await temporaryDirectory(), 'job.txt'));
  const megabyte = 'x'.repeat(1024 * 1024);
  for (let written = 0; written < 70; written += 1) await output.write(megabyte);
  await output.close();
  expect(output.isFull).toBe(true);
  const end = '\n[The rest is not saved: this file holds at most 64 MB.]\n';
  expect(statSync(output.file).size).toBe(64 * 1024 * 1024 + end.length);
  expect(readFileSync(output.file, 'utf8').slice(-end.length - 1)).toBe(`x${end}`);
});
