import { ownSessions } from '@robota-sdk/agent-sdk';
import { readOptions, refuseWords } from '../read-options.ts';
import { terminalOutput } from '../terminal-output.ts';

/** `robota sessions list`: what was kept, newest first. */
export async function listCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, { valued: ['cwd', 'limit'], flags: ['json', 'all'] });
  refuseWords(options, 'robota sessions list');
  const store = await ownSessions();
  const cwd = options.value('cwd') ?? process.cwd();
  const summaries = await store.list(options.has('all') ? {} : { cwd });
  const output = terminalOutput(process.stdout);
  const lines = summaries.map(({ id, modified, name, firstPrompt }) =>
    [id, modified, name ?? firstPrompt ?? ''].join('  '),
  );
  await output.write(output.clean(`${lines.join('\n')}\n`));
  return 0;
}
