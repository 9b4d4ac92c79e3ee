import type { Interface, Key } from 'node:readline';
import type { SessionRequest } from '@robota-sdk/agent-screen';
import { InterruptibleWork } from '@robota-sdk/agent-screen';
import {
  completeInput,
  errorMessage,
  type InteractiveSession,
  type InteractiveSessionOptions,
  readInput,
  textOf,
} from '@robota-sdk/agent-sdk/front-end';
import { type Output, redactedOutput, showProgress } from '@robota-sdk/agent-transport-headless';
import { wrapHanging } from '@robota-sdk/agent-tui';
import type { Arguments } from '../arguments/args.ts';
import { sessionOptions } from '../arguments/session-options.ts';
import { commandAdvice } from '../arguments/shell-rows.ts';
import { version } from '../arguments/version.ts';
import { clearLine, type LineReader, lineInterface, lineReader } from '../ask/line-interface.ts';
import { openLines } from '../ask/open-lines.ts';
import { outputAboveLine } from '../ask/output-above-line.ts';
import type { TypedInput } from '../ask/pasted-text.ts';
import { chosenSession } from '../open/chosen-session.ts';
import { closeSession } from '../open/close-session.ts';
import { describeSkills } from '../open/describe-skills.ts';
import { followSession } from '../open/follow-session.ts';
import { openSession, type SessionUi } from '../open/open-session.ts';
import { resumeAt } from '../open/resume-at.ts';
import { resumeParked } from '../open/resume-parked.ts';
import { describeResumed, isNew, lastExchange, nothingToResume } from '../open/resumed-session.ts';
import { shellCommands } from '../open/shell-commands.ts';
import { switchSession } from '../open/switch-session.ts';
import { tellWarnings } from '../open/tell-warnings.ts';
import { wayBack } from '../open/way-back.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { sendInput } from './send-input.ts';
import { ShellEcho } from './shell-echo.ts';

/** A conversation line by line: no cursor movement, nothing repainted. */
export async function plainMode(args: Arguments): Promise<number> {
  let session: InteractiveSession | undefined;
  const interrupts = watchInterrupts();
  const { editor: lines, input } = openLines({
    interrupts,
    historySize: 200,
    completer: completerOf(() => session),
  });
  const work = new InterruptibleWork();
  const onStray = (typed: TypedInput) => session !== undefined && steer(session, typed);
  const reader = lineReader(lines, { onStray, input });
  const output = outputAboveLine(
    redactedOutput(terminalOutput(process.stdout), (text) => session?.redact(text) ?? text),
    lines,
    () => reader.isWaiting,
  );
  // From the start, so that also a question before there is a session can be ended from outside.
  interrupts.signal.addEventListener('abort', () => {
    lines.close();
    work.abort();
    void session?.abort({ keepsParked: true });
  });
  input.on('keypress', (_, key?: Key) => {
    if (key?.name === 'escape' && session?.isExecuting()) void session.abort();
  });
  onCtrlC(lines, { session: () => session, reader, output, work });
  try {
    const terminal = lineInterface(reader, output);
    const given = await chosenSession(optionsFor(args), terminal);
    const services = { options: { ...given, terminal }, terminal, ...lineServices(reader, output) };
    const opened = await openSession(services.options, services);
    if (opened === undefined || opened === 'watched')
      return interrupts.exitCode ?? (opened === 'watched' ? 0 : 2);
    session = opened;
    await resumeAt(session, args);
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 0;
    follow(session, output);
    greet(session, output);
    await tellWarnings(session, {
      args,
      cwd: services.options.cwd,
      say: (text) => output.say(`warning: ${text}`),
    });
    if (args.has('continue') || args.has('resume')) {
      const isNone = args.has('continue') && isNew(session);
      const what = isNone ? [nothingToResume] : [describeResumed(session), lastExchange(session)];
      await output.write(output.clean(`${what.filter(Boolean).join('\n')}\n`));
    }
    let first = { typed: args.words.join(' ').trim(), pasted: '' };
    const tell = (text: string) => void output.write(`error: ${text}\n`);
    resumeParked(session, { ...services, tell, hasPrompt: first.typed !== '' });
    for (;;) {
      const request = await converse(session, { reader, output, work, first });
      if (!request) {
        await output.write(output.clean(await wayBack(session, services.options)));
        return interrupts.exitCode ?? 0;
      }
      const old: InteractiveSession = session;
      session = await switchSession(old, request, services);
      first = { typed: '', pasted: '' };
      if (session === old) continue;
      follow(session, output);
      resumeParked(session, { ...services, tell });
      await closeSession(old, args, { isFollowed: true });
    }
  } finally {
    lines.close();
    if (session) await closeSession(session, args, { isFollowed: true });
    interrupts.stop();
  }
}

function follow(session: InteractiveSession, output: Output): void {
  session.subscribe(showProgress(output));
  session.watchSettings();
}

/** Options of the command line, with the commands that a conversation adds. */
function optionsFor(args: Arguments): InteractiveSessionOptions {
  return { ...sessionOptions(args), extensions: [shellCommands], waitsForLimits: true };
}

function lineServices(reader: LineReader, output: Output): Pick<SessionUi, 'say' | 'giveBack' | 'follow'> {
  return {
    say: output.say,
    giveBack: (text) => reader.giveBack(text),
    follow: (store, reference) => followSession(store, reference, { reader, output }),
  };
}

/** Ctrl+C stops a run, else cancels what is asked, else clears the line, else says how to end; a second one on an empty line ends. */
function onCtrlC(
  lines: Interface,
  { session, reader, output, work }: Talk & { reader: LineReader; session(): InteractiveSession | undefined },
): void {
  let wasTold = false;
  lines.on('line', () => {
    wasTold = false;
  });
  lines.on('SIGINT', () => {
    const isTold = wasTold;
    wasTold = false;
    if (session()?.isExecuting()) return void session()?.abort();
    if (reader.cancel()) return void output.write('\n');
    // Nothing to talk to yet, and nothing that is asked.
    if (session() === undefined) return lines.close();
    if (work.abort()) return;
    if (clearLine(lines)) return;
    // A command may be at work without a run, such as a skill that an agent does.
    void session()?.abort();
    if (isTold) return lines.close();
    wasTold = true;
    void output.write('Ctrl+C again, Ctrl+D or /exit ends.\n');
    if (!reader.isWaiting) lines.prompt();
  });
}

type Completed = (error: null, result: [string[], string]) => void;

/** Tab completes commands and what can follow them, files and agents. */
function completerOf(session: () => InteractiveSession | undefined) {
  return (line: string, done: Completed): void => {
    const current = session();
    if (!current) return done(null, [[], line]);
    completeInput(current, line).then(
      ({ start, items }) => done(null, [items.map(({ value }) => value), line.slice(start)]),
      () => done(null, [[], line]),
    );
  };
}

/** Text typed during a run is sent to the model; commands, including shell commands, wait for its end. */
function steer(session: InteractiveSession, input: TypedInput): boolean {
  const text = (input.typed + input.pasted).trim();
  if (text === '' || !session.isExecuting()) return text === '';
  const { kind } = readInput(session, input.typed);
  if (kind === 'command' || kind === 'shell' || isEnd(input)) return false;
  const tell = (said: string) => session.notify({ level: 'info', text: said });
  sendInput(session, input).then(
    ({ kind, message }) => kind === 'agent' && tell(message),
    (thrown: unknown) => tell(errorMessage(thrown)),
  );
  return true;
}

function greet(session: InteractiveSession, output: Output): void {
  const { model } = session;
  void output.write(`robota ${version} · ${model.name} · ${session.permissions.mode} · /help, ctrl+d ends\n`);
  void output.write(output.clean(describeSkills(session)));
}

interface Talk {
  readonly output: Output;
  /** Work besides a run that Ctrl+C cancels. */
  readonly work: InterruptibleWork;
}

interface LineConversation extends Talk {
  readonly reader: LineReader;
  readonly first: TypedInput;
}

/** Talks until the user exits or switches to another session. */
async function converse(
  session: InteractiveSession,
  { reader, output, work, first }: LineConversation,
): Promise<SessionRequest | undefined> {
  for (let input: TypedInput | undefined = first; input !== undefined; input = await reader.next('> ')) {
    if ((input.typed + input.pasted).trim() === '') continue;
    const reply = await answer(session, input, { output, work }).catch(
      (thrown: unknown): Reply => ({ message: `error: ${errorMessage(thrown)}` }),
    );
    const { message, switchTo, edit } = reply;
    if (message !== '' && switchTo === undefined) await output.say(message);
    if (reply.exit) return undefined;
    giveBackUnsent(session, reader);
    if (switchTo !== undefined)
      return { to: switchTo, notice: message, ...(edit === undefined ? {} : { edit }) };
    if (edit !== undefined) reader.giveBack(edit);
  }
  const unsent = reader.draft;
  await output.write(unsent === '' ? '\n' : output.clean(`\nNot sent: ${unsent}\n`));
  return undefined;
}

/** Text that a run ended too early to read is not sent without the user's knowledge. */
function giveBackUnsent(session: InteractiveSession, reader: LineReader): void {
  const unsent = session.cancelQueue().map(textOf);
  if (unsent.length > 0) reader.giveBack(unsent.join(' '));
}

interface Reply {
  readonly message: string;
  readonly exit?: boolean;
  readonly edit?: string;
  readonly switchTo?: SessionRequest['to'];
}

async function answer(
  session: InteractiveSession,
  input: TypedInput,
  { output, work }: Talk,
): Promise<Reply> {
  if (isEnd(input)) return answer(session, { typed: '/exit', pasted: '' }, { output, work });
  const shell = new ShellEcho(output);
  const result = await work.run((signal) =>
    sendInput(session, input, { signal, onShellOutput: (printed) => shell.show(printed) }),
  );
  if (result.kind === 'shell') return { message: shell.rest(result.message) };
  if (result.kind === 'unknown-command') return { message: familiar(session, input) ?? result.message };
  if (result.kind !== 'prompt' && !result.execution) return { ...result, message: wrapped(result.message) };
  // The answer was shown as it came.
  const { execution } = result;
  const message = execution?.status === 'aborted' ? 'interrupted' : (execution?.error?.message ?? '');
  return { message: message === '' ? '' : `robota: ${message}` };
}

/** Breaks lines between words, as the terminal would not. */
function wrapped(text: string): string {
  const { isTTY, columns } = process.stdout;
  if (!isTTY || !columns) return text;
  return text
    .split('\n')
    .flatMap((line) => wrapHanging(line, columns - 1))
    .join('\n');
}

/** Exit words of other programs count only as the whole prompt. */
function isEnd({ typed, pasted }: TypedInput): boolean {
  return pasted === '' && /^\s*(?:exit|quit)\s*$/.test(typed);
}

function familiar(session: InteractiveSession, { typed }: TypedInput): string | undefined {
  const input = readInput(session, typed);
  const found = input.kind === 'command' ? commandAdvice(input.name) : undefined;
  return input.kind === 'command' && found !== undefined
    ? `Unknown command /${input.name}. ${found}`
    : undefined;
}
