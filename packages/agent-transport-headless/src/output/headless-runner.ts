import {
  AgentError,
  callback,
  checkArguments,
  type DispatchOptions,
  dispatchInput,
  either,
  errorMessage,
  having,
  type InputResult,
  type InteractiveSession,
  interactiveSessionOf,
  objectInstance,
  optional,
  type Session,
  type SessionEvent,
  type SubmitOptions,
  text,
} from '@robota-sdk/agent-sdk/front-end';
import { CodexEvents } from './codex-events.ts';
import { initLine, messageEvents, refusalLine } from './message-events.ts';
import { type Output, redactedOutput, streamOutput } from './output.ts';
import { partialMessages } from './partial-messages.ts';
import { printStreamEvents } from './print-stream-events.ts';
import {
  inClaudeForm,
  type ResultObject,
  resultOfCommand,
  resultOfFailure,
  resultOfRun,
  withFailureKind,
} from './result-object.ts';
import { RunMeter } from './run-meter.ts';
import type { SessionUsage } from './session-usage.ts';
import { showProgress } from './show-progress.ts';
import { statusMessages } from './status-messages.ts';
import { taskMessages } from './task-messages.ts';

/** `codex-json` prints the lines of `codex exec --json`. */
export type TOutputFormat = 'text' | 'json' | 'stream-json' | 'codex-json';

export interface IHeadlessRunnerOptions {
  /** A session of a client is opened with its first prompt. */
  readonly session: InteractiveSession | Session;
  /** `text` unless given. */
  readonly outputFormat?: TOutputFormat | undefined;
  /** Passed on with the prompt: a schema for the result, limits. */
  readonly submit?: SubmitOptions;
  /** Also print thinking, tool calls and results as they happen: as text, or as JSON in the form of `claude -p`. */
  readonly verbose?: boolean;
  /** Print answers piece by piece, as the events of Anthropic's API; without it only their text. */
  readonly partial?: boolean;
  /** Name the kind of a failure in `subtype`, as the SDKs of Claude Code do; it is `error` otherwise. */
  readonly failureKinds?: boolean;
  /** Report the usage of the whole session, as the SDKs of Claude Code do; it is that of the prompt otherwise. */
  readonly sessionUsage?: SessionUsage;
  /** Hears the output of a command that asks no model, before its result is printed. */
  readonly onCommandOutput?: (text: string) => Promise<void>;
  /** Hears the result before it is printed. */
  readonly onResult?: (result: ResultObject) => void | Promise<void>;
  /** The version of the program, for the line that a stream begins with. */
  readonly version?: string;
  readonly stdout?: Output;
  readonly stderr?: Output;
  /** A last look at a run that succeeded: what is wrong with it after all. */
  verify?(): { readonly code: string; readonly message: string } | undefined;
}

/** The same with a session that is open. */
interface RunnerOptions extends IHeadlessRunnerOptions {
  readonly session: InteractiveSession;
}

/** Options of one input. */
type RunOptions = Pick<
  DispatchOptions,
  'from' | 'suffix' | 'content' | 'pasted' | 'resumesParked' | 'adviseOn'
>;

export interface HeadlessRunner {
  /** Runs one prompt or command and resolves with the exit code: 0 done or interrupted, 1 error, 75 a rate limit that resets. */
  run(prompt: string, options?: RunOptions): Promise<number>;
}

interface Channel {
  readonly session: InteractiveSession;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Takes lines of JSON. */
  readonly lines: Output;
  /** The lines of `json`, which become one list. */
  readonly kept: string[];
  /** The answer was printed as it came. */
  hasShownText: boolean;
}

const runnerOptions = having({
  session: either(
    having({ run: callback, close: callback }),
    having({ submit: callback, subscribe: callback }),
  ),
  submit: optional(objectInstance),
  stdout: optional(having({ write: callback })),
  stderr: optional(having({ write: callback })),
  verify: optional(callback),
  onCommandOutput: optional(callback),
});

/** Runs a session without a user: formats its output and decides the exit code, nothing else. */
export function createHeadlessRunner(given: IHeadlessRunnerOptions): HeadlessRunner {
  checkArguments('createHeadlessRunner', { options: [given, runnerOptions] });
  const outputFormat = formatOf(given.outputFormat);
  return {
    run: async (prompt, manner = {}) => {
      checkArguments('HeadlessRunner.run', { prompt: [prompt, text], options: [manner, objectInstance] });
      const session = await interactiveSessionOf(given.session);
      const options: RunnerOptions = { ...given, session, outputFormat };
      const redacted = (output: Output) => redactedOutput(output, (text) => session.redact(text));
      const stdout = redacted(options.stdout ?? streamOutput(process.stdout));
      const kept: string[] = [];
      const keep = redacted({ ...stdout, write: (text) => void kept.push(...text.trimEnd().split('\n')) });
      const channel: Channel = {
        session,
        stdout,
        lines: outputFormat === 'json' ? keep : stdout,
        kept,
        stderr: redacted(options.stderr ?? streamOutput(process.stderr)),
        hasShownText: false,
      };
      if (driven.has(session) || session.isExecuting()) return refuse(channel, options);
      driven.add(session);
      const abort = () => void session.abort();
      const { closed } = channel.stdout;
      closed.addEventListener('abort', abort, { once: true });
      const stops = [subscribe(channel, options)];
      const codex = outputFormat === 'codex-json' ? new CodexEvents(session, channel.stdout) : undefined;
      try {
        if (codex) stops.push(await codex.start());
        if (isClaudeForm(options)) await channel.lines.write(initLine(session, options));
        const result = await execute(withReader(options, closed), prompt, manner);
        if (result.model === undefined && !result.is_error && result.result !== '')
          await options.onCommandOutput?.(result.result);
        // A refusal of the vendor is an answer in the form of `claude -p`.
        if (isClaudeForm(options) && result.is_error && result.subtype === 'success')
          await channel.lines.write(refusalLine(session, result.result));
        await options.onResult?.(result);
        await (codex?.finish(result) ?? writeResult(channel, options, result));
        return exitCodeOf(result);
      } finally {
        for (const stop of stops) stop();
        driven.delete(session);
        closed.removeEventListener('abort', abort);
        await channel.stdout.flush();
      }
    },
  };
}

/** Sessions that a runner drives. Another runner's prompt is refused, and must not join the run of the first. */
const driven = new WeakSet<InteractiveSession>();

const formats: readonly TOutputFormat[] = ['text', 'json', 'stream-json', 'codex-json'];

/** A format that does not exist is a mistake of the program, never another format. */
function formatOf(format: TOutputFormat | undefined = 'text'): TOutputFormat {
  if (formats.includes(format)) return format;
  throw new AgentError(
    'usage',
    `Unknown output format ${JSON.stringify(format)}. Choose one of ${formats.join(', ')}.`,
  );
}

/** `EX_TEMPFAIL` of sysexits: the same run can succeed later. */
const tryLater = 75;

function exitCodeOf({ is_error: isError, resets_at: resetsAt }: ResultObject): number {
  if (!isError) return 0;
  return resetsAt === undefined ? 1 : tryLater;
}

/** Stops when the reader of the output is gone. */
function withReader<O extends RunnerOptions>(options: O, closed: AbortSignal): O {
  const { submit } = options;
  const signal = submit?.signal ? AbortSignal.any([submit.signal, closed]) : closed;
  return { ...options, submit: { ...submit, signal } };
}

const busy = { code: 'session', message: 'The session is busy with another run.' };

/** Reports a prompt that did nothing. */
async function refuse(channel: Channel, options: RunnerOptions): Promise<number> {
  const refused = resultOfFailure(busy, { sessionId: options.session.id, durationMs: 0 });
  const result = options.failureKinds ? withFailureKind(refused) : refused;
  await writeResult(channel, options, result);
  await channel.stdout.flush();
  return exitCodeOf(result);
}

async function execute(options: RunnerOptions, prompt: string, manner: RunOptions): Promise<ResultObject> {
  const meter = new RunMeter(options.session);
  try {
    const result = await measure(meter, options, () =>
      dispatchInput(options.session, prompt, { ...options.submit, ...manner, joinsRun: false }),
    );
    const { failureKinds, sessionUsage } = options;
    const { api_error_status: status, ...told } = result;
    const form = isClaudeForm(options) ? inClaudeForm(told, status ?? undefined) : told;
    const named = failureKinds ? withFailureKind(form) : form;
    return sessionUsage?.complete(named, meter.finish()) ?? named;
  } finally {
    meter.finish();
  }
}

async function measure(
  meter: RunMeter,
  { session, verify }: RunnerOptions,
  dispatch: () => Promise<InputResult>,
): Promise<ResultObject> {
  const startedAt = performance.now();
  const sessionId = session.id;
  const before = session.totals;
  const frame = () => ({
    sessionId,
    durationMs: Math.round(performance.now() - startedAt),
    measured: meter.finish(),
    spent: spentSince(before, session.totals),
  });
  try {
    const result = await dispatch();
    if (result.kind === 'unknown-command')
      return resultOfFailure({ code: 'unknown-command', message: result.message }, frame());
    const told =
      result.kind === 'prompt'
        ? result.execution && resultOfRun(result.execution, frame())
        : resultOfCommand(result, frame());
    if (!told) return resultOfFailure(busy, frame());
    const wrong = told.is_error ? undefined : verify?.();
    return wrong ? resultOfFailure(wrong, frame()) : told;
  } catch (thrown) {
    const code = AgentError.is(thrown) ? thrown.code : 'internal';
    return resultOfFailure({ code, message: errorMessage(thrown) }, frame());
  }
}

type Totals = InteractiveSession['totals'];

function spentSince(before: Totals, after: Totals): Pick<Totals, 'usage' | 'cost'> {
  const since = (name: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    Math.max(0, after.usage[name] - before.usage[name]);
  return {
    usage: {
      input: since('input'),
      output: since('output'),
      cacheRead: since('cacheRead'),
      cacheWrite: since('cacheWrite'),
    },
    cost: Math.max(0, after.cost - before.cost),
  };
}

/** Subscribes before anything runs, so that no event is missed; returns the function that takes it back. */
function subscribe(channel: Channel, options: RunnerOptions): () => void {
  const { outputFormat, verbose, partial } = options;
  const { session, stdout, stderr, lines } = channel;
  const isStream = outputFormat === 'stream-json';
  const showAside = showProgress(stderr);
  const showAll = showProgress(stdout);
  const stops = [
    session.subscribe((event) => {
      if (aside.has(event.type)) return showAside(event);
      if (outputFormat !== 'text' || !verbose) return;
      if (event.type === 'text-delta') channel.hasShownText = true;
      return showAll(event);
    }),
    ...(isStream && partial ? [partialMessages(session, stdout)] : []),
    ...(isStream && !verbose ? [printStreamEvents(session, stdout, { partial: !partial })] : []),
    ...(isClaudeForm(options) ? [messageEvents(session, lines, { asClaude: true })] : []),
    ...(isStream && verbose ? [statusMessages(session, stdout), taskMessages(session, stdout)] : []),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** With `verbose`, lines of JSON are those of `claude -p`. */
function isClaudeForm({ outputFormat, verbose }: RunnerOptions): boolean {
  return verbose === true && (outputFormat === 'json' || outputFormat === 'stream-json');
}

/** Notices for the user that must not mix with the answer. */
const aside: ReadonlySet<SessionEvent['type']> = new Set([
  'retry-wait',
  'limit-wait',
  'limit-end',
  'model-switch',
  'notice-show',
]);

async function writeResult(
  { stdout, stderr, hasShownText, kept }: Channel,
  { outputFormat, submit, verbose }: RunnerOptions,
  result: ResultObject,
) {
  const line = JSON.stringify(result);
  if (outputFormat === 'json' && verbose) return stdout.write(`[${[...kept, line].join(',')}]\n`);
  if (outputFormat !== 'text') return stdout.write(`${line}\n`);
  // With JSON output, nothing else is printed.
  const isRun = result.model !== undefined;
  const isUnfit = isRun && submit?.jsonSchema !== undefined && result.structured_output === undefined;
  const text = isUnfit ? '' : stdout.clean(result.result || result.partial_result || '');
  if (!hasShownText && text !== '') await stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  if (result.interrupted && !stdout.closed.aborted) await stderr.write('robota: interrupted\n');
  if (result.is_error) await stderr.say(`robota: ${result.error}`);
  for (const denial of result.permission_denials) {
    const allow = denial.would_allow;
    const hint =
      Array.isArray(allow) && allow.length > 0
        ? ` Allow it with ${allow.map((rule) => `--allow "${rule}"`).join(' ')}.`
        : '';
    await stderr.say(`robota: denied ${denial.tool_name}: ${denial.reason}${hint}`);
  }
}
