import { createInterface, type Interface } from 'node:readline';
import {
  AgentError,
  askTrust,
  createInteractiveSession,
  errorMessage,
  type InteractiveSession,
  type InteractiveSessionOptions,
  loadConfig,
  textOf,
} from '@robota-sdk/agent-sdk';
import { type Output, redactedOutput, showProgress } from '@robota-sdk/agent-transport-headless';
import type { Arguments } from './args.ts';
import { closeSession } from './close-session.ts';
import { watchInterrupts } from './interrupts.ts';
import { clearLine, type LineReader, lineInterface, lineReader } from './line-interface.ts';
import { describeResumed, isNew, nothingToResume } from './resumed-session.ts';
import { sessionOptions } from './session-options.ts';
import { terminalOutput } from './terminal-output.ts';
import { version } from './version.ts';

/** A conversation line by line: no cursor movement, nothing repainted. */
export async function plainMode(args: Arguments): Promise<number> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, historySize: 200 });
  let session: InteractiveSession | undefined;
  const output = redactedOutput(terminalOutput(process.stdout), (text) => session?.redact(text) ?? text);
  const interrupts = watchInterrupts();
  const reader = lineReader(lines, (line) => session !== undefined && steer(session, line));
  try {
    const terminal = lineInterface(reader, output);
    const given = sessionOptions(args);
    // Here and not with the session, which is opened again where there is no model: nobody wants to be asked twice.
    const config = await loadConfig(given.cwd ?? process.cwd(), {
      trustProject: given.trustProject ?? false,
      askTrust: askTrust(terminal),
    });
    const options = { ...given, terminal, config };
    const opened = await openSession(options, reader, output);
    if (!opened) return interrupts.exitCode ?? 2;
    session = opened;
    onCtrlC(lines, opened, output);
    interrupts.signal.addEventListener('abort', () => {
      lines.close();
      void opened.abort();
    });
    greet(opened, output);
    if (args.has('continue') || args.has('resume')) {
      const what = isNew(opened) ? nothingToResume : describeResumed(opened);
      await output.write(output.clean(`${what}\n`));
    }
    await converse(opened, { reader, output, first: args.words.join(' ').trim() });
    return interrupts.exitCode ?? 0;
  } finally {
    lines.close();
    if (session) await closeSession(session, args, { isFollowed: true });
    interrupts.stop();
  }
}

/** Ctrl+C stops a run, else clears the line, else says how to end; a second one on an empty line ends. */
function onCtrlC(lines: Interface, session: InteractiveSession, output: Output): void {
  let wasTold = false;
  lines.on('line', () => {
    wasTold = false;
  });
  lines.on('SIGINT', () => {
    const isTold = wasTold;
    wasTold = false;
    if (session.isExecuting()) return void session.abort();
    if (clearLine(lines)) return;
    if (isTold) return lines.close();
    wasTold = true;
    void output.write('\nCtrl+C again, Ctrl+D or /exit ends.\n');
    lines.prompt();
  });
}

/** What is typed while the model works is told to it; commands wait for the end of the run. */
function steer(session: InteractiveSession, line: string): boolean {
  const text = line.trim();
  if (text === '' || !session.isExecuting()) return text === '';
  if (text.startsWith('/')) return false;
  void session.submit(text);
  return true;
}

/** Without a model there is still something to try. */
async function openSession(
  options: InteractiveSessionOptions,
  reader: LineReader,
  output: Output,
): Promise<InteractiveSession | undefined> {
  try {
    return await createInteractiveSession(options);
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code !== 'no-provider' || options.model !== undefined) throw thrown;
    await output.write(`${thrown.message}\n\n`);
    const answer = await reader.ask(
      'Try the offline model now? It follows simple rules and is not AI. [Y/n] ',
    );
    if (answer === undefined || /^\s*n/i.test(answer)) return undefined;
    return createInteractiveSession({ ...options, model: 'offline' });
  }
}

function greet(session: InteractiveSession, output: Output): void {
  const { model } = session.getSession();
  void output.write(`robota ${version} · ${model.name} · ${session.permissions.mode} · /help, ctrl+d ends\n`);
  for (const warning of session.warnings) void output.write(output.clean(`warning: ${warning}\n`));
}

interface Conversation {
  readonly reader: LineReader;
  readonly output: Output;
  readonly first: string;
}

async function converse(session: InteractiveSession, { reader, output, first }: Conversation): Promise<void> {
  session.on('event', showProgress(output));
  for (let input: string | undefined = first; input !== undefined; input = await reader.next('> ')) {
    const text = input.trim();
    if (text === '') continue;
    const end = await answer(session, text).catch((thrown: unknown) => ({
      message: `error: ${errorMessage(thrown)}`,
      exit: false,
    }));
    if (end.message !== '') await output.write(output.clean(`${end.message}\n`));
    if (end.exit) return;
    giveBackUnsent(session, reader);
  }
  const unsent = reader.draft;
  await output.write(unsent === '' ? '\n' : output.clean(`\nNot sent: ${unsent}\n`));
}

/** What was typed during a run that did not come to see it is not sent behind anybody's back. */
function giveBackUnsent(session: InteractiveSession, reader: LineReader): void {
  const unsent = session.cancelQueue().map(textOf);
  if (unsent.length > 0) reader.giveBack(unsent.join(' '));
}

async function answer(
  session: InteractiveSession,
  text: string,
): Promise<{ message: string; exit: boolean }> {
  if (!text.startsWith('/')) {
    const result = await session.submit(text);
    const message = result?.status === 'aborted' ? 'interrupted' : (result?.error?.message ?? '');
    return { message: message === '' ? '' : `robota: ${message}`, exit: false };
  }
  const [, name = '', args = ''] = text.match(/^\/(\S*)\s*([\s\S]*)$/) ?? [];
  const result = await session.executeCommand(name, args);
  if (result) return { message: result.message, exit: result.exit ?? false };
  const [near] = session.nearCommands(name);
  const hint = near === undefined ? '/help lists the commands.' : `Did you mean /${near}?`;
  return { message: `Unknown command /${name}. ${hint}`, exit: false };
}
