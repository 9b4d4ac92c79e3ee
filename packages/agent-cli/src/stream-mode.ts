import { AgentError, createInteractiveSession, type InteractiveSession } from '@robota-sdk/agent-sdk';
import { ChannelInterface, serveStream } from '@robota-sdk/agent-transport-headless';
import type { Arguments } from './args.ts';
import { closeSession } from './close-session.ts';
import { watchInterrupts } from './interrupts.ts';
import { readSchema } from './read-schema.ts';
import { sessionOptions } from './session-options.ts';
import { tellWarnings } from './tell-warnings.ts';
import { terminalOutput } from './terminal-output.ts';

/** Serves a program that speaks JSON on standard input: `robota -p --input-format stream-json`. */
export async function streamMode(args: Arguments): Promise<number> {
  assertOutput(args);
  const interrupts = watchInterrupts();
  let session: InteractiveSession | undefined;
  try {
    const options = sessionOptions(args);
    const jsonSchema = await readSchema(args.value('json-schema'));
    const channel = args.has('permission-prompt-tool') ? new ChannelInterface() : undefined;
    const opened = await createInteractiveSession({ ...options, ...(channel ? { terminal: channel } : {}) });
    session = opened;
    const stderr = terminalOutput(process.stderr);
    const say = (text: string) => stderr.write(stderr.clean(`robota: ${text}\n`));
    await tellWarnings(session, { args, cwd: options.cwd, say });
    interrupts.signal.addEventListener('abort', () => end(opened), { once: true });
    if (interrupts.signal.aborted) end(opened);
    const prompt = args.words.join(' ').trim();
    const code = await serveStream({
      session,
      input: process.stdin,
      stdout: terminalOutput(process.stdout),
      stderr,
      ...(channel ? { channel } : {}),
      ...(prompt === '' ? {} : { prompt }),
      ...(jsonSchema ? { submit: { jsonSchema } } : {}),
      partial: args.has('include-partial-messages'),
      replay: args.has('replay-user-messages'),
    });
    return interrupts.exitCode ?? code;
  } finally {
    if (session) await closeSession(session, args);
    interrupts.stop();
  }
}

/** Stops the run and hears nothing more. */
function end(session: InteractiveSession): void {
  process.stdin.destroy();
  void session.abort();
}

function assertOutput(args: Arguments): void {
  const clash = (['replay', 'record'] as const).find((name) => args.has(name));
  if (clash !== undefined)
    throw new AgentError('usage', `--${clash} and --input-format stream-json can not be used together.`);
  if (args.value('output-format') === 'stream-json') return;
  const advice = 'add --output-format stream-json';
  throw new AgentError('usage', `With --input-format stream-json the answers are JSON lines too: ${advice}.`);
}
