import { join } from 'node:path';
import { AgentError, homeDirectory, realPathOf, SessionState, silentInterface } from '@robota-sdk/agent-core';
import { sandboxDirectory } from '../sandbox/sandbox-directory.ts';
import { sandboxFor } from '../sandbox/sandbox-for.ts';
import { type SandboxAccess, sandboxAccess } from '../sandbox/sandbox-policy.ts';
import { keylessEnvironment } from '../tool/standalone-tool.ts';
import { activeTimeout } from './active-timeout.ts';
import { Job, type JobEndReason } from './job.ts';

/** A project's command, such as its tests, that no model requested. */
export interface ProjectCommand {
  readonly command: string;
  readonly cwd: string;
  readonly sandbox: SandboxAccess;
  readonly signal: AbortSignal;
  /** Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Variables in addition to those of this process, whose model keys are removed. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Variables of this process to remove. */
  readonly hiddenVariables?: readonly string[] | undefined;
  /** Receives its output as plain text. */
  onText(text: string): void;
}

/** How a project command ended. */
export interface ProjectCommandEnd {
  /** Null if it was ended early. */
  readonly exitCode: number | null;
  readonly stopped?: JobEndReason | undefined;
  readonly durationMs: number;
  /** Remarks of the sandbox about blocked or reverted actions. */
  readonly remarks: readonly string[];
}

/** Runs a command until it ends, then ends all its processes and removes its temporary files. */
export async function runProjectCommand(request: ProjectCommand): Promise<ProjectCommandEnd> {
  request.signal.throwIfAborted();
  if (request.command.includes('\0')) throw new AgentError('tool', 'The command holds a NUL character.');
  const state = new SessionState();
  state.set(sandboxAccess, request.sandbox);
  try {
    return await runIn(state, request);
  } finally {
    // Only this part of the state was created; it holds the private temporary directory.
    if (state.peek(sandboxDirectory)) await state.dispose();
  }
}

async function runIn(state: SessionState, request: ProjectCommand): Promise<ProjectCommandEnd> {
  const cwd = realPathOf(request.cwd);
  const hidden = new Set(request.hiddenVariables);
  const inherited = Object.entries(keylessEnvironment()).filter(([name]) => !hidden.has(name));
  const env = { ...Object.fromEntries(inherited), ...request.env };
  const sandbox = await sandboxFor({
    workspace: { cwd, additional: [], home: homeDirectory() },
    state,
    env,
    outputDir: join(cwd, '.no-outputs'),
    ui: silentInterface,
  });
  let printed = '';
  const receive = (text: string) => {
    printed = (printed + text).slice(-mostKept);
    if (text !== '') request.onText(text);
    return undefined;
  };
  const job = await Job.start({ command: request.command, cwd, env, sink: receive, sandbox });
  const undone: string[] = [];
  job.watch({ inBackground: false }, (remarks) => undone.push(...remarks));
  await waitForEnd(job, request);
  receive(job.text.flush());
  undone.push(...(sandbox?.end({ inBackground: false }) ?? []));
  const { stopped } = job;
  const exitCode = stopped === undefined || stopped === 'killed' ? (job.exit?.code ?? null) : null;
  const blocked = sandbox?.remarksOn(printed, { failed: exitCode !== 0 }) ?? [];
  return {
    exitCode,
    ...(stopped === 'killed' ? {} : { stopped }),
    durationMs: job.elapsedMs,
    remarks: [...blocked, ...undone],
  };
}

/** Characters of output kept for deriving remarks. */
const mostKept = 64 * 1024;

async function waitForEnd(job: Job, { signal, timeoutMs }: ProjectCommand): Promise<void> {
  const abort = () => void job.stop('aborted');
  const cancelTimeout =
    timeoutMs === undefined ? () => {} : activeTimeout(() => void job.stop('timeout'), timeoutMs);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    const isLeft = await job.process.settle();
    // Leftover processes could change files that are judged or removed next.
    if (job.stopped !== undefined) await job.stop(job.stopped);
    else if (isLeft) await job.stop('killed');
    job.process.release();
  } finally {
    cancelTimeout();
    signal.removeEventListener('abort', abort);
  }
}
