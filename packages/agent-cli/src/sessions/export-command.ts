import {
  AgentError,
  exportRedactor,
  exportSession,
  exportTarget,
  type ReadOptions,
  readOptions,
  requireSession,
  writeExport,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { commandDirectory } from './session-arguments.ts';
import { sessionSource } from './session-source.ts';

/** `robota sessions export`: a session as a page, as Markdown or as lines, in a file or on standard output. */
export async function exportCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('sessions', 'export'));
  const session = await openSession(options);
  const { file, format } = exportTarget({
    session,
    cwd: process.cwd(),
    output: options.value('output'),
    format: options.value('format'),
  });
  const isRaw = options.has('raw');
  if (isRaw && format !== 'jsonl')
    throw new AgentError('usage', '--raw keeps secrets, which only --format jsonl can do.');
  const redact = isRaw ? undefined : await exportRedactor(commandDirectory(options));
  const pieces = exportSession(session, {
    format,
    allBranches: options.has('all-branches'),
    ...(redact ? { redact } : {}),
  });
  if (file === undefined) return print(pieces);
  await writeExport(file, pieces, { overwrite: options.has('force') });
  await terminalOutput(process.stderr).say(`Exported to ${file}${isRaw ? ', secrets and all' : ''}.`);
  return 0;
}

async function openSession(options: ReadOptions) {
  const [reference, more] = options.words;
  if (reference === undefined || more !== undefined) {
    const problem = reference === undefined ? 'Missing session.' : 'Name one session, with words in quotes.';
    throw new AgentError('usage', problem, { hint: { text: 'List them with', run: ['sessions', 'list'] } });
  }
  const { catalogue, store } = await sessionSource(options);
  const { path } = await requireSession(reference, catalogue, {
    cwd: commandDirectory(options),
    all: options.has('all'),
  });
  return store.open(path, { mode: 'read' });
}

async function print(pieces: AsyncIterable<string>): Promise<number> {
  const output = terminalOutput(process.stdout);
  for await (const piece of pieces) await output.write(output.clean(piece));
  return 0;
}
