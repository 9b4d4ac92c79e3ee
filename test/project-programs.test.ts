import { existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

/** Programs of the project that leave the key behind if they are run. */
const names = ['mkfifo', 'rg', 'git', 'bash', 'ps', 'bwrap', 'ls'];

/** Folders that a search path may name: one of npm, and one of the project's own. */
const folders = ['node_modules/.bin', 'tools'];

it('programs of the project on the search path are not run by robota itself', async () => {
  proves('E-39');
  for (const folder of folders)
    for (const name of names) {
      await stage.file(
        join(folder, name),
        `#!/bin/sh\necho "${folder}/${name} $ANTHROPIC_API_KEY" >> "${stage.cwd}/canary"\nexit 1\n`,
      );
      await chmod(join(stage.cwd, folder, name), 0o755);
    }
  await stage.file('a.txt', 'hello\n');
  const turns = [
    {
      toolCalls: [
        { id: 'toolu_1', name: 'Bash', input: { command: 'echo from-bash' } },
        { id: 'toolu_2', name: 'Grep', input: { pattern: 'hello', output_mode: 'content' } },
        { id: 'toolu_3', name: 'Glob', input: { pattern: '*.txt' } },
        { id: 'toolu_4', name: 'Bash', input: { command: 'ls' } },
      ],
    },
    { text: 'done' },
  ];
  stage.server.reply(...turns.map((turn) => anthropicReply(turn)));
  // A program of the second folder is found only if those of the first are passed over.
  const places = folders.flatMap((folder) => [folder, join(stage.cwd, folder)]);
  const env = { PATH: [...places, process.env.PATH].join(':') };
  const { stdout } = await stage.robota(['-p', 'go', '--output-format', 'json'], { env });
  expect(stage.results(-1)[0]?.text).toContain('from-bash');
  expect(stage.results(-1)[1]?.text).toContain('hello');
  expect(stage.results(-1)[3]).toMatchObject({ isError: true });
  expect(stdout).toContain('done');
  await stage.robota(['doctor'], { env });
  const canary = join(stage.cwd, 'canary');
  expect(existsSync(canary) ? readFileSync(canary, 'utf8') : '').toBe('');
});
