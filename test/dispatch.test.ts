import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelProvider, Robota } from '@robota-sdk/agent-sdk';
import { anthropicReply, ScriptedProvider, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { openStage } from './stage.ts';

it('calls of an injected model go through the tools to the files, and back to it', async () => {
  proves('E-6');
  const cwd = await temporaryDirectory();
  await writeFile(join(cwd, 'note.txt'), 'the answer is 42\n');
  const provider = new ScriptedProvider([
    { toolCalls: [{ name: 'Read', input: { file_path: 'note.txt' } }, { name: 'Nonsense' }] },
    { text: 'It is 42.' },
  ]);
  const robota = new Robota({ env: { ANTHROPIC_API_KEY: 'x' }, home: cwd });
  const answer = await robota.query('what does the note say?', {
    cwd,
    extensions: [
      {
        name: 'injected',
        setup: (host) => host.provider('anthropic', async (): Promise<ModelProvider> => provider),
      },
    ],
  });
  expect(answer).toBe('It is 42.');
  const results = provider.requests[1]?.messages.filter((message) => message.role === 'tool') ?? [];
  expect(results.map(({ toolName, isError }) => [toolName, isError])).toEqual([
    ['Read', false],
    ['Nonsense', true],
  ]);
  expect(JSON.stringify(results[0]?.content)).toContain('the answer is 42');
});

it('rm -rf / and sudo fail at once with a clear error, whatever the mode', async () => {
  proves('E-3', 'E-40');
  const stage = await openStage();
  const commands = ['rm -rf /', 'sudo touch ran', 'sh -c "sudo touch ran"', 'shutdown now', 'reboot'];
  stage.server.reply(
    anthropicReply({ toolCalls: commands.map((command) => ({ name: 'Bash', input: { command } })) }),
    anthropicReply({ text: 'Understood.' }),
  );
  await stage.robota(['-p', 'go', '--permission-mode', 'bypassPermissions', '--allow', 'Bash']);
  const results = stage.results(1);
  expect(results).toHaveLength(commands.length);
  for (const { isError, text } of results) {
    expect(isError).toBe(true);
    expect(text).toContain('Permission denied');
  }
  expect(existsSync(join(stage.cwd, 'ran'))).toBe(false);
  await stage.server.close();
});
