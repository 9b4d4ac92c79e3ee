import { join } from 'node:path';
import {
  AgentError,
  describeExit,
  type OmittedOutput,
  startTimer,
  type ToolContext,
  type ToolOutput,
  textOutput,
} from '@robota-sdk/agent-core';
import { OutputBuffer } from '../output/limit-output.ts';
import { sandboxFor } from '../sandbox/sandbox-for.ts';
import { activeTimeout } from './active-timeout.ts';
import { BackgroundOutput, fileLimitText } from './background-output.ts';
import type { TextSink } from './command-text.ts';
import { formatSeconds, jobName } from './describe-job.ts';
import { Job, printLimit } from './job.ts';
import { type BackgroundJob, type Processes, processes } from './processes.ts';
import { ProgressReporter } from './progress-reporter.ts';

export interface CommandInput {
  readonly command: string;
  readonly timeoutMs: number;
}

/** The result of a command, for the model and the user. */
export interface BashResult {
  readonly output: ToolOutput;
  /** Its output and remarks, without the exit code. */
  readonly printed: string;
  readonly omitted?: OmittedOutput;
}

/** Characters reserved for remarks after an output that is cut, within the limit of the result. */
export const remarksLimit = 1500;

/** Runs a command until it ends, times out, is interrupted or prints too much. */
export async function runCommand(input: CommandInput, context: ToolContext): Promise<BashResult> {
  if (context.signal.aborted) throw new AgentError('aborted', 'Interrupted before the command was started.');
  const { outputDir, callId } = context;
  const buffer = new OutputBuffer({ outputDir, name: callId, reserve: remarksLimit });
  const progress = new ProgressReporter(
    (text) => context.progress(text),
    () => job.text.pending,
  );
  const job: Job = await startJob(input, context, (text) => {
    progress.add(text);
    return text === '' ? undefined : buffer.write(text);
  });
  const undone: string[] = [];
  job.watch({ inBackground: false }, (remarks) => undone.push(...remarks));
  const waited = await waitForEnd(job, input, context);
  progress.end();
  await buffer.write(job.text.flush());
  const finished = buffer.finish();
  // Synchronously: later output belongs to the job.
  const background = waited === 'ended' ? undefined : continueInBackground(job, context);
  if (waited === 'moved') background?.output.startWith(finished.then(({ text }) => text));
  const { text, omitted } = await finished;
  if (!background) undone.push(...(job.sandbox?.end({ inBackground: false }) ?? []));
  const end = { job, text, omitted, timeoutMs: input.timeoutMs, background, undone };
  return background && waited === 'moved' ? movedResult({ ...end, background }) : commandResult(end);
}

/** Starts a command that runs while the conversation continues. */
export async function startInBackground(
  input: CommandInput | (Omit<CommandInput, 'timeoutMs'> & { readonly timeoutMs?: undefined }),
  context: ToolContext,
): Promise<ToolOutput> {
  if (context.signal.aborted) throw new AgentError('aborted', 'Interrupted before the command was started.');
  const table = context.state.get(processes);
  const output = backgroundOutput(context);
  const job = await startJob(input, context, (text) => output.write(text));
  followSandbox(job, context);
  table.track(job);
  const { id } = table.addBackground(job, output);
  if (input.timeoutMs !== undefined) startTimer(input.timeoutMs, () => void job.stop('timeout'));
  const advice = `Read its output with {"job":{"action":"read","id":${id}}}; everything it prints is also in ${output.file}, up to ${fileLimitText}.`;
  const task = jobName(id);
  const display = { kind: 'text', text: `Runs in the background as ${task}.`, task } as const;
  return textOutput(`Started in the background as ${task}. ${advice}`, { display });
}

/** Reports what the sandbox reverts while a background command runs and when it ends. */
function followSandbox(job: Job, { ui }: ToolContext): void {
  const report = (remarks: readonly string[]) => {
    for (const text of remarks) ui.notify({ level: 'warning', text });
  };
  job.watch({ inBackground: true }, report);
  void job.process.exited
    .then(() => (job.process.isRunning ? job.process.closed : undefined))
    .then(() => report(job.sandbox?.end({ inBackground: true }) ?? []));
}

async function startJob(
  { command }: { command: string },
  context: ToolContext,
  sink: TextSink,
): Promise<Job> {
  const { workspace, env } = context;
  return Job.start({ command, cwd: workspace.cwd, env, sink, sandbox: await sandboxFor(context) });
}

function backgroundOutput({ outputDir, callId }: ToolContext): BackgroundOutput {
  return new BackgroundOutput(join(outputDir, `${callId.replace(/[^\w.-]/g, '_').slice(0, 100)}-job.txt`));
}

function continueInBackground(job: Job, context: ToolContext): BackgroundJob {
  followSandbox(job, context);
  return context.state.get(processes).addBackground(job, backgroundOutput(context));
}

/**
 * `ended`: nothing runs any more; `left`: processes of the command still run; `moved`: the user moved it to the
 * background.
 */
type Waited = 'ended' | 'left' | 'moved';

/** Waits until the command ends or need not be waited for. A moved one no longer has a timeout. */
async function waitForEnd(job: Job, input: CommandInput, context: ToolContext): Promise<Waited> {
  const table = context.state.get(processes);
  const abort = () => void job.stop('aborted');
  const cancelTimeout = activeTimeout(() => void job.stop('timeout'), input.timeoutMs);
  context.signal.addEventListener('abort', abort);
  table.track(job);
  // The interrupt may have come during the start.
  if (context.signal.aborted) abort();
  const offer = context.isNeeded ? noMove : table.offerMove();
  try {
    const first = await Promise.race([job.process.settle(), offer.moved]);
    if (first === 'moved' && job.stopped === undefined) return 'moved';
    const isLeft = first === 'moved' ? await job.process.settle() : first;
    if (job.stopped !== undefined) await job.stop(job.stopped);
    else if (isLeft) return 'left';
    else abandonOutput(job);
    table.untrack(job);
    return 'ended';
  } finally {
    offer.withdraw();
    cancelTimeout();
    context.signal.removeEventListener('abort', abort);
  }
}

const noMove: ReturnType<Processes['offerMove']> = { moved: new Promise(() => {}), withdraw: () => {} };

/** A daemon that left the group may still hold the pipe: closing it would kill the daemon at its next output. */
function abandonOutput(job: Job): void {
  job.process.unref();
  job.sink = () => undefined;
}

interface CommandEnd {
  readonly job: Job;
  readonly text: string;
  readonly omitted: OmittedOutput | undefined;
  readonly timeoutMs: number;
  readonly background: BackgroundJob | undefined;
  /** Changes that the sandbox reverted. */
  readonly undone: readonly string[];
}

function commandResult(end: CommandEnd): BashResult {
  const { job } = end;
  const exit = job.exit ?? { code: null, signal: null };
  const isError = job.stopped !== undefined || exit.code !== 0;
  const body = end.text.replace(/(?<!\n)\n+$/, '');
  const blocked = job.sandbox?.remarksOn(end.text, { failed: isError }) ?? [];
  const textFor = (reader: Reader) => {
    const remarks = [...remarksOn(end, reader), ...blocked, ...end.undone].map((remark) => `[${remark}]`);
    return [body, ...remarks].filter(Boolean).join('\n');
  };
  const output = textFor('user') || '(no output)';
  const omitted = end.omitted && { omitted: end.omitted };
  const display = {
    kind: 'terminal',
    command: job.command,
    output,
    exitCode: exit.code,
    ...omitted,
  } as const;
  const exitCode = job.stopped === undefined ? exit.code : null;
  return {
    output: textOutput(textFor('model') || '(no output)', {
      ...(isError ? { isError } : {}),
      display,
      exitCode,
    }),
    printed: textFor('shell'),
    ...omitted,
  };
}

/** The result of a command that still runs: its output so far, and its background task. */
function movedResult({ job, text, background }: CommandEnd & { background: BackgroundJob }): BashResult {
  const { id, output } = background;
  const body = text.replace(/(?<!\n)\n+$/, '');
  const told = `moved to the background as ${jobName(id)} after ${formatSeconds(job.elapsedMs)}; it still runs`;
  const advice = `The user did that. You are told when it ends; read or kill it with {"job":{"action":"read","id":${id}}}. Everything it prints is also in ${output.file}, up to ${fileLimitText}`;
  const withRemark = (remark: string) => [body, `[${remark}]`].filter(Boolean).join('\n');
  const display = { kind: 'text', text: withRemark(told), task: jobName(id) } as const;
  return { output: textOutput(withRemark(`${told}. ${advice}`), { display }), printed: withRemark(told) };
}

/** `shell`: the user ran the command; its exit code is shown next to the output. */
type Reader = 'model' | 'user' | 'shell';

function remarksOn({ job, timeoutMs, text, background }: CommandEnd, reader: Reader): string[] {
  const remarks: string[] = [];
  if (job.text.isBinary)
    remarks.push(`binary output, ${job.text.bytes} bytes, not shown: write it to a file instead`);
  if (job.stopped !== undefined) return [...remarks, stopRemark(job, timeoutMs)];
  const empty = text === '' && !job.text.isBinary ? 'no output, ' : '';
  const isShown = reader === 'shell' && job.exit?.code !== null;
  if (job.exit && job.exit.code !== 0 && !isShown) remarks.push(`${empty}${describeExit(job.exit)}`);
  if (background) {
    const advice = `: read or kill it with {"job":{"action":"read","id":${background.id}}}`;
    const told = `processes it started still run in the background as ${jobName(background.id)}`;
    remarks.push(reader === 'model' ? told + advice : told);
  }
  return remarks;
}

function stopRemark(job: Job, timeoutMs: number): string {
  const elapsed = formatSeconds(job.elapsedMs);
  if (job.stopped === 'aborted') return `interrupted after ${elapsed}; all its processes were ended`;
  if (job.stopped === 'output-limit') {
    const limit = printLimit / 1024 / 1024;
    return `killed after ${elapsed}: it printed more than ${limit} MB. Write to a file, or print less`;
  }
  if (job.stopped === 'planting') return `ended after ${elapsed}: it kept creating repositories`;
  if (job.stopped === 'killed') return `killed after ${elapsed}, because the session ended`;
  return `timed out after ${formatSeconds(timeoutMs)}; all its processes were ended. Use a larger timeout or run_in_background`;
}
