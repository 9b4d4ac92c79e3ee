import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentError,
  createInteractiveSession,
  errorMessage,
  type InteractiveSession,
  isJsonObject,
  type JsonObject,
  limitText,
  schemaProblem,
} from '@robota-sdk/agent-sdk';
import { createHeadlessTransport, type TOutputFormat } from '@robota-sdk/agent-transport-headless';
import type { Arguments } from './args.ts';
import { watchInterrupts } from './interrupts.ts';
import { readStdin } from './read-stdin.ts';
import { sessionOptions } from './session-options.ts';
import { terminalOutput } from './terminal-output.ts';

/** More of a piped text than this goes into a file the model can search. */
const maxPipedCharacters = 100_000;

/** Answers one prompt and ends: `robota -p`. Never waits for a person. */
export async function printMode(args: Arguments): Promise<number> {
  const interrupts = watchInterrupts();
  let session: InteractiveSession | undefined;
  try {
    const options = sessionOptions(args);
    const jsonSchema = await readSchema(args.value('json-schema'));
    const piped = await readStdin(interrupts.signal);
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 0;
    const input = await limitPiped(piped);
    const prompt = promptOf(args, input.text);
    const allow = [...(options.rules?.allow ?? []), ...input.rules];
    session = await createInteractiveSession({ ...options, rules: { ...options.rules, allow } });
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 0;
    const opened = session;
    interrupts.signal.addEventListener('abort', () => void opened.abort(), { once: true });
    const stderr = terminalOutput(process.stderr);
    for (const warning of session.warnings) await stderr.write(stderr.clean(`robota: ${warning}\n`));
    const transport = createHeadlessTransport({
      prompt,
      outputFormat: (args.value('output-format') ?? 'text') as TOutputFormat,
      verbose: args.has('verbose'),
      stdout: terminalOutput(process.stdout),
      stderr,
      ...(jsonSchema ? { submit: { jsonSchema } } : {}),
    });
    transport.attach(session);
    await transport.start();
    return interrupts.exitCode ?? transport.getExitCode();
  } finally {
    await session?.shutdown();
    interrupts.stop();
  }
}

function promptOf(args: Arguments, piped: string): string {
  const words = args.words.join(' ').trim();
  if (words === '' && piped.trim() === '') {
    const how = 'Give a prompt: robota -p "what does this project do?", or pipe one in. See robota --help.';
    throw new AgentError(
      'usage',
      args.has('print') ? `There is no prompt. ${how}` : `There is no terminal to talk in. ${how}`,
    );
  }
  if (piped.trim() === '') return words;
  return words === '' ? piped : `${words}\n\n<stdin>\n${piped}\n</stdin>`;
}

/** A long text is kept in a file, together with the rule that lets the model read it. */
async function limitPiped(text: string): Promise<{ text: string; rules: readonly string[] }> {
  if (text.length <= maxPipedCharacters) return { text, rules: [] };
  const outputDir = await realpath(await mkdtemp(join(tmpdir(), 'robota-stdin-')));
  const limited = await limitText(text, { outputDir, name: 'stdin', limit: maxPipedCharacters });
  return { text: limited.text, rules: [`Read(/${outputDir}/**)`] };
}

async function readSchema(path: string | undefined): Promise<JsonObject | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    const why = unreadable[thrown.code ?? ''] ?? thrown.message;
    throw new AgentError('usage', `--json-schema ${path}: ${why}. Name a file with a JSON Schema in it.`);
  });
  const schema = parseSchema(text, path);
  if (!isJsonObject(schema))
    throw new AgentError('usage', `--json-schema ${path}: expected an object like {"type": "object", …}.`);
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new AgentError('usage', `--json-schema ${path}: ${problem}.`);
  return schema;
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory',
  EACCES: 'the file may not be read',
};

function parseSchema(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new AgentError('usage', `--json-schema ${path} is not JSON: ${errorMessage(thrown)}. Correct it.`);
  }
}
