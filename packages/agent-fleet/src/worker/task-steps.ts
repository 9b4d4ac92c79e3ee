import { hostname } from 'node:os';
import type { AttemptRunner, SessionStorage, WorkOutcome } from '../contract/attempt.ts';
import type { AttemptWorkspace, Workspaces } from '../contract/attempt-workspace.ts';
import type { StepContext, StepResult, TaskSteps } from '../contract/steps.ts';
import type { FleetCommandResult, Receipt, TaskReason } from '../contract/task.ts';
import { TaskFailure } from '../contract/task-failure.ts';
import { deliver } from './deliver-attempts.ts';
import { openFiles } from './open-files.ts';
import { ProgressReports } from './progress-reports.ts';

export interface TaskStepsOptions {
  readonly workspaces: Workspaces;
  readonly attempts: AttemptRunner;
  readonly sessions: SessionStorage;
  /** Makes the id of a new session. */
  newSessionId(): string;
}

/** The six steps of a task, over its workspace and the process of its attempt. */
export function taskSteps(options: TaskStepsOptions): TaskSteps {
  return {
    prepare: (context) => prepare(options, context),
    baseline: (context) => baseline(options, context),
    work: (context) => work(options, context),
    check: (context) => check(options, context),
    deliver: (context) => deliver(options.workspaces, context),
    receipt: async (context) => receiptOf(context),
  };
}

async function prepare(options: TaskStepsOptions, context: StepContext): Promise<StepResult> {
  const known = context.attempts.find(({ number }) => number === context.attempt);
  if (known === undefined || known.sessionId === '') {
    await context.recordAttempt({ sessionId: options.newSessionId(), state: 'running' });
  }
  return using(options, context, async (workspace) => {
    await context.record({ directory: workspace.directory });
    return next;
  });
}

/** Tries the check on the untouched files: one that fails there says nothing about the work. */
async function baseline(options: TaskStepsOptions, context: StepContext): Promise<StepResult> {
  const { check: command, baseline: gate } = context.task.spec;
  if (
    gate === 'skip' ||
    command === undefined ||
    context.facts.baseline !== undefined ||
    context.attempt > 1
  ) {
    return next;
  }
  return using(options, context, async (workspace) => {
    const result = await runAside(workspace, command, context);
    if (result.exitCode === 0) {
      await context.record({ baseline: result });
      return next;
    }
    return result.cannotStart
      ? failed('check-cannot-start', `The check cannot start: ${described(result)}`)
      : failed(
          'baseline-failed',
          `The check fails on the untouched base. Fix it there, or start anyway with baseline: skip.\n${described(result)}`,
        );
  });
}

async function work(options: TaskStepsOptions, context: StepContext): Promise<StepResult> {
  return using(options, context, async (workspace) => {
    const outcome = await runAttempt(options, context, workspace);
    await context.recordAttempt({
      ...(outcome.kind === 'finished' ? { answer: outcome.answer } : {}),
      ...(outcome.turns > 0 ? { turns: outcome.turns, cost: outcome.cost } : {}),
      tree: await workspace.snapshot(),
    });
    await context.record({ notes: [...(outcome.notes ?? []), ...workspace.notes] });
    if (outcome.kind === 'finished') return next;
    const { kind, reason } = outcome;
    return outcome.kind === 'parked' && outcome.question !== undefined
      ? { kind: 'parked', reason, question: outcome.question }
      : { kind, reason };
  });
}

async function runAttempt(
  options: TaskStepsOptions,
  context: StepContext,
  workspace: AttemptWorkspace,
): Promise<WorkOutcome> {
  const { task, attempt, attempts, lease, signal } = context;
  const record = attempts.find(({ number }) => number === attempt);
  const progress = new ProgressReports(context, record?.workedMs ?? 0);
  const process = options.attempts.start(
    {
      type: 'start',
      taskId: task.id,
      spec: task.spec,
      attempt,
      lease,
      sessionId: record?.sessionId ?? '',
      sessions: options.sessions,
      directory: workspace.directory,
      readable: workspace.readable,
      notes: context.isTakeover ? [takeoverNote(workspace)] : [],
      answers: context.answers,
      spent: task.cost,
      ...(record?.workedMs === undefined ? {} : { workedMs: record.workedMs }),
    },
    {
      reserve: context.reserve,
      settle: context.settle,
      snapshot: async () => {
        const tree = await workspace.snapshot();
        await context.recordAttempt({ tree });
        return tree;
      },
      difference: (tree) => workspace.difference(tree),
      answerUsed: context.useAnswer,
      progress: (report) => progress.report(report),
    },
  );
  context.onMessage((text) => process.say(text));
  const stop = (): void => void process.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await process.outcome;
  } finally {
    signal.removeEventListener('abort', stop);
    await progress.end();
  }
}

function takeoverNote({ isNew }: AttemptWorkspace): string {
  return isNew
    ? 'The process that worked on this task ended. The files are those of its last snapshot, in a new directory.'
    : 'The process that worked on this task ended. Another one continues in the same directory.';
}

async function check(options: TaskStepsOptions, context: StepContext): Promise<StepResult> {
  const { check: command } = context.task.spec;
  if (command === undefined) {
    await context.recordAttempt({ state: 'passed' });
    return next;
  }
  return using(options, context, async (workspace) => {
    const result = await runAside(workspace, command, context);
    context.signal.throwIfAborted();
    if (result.cannotStart) {
      return failed('check-cannot-start', `The check cannot start: ${described(result)}`);
    }
    const isPassed = result.exitCode === 0;
    await context.recordAttempt({ state: isPassed ? 'passed' : 'failed', check: result });
    return isPassed
      ? next
      : {
          kind: 'not-passed',
          reason: { code: 'check-failed', message: `The check failed: ${described(result)}` },
        };
  });
}

const next = { kind: 'next' } as const;

function failed(code: TaskReason['code'], message: string): StepResult {
  return { kind: 'failed', reason: { code, message } };
}

/** Runs a command, and takes back what it did to the files: its traces are no part of the work. */
async function runAside(
  workspace: AttemptWorkspace,
  command: string,
  { signal, task }: StepContext,
): Promise<FleetCommandResult> {
  const tree = await workspace.snapshot();
  try {
    return await workspace.run(command, { signal, sandbox: task.spec.sandbox });
  } finally {
    await workspace.restore(tree);
  }
}

/** Gives the files of the attempt, set up. */
async function using(
  options: TaskStepsOptions,
  context: StepContext,
  work: (workspace: AttemptWorkspace) => Promise<StepResult>,
): Promise<StepResult> {
  const { attempt: number, attempts } = context;
  const tree = attempts.find((each) => each.number === number)?.tree;
  const workspace = await openFiles(options.workspaces, context, { number, tree });
  await setUp(workspace, context);
  return work(workspace);
}

async function setUp(workspace: AttemptWorkspace, context: StepContext): Promise<void> {
  const { setup, sandbox } = context.task.spec;
  const place = `${hostname()}:${workspace.directory}`;
  if (setup === undefined || (!workspace.isNew && context.facts.setUpIn === place)) return;
  const result = await workspace.setUp(setup, { signal: context.signal, sandbox });
  context.signal.throwIfAborted();
  if (result !== 'cached' && result.exitCode !== 0) {
    throw new TaskFailure('setup-failed', `The set-up failed: ${described(result)}`);
  }
  await context.record({ setUpIn: place });
}

function described({ command, exitCode, tail, timedOut }: FleetCommandResult): string {
  const how = timedOut ? 'took too long' : `exit code ${exitCode ?? 'none'}`;
  const end = tail.trim().split('\n').slice(-3).join('\n');
  return `${command} (${how})${end === '' ? '' : `\n${end}`}`;
}

/** The receipt of a task, from what its steps recorded. */
function receiptOf({ task, attempts, facts }: StepContext): Receipt {
  const winner = attempts.find(({ state }) => state === 'passed')?.number;
  return {
    attempts: attempts.map((attempt) =>
      attempt.state === 'running' ? { ...attempt, state: 'abandoned' } : attempt,
    ),
    ...(winner === undefined ? {} : { winner }),
    ...(facts.baseline === undefined ? {} : { baseline: facts.baseline }),
    ...(facts.delivery === undefined ? {} : { delivery: facts.delivery }),
    cost: task.cost,
    turns: task.turns,
    filesChanged: facts.filesChanged ?? 0,
    added: facts.added ?? 0,
    removed: facts.removed ?? 0,
    notes: [...new Set(facts.notes ?? [])],
  };
}
