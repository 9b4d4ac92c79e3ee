import { writeFileSync } from 'node:fs';
import { holdCompilers, releaseCompilers } from '@robota-sdk/agent-screen';
import {
  AgentError,
  type CommandRow,
  createInteractiveSession,
  errorMessage,
  type InteractiveSession,
  type InteractiveSessionOptions,
  isDetached,
  limitText,
  type ParsedInput,
  parseInput,
  pluralize,
} from '@robota-sdk/agent-sdk/front-end';
import {
  createHeadlessRunner,
  type PromptToolInterface,
  resultOfFailure,
  type TOutputFormat,
} from '@robota-sdk/agent-transport-headless';
import type { Arguments } from '../arguments/args.ts';
import { isQuiet } from '../arguments/mode-options.ts';
import { readSchema } from '../arguments/read-schema.ts';
import { sessionOptions } from '../arguments/session-options.ts';
import { version } from '../arguments/version.ts';
import type { ExecOutput } from '../exec/exec-options.ts';
import { closeSession } from '../open/close-session.ts';
import { resumeAt } from '../open/resume-at.ts';
import { describeResumed, isNew, nothingToResume } from '../open/resumed-session.ts';
import { tellWarnings } from '../open/tell-warnings.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { readStdin } from '../terminal/read-stdin.ts';
import { reserveOutput } from '../terminal/reserved-output.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { promptTool } from './prompt-tool.ts';

/** More of a piped text than this goes into a file the model can search. */
const maxPipedCharacters = 100_000;

/** So many parts make an answer a long one. Most are shorter, and need nothing of V8. */
const longParts = 100;

/** Answers one prompt and exits: `robota -p`. Never waits for a user. */
export async function printMode(args: Arguments, exec?: ExecOutput): Promise<number> {
  const interrupts = watchInterrupts();
  const releaseOutput = reserveOutput();
  let session: InteractiveSession | undefined;
  try {
    const options = { ...sessionOptions(args), ...(exec?.isReadOnly ? { ignoreAllowRules: true } : {}) };
    const lastMessage = exec?.lastMessageFile === undefined ? undefined : openFile(exec.lastMessageFile);
    const asker = askerOf(args);
    const jsonSchema = readSchema(args.value('json-schema'));
    const hasPrompt = args.words.length > 0 || args.has('goal') || args.has('replay');
    const piped = await readStdin(interrupts.signal, { hasPrompt });
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 0;
    const words = wordsOf(args, piped);
    const stderr = terminalOutput(process.stderr);
    const say = (text: string) => stderr.say(`robota: ${text}`);
    const prompt = words || piped;
    // A recording may hold commands, and a stream of whole messages begins with a list of them.
    const isListed = args.has('verbose') && (args.value('output-format') ?? 'text') !== 'text';
    const asked = await readAsked(prompt);
    const builtInCommands = isListed || prompt === '' || asked.kind === 'command';
    const needsModel = asksModel(asked, { isPiped: words === '' });
    const opened = await openSession(
      withoutTrace({ ...options, ...(asker ? { terminal: asker } : {}), builtInCommands }, asked),
      { needsModel, name: asked.kind === 'command' ? asked.name : undefined, say },
    ).catch((thrown: unknown) => tellUnopened(thrown, args));
    if (typeof opened === 'number') return opened;
    session = opened;
    if (asker) asker.session = opened;
    if (interrupts.signal.aborted) return interrupts.exitCode ?? 0;
    const stop = () => void opened.abort({ keepsParked: true });
    interrupts.signal.addEventListener('abort', stop, { once: true });
    await tellWarnings(session, { args, cwd: options.cwd, isPrintMode: true, say });
    if (args.has('continue') && isNew(session)) await say(nothingToResume);
    await resumeAt(session, args);
    if (args.has('resume')) await say(describeResumed(session));
    assertWaiting(asked);
    assertConversation(session, { store: options.store, asked });
    const input = inputOf(words, await limitPiped(piped, session));
    const submit = { ...(jsonSchema ? { jsonSchema } : {}), ...(await goalOption(args, session)) };
    const runner = createHeadlessRunner({
      session,
      outputFormat: exec?.isJson ? 'codex-json' : ((args.value('output-format') ?? 'text') as TOutputFormat),
      onResult: ({ result }) => lastMessage?.(result),
      verbose: args.has('verbose'),
      partial: args.has('include-partial-messages'),
      version,
      stdout: terminalOutput(process.stdout),
      stderr,
      submit,
      verify: () => shortfall(opened, replayed),
    });
    spareFirstAnswer(session);
    const { text, ...manner } = input;
    // The prompts of a recording were parsed when it was made.
    const run: RunPrompt = (prompt, manner) => runner.run(prompt, { from: 'pipe', ...manner });
    const agents = await session.tasks.resumeWaiting();
    const replayed: Asked = { ahead: 0, agents: agents.length };
    const code =
      text === ''
        ? await withoutPrompt(session, replayed, run)
        : await runner.run(text, { ...manner, adviseOn, content: exec?.images ?? [] });
    if (args.has('mcp-config')) for (const text of stillStarting(session)) await say(text);
    // Codex has one code for all failures.
    return interrupts.exitCode ?? (exec ? Math.min(code, 1) : code);
  } finally {
    if (session) await closeSession(session, args);
    releaseOutput();
    interrupts.stop();
  }
}

/** Opens a file for the last message before anything runs, so that a path that cannot be written is an error. */
function openFile(path: string): (text: string) => void {
  try {
    writeFileSync(path, '');
  } catch (thrown) {
    throw new AgentError('usage', `-o ${path}: ${errorMessage(thrown)}`);
  }
  return (text) => writeFileSync(path, text);
}

async function adviseOn(command: string): Promise<string | undefined> {
  return (await import('../arguments/shell-rows.ts')).commandAdvice(command);
}

/** A short run may end before its servers have started, or have failed to. */
function stillStarting({ mcp }: InteractiveSession): string[] {
  const waiting = mcp.servers?.states().filter(({ status }) => status === 'starting') ?? [];
  return waiting.map(
    ({ name }) =>
      `The MCP server "${name}" was still starting when the run ended. In a conversation, /mcp shows its state.`,
  );
}

/** Keeps the strongest compiler of V8 out of a long first answer: it takes memory for what is done once. */
function spareFirstAnswer(session: InteractiveSession): void {
  let parts = 0;
  const stop = session.subscribe(({ type }) => {
    if (type === 'text-delta' && ++parts === longParts) holdCompilers('turbofan');
    if (type !== 'turn-end') return;
    releaseCompilers();
    stop();
  });
}

/** Sets the goal of the command line; returns what tells the model of it. */
async function goalOption(args: Arguments, { goal }: InteractiveSession) {
  const text = args.value('goal');
  const check = args.value('check');
  if (text === undefined && check !== undefined)
    throw new AgentError('usage', '--check needs --goal TEXT: say what the command proves.');
  if (text === undefined) return {};
  return { attachments: [{ type: 'text', text: await goal.set({ text, check }) } as const] };
}

/** Asks for approvals; undefined if they are denied. */
function askerOf(args: Arguments): PromptToolInterface | undefined {
  const tool = args.value('permission-prompt-tool');
  return tool === undefined || isQuiet(args) ? undefined : promptTool(tool);
}

/** The input, as far as it can be parsed without a session. */
type AskedInput = ParsedInput<CommandRow>;

/** Loads the command table only for what may be a command. */
async function readAsked(prompt: string): Promise<AskedInput> {
  const input = parseInput<CommandRow | true>(prompt, () => true);
  if (input.kind !== 'command') return input;
  const { findCommandRow } = await import('@robota-sdk/agent-sdk/front-end');
  return parseInput(prompt, findCommandRow);
}

/** Commands of files and skills may ask a model; a shell command asks none, but only a typed one runs. */
function asksModel(asked: AskedInput, { isPiped }: { readonly isPiped: boolean }): boolean {
  if (asked.kind === 'shell') return isPiped;
  if (asked.kind !== 'command' || !asked.command) return true;
  return asked.command.yields === true || asked.command.needs.includes('model');
}

/** A command about a conversation that does not exist would only leave an empty session behind. */
function assertConversation(
  session: InteractiveSession,
  { store, asked }: { readonly store: InteractiveSessionOptions['store']; readonly asked: AskedInput },
): void {
  const isFresh = store === 'new' || store === 'none';
  if (asked.kind !== 'command' || !isFresh) return;
  if (!session.findCommand(asked.name)?.needs?.includes('conversation')) return;
  const advice = 'Add -c for the last one of this directory, or -r ID for another.';
  throw new AgentError('usage', `/${asked.name} needs a conversation, and there is none here. ${advice}`);
}

/** Detached agents would end with the program, right after it reported their start. */
function assertWaiting(asked: AskedInput): void {
  if (asked.kind !== 'command' || asked.name !== 'agent' || !isDetached(asked.args)) return;
  const advice = 'Leave it out, and their results are waited for.';
  throw new AgentError('usage', `With --detach the agents would end with this program. ${advice}`);
}

/** A command that asks no model leaves no new session behind. */
function withoutTrace(options: InteractiveSessionOptions, asked: AskedInput): InteractiveSessionOptions {
  const isCommand = asked.kind === 'command' && !asksModel(asked, { isPiped: false });
  return options.store === 'new' && isCommand ? { ...options, store: 'none' } : options;
}

/** A program that reads JSON is told in JSON why there is no session to work in. */
async function tellUnopened(thrown: unknown, args: Arguments): Promise<number> {
  const isText = (args.value('output-format') ?? 'text') === 'text';
  if (isText || !AgentError.is(thrown) || !/^session(-in-use)?$/.test(thrown.code)) throw thrown;
  const result = resultOfFailure(thrown, { sessionId: '', durationMs: Math.round(process.uptime() * 1000) });
  await terminalOutput(process.stdout).write(`${JSON.stringify(result)}\n`);
  return 2;
}

/** How many recorded prompts are still to be asked. */
interface Asked {
  ahead: number;
  /** Agents that wait for a limit again. */
  readonly agents: number;
}

const agentsResumed =
  'The background agents that waited for a rate limit have resumed. Continue when they have reported.';

type RunPrompt = (prompt: string, manner?: { readonly resumesParked: true }) => Promise<number>;

/** Resumes a run that waited for a limit, or asks again what was asked when the recording was made. */
async function withoutPrompt(
  { replay, branches }: InteractiveSession,
  asked: Asked,
  run: RunPrompt,
): Promise<number> {
  if (!replay && branches.parked) return run('', { resumesParked: true });
  if (!replay && asked.agents > 0) return run(agentsResumed);
  if (!replay) throw missingPrompt('No prompt, and no run that waits for a rate limit.');
  const { prompts } = replay;
  if (prompts.length === 0)
    throw new AgentError('usage', 'The recording has no prompt. Record one, or add one with -p.');
  let code = 0;
  for (const [index, prompt] of prompts.entries()) {
    asked.ahead = prompts.length - 1 - index;
    code = await run(prompt);
  }
  return code;
}

/** The problem of a replay that ended before its recording. */
function shortfall({ replay }: InteractiveSession, { ahead }: Asked) {
  const { remaining = 0 } = replay ?? {};
  if (remaining === 0 || ahead > 0) return undefined;
  const calls = pluralize(remaining, 'model call');
  const message = `The replay diverged: the recording has ${calls} more than this run made. Record it again.`;
  return { code: 'replay', message };
}

interface OpeningNeeds {
  readonly needsModel: boolean;
  /** The command that the prompt is, if it is one. */
  readonly name: string | undefined;
  say(text: string): void | Promise<void>;
}

/** Opens the session; without a configured model, the offline one stands in for commands that ask none. */
async function openSession(
  options: InteractiveSessionOptions,
  { needsModel, name, say }: OpeningNeeds,
): Promise<InteractiveSession> {
  try {
    return await createInteractiveSession(options);
  } catch (thrown) {
    const isConfigured =
      !AgentError.is(thrown) || thrown.code !== 'no-provider' || options.model !== undefined;
    if (isConfigured || (needsModel && name === undefined)) throw thrown;
    const session = await createInteractiveSession({ ...options, model: 'offline' });
    // An unknown command needs no model: the command is what the user has to correct.
    const command = name === undefined ? undefined : session.findCommand(name);
    if (name !== undefined && !command) return session;
    if (needsModel && (command?.needs ?? ['model']).includes('model')) {
      await session.shutdown();
      throw thrown;
    }
    await say('no model is configured; using the offline model for this command');
    return session;
  }
}

/** The prompt as far as it was typed; an error where there is neither that nor a piped one. */
function wordsOf(args: Arguments, piped: string): string {
  const words = args.words.join(' ').trim() || (piped.trim() === '' ? (args.value('goal') ?? '') : '');
  // A recording has its prompts in it.
  if (words !== '' || piped.trim() !== '' || args.has('replay')) return words;
  // A session may have a run that waits for a limit.
  if (args.has('continue') || args.has('resume') || args.has('session')) return words;
  throw missingPrompt(args.has('print') ? 'Missing prompt.' : 'No terminal, and no prompt.');
}

function missingPrompt(message: string): AgentError {
  return new AgentError('usage', message, {
    hint: { text: 'Pipe one in, or run', run: ['-p', 'what does this project do?'] },
  });
}

/** The input; piped text is never interpreted, except that a whole prompt may be a command. */
function inputOf(words: string, piped: string): { text: string; from?: 'pipe'; suffix?: string } {
  if (piped.trim() === '') return { text: words };
  if (words === '') return { text: piped, from: 'pipe' };
  return { text: words, suffix: `\n\n<stdin>\n${piped}\n</stdin>` };
}

/** A long text is kept with the long outputs of the session, where the model may read. */
async function limitPiped(text: string, session: InteractiveSession): Promise<string> {
  if (text.length <= maxPipedCharacters) return text;
  const { outputDir } = session;
  return (await limitText(text, { outputDir, name: 'stdin', limit: maxPipedCharacters })).text;
}
