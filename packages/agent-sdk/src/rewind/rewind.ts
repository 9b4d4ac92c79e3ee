import type { Answer, CommandContext, CommandOutcome } from '@robota-sdk/agent-core';
import type { Checkpoints, PlannedFile, RewindPlan, RewindTurn } from '@robota-sdk/agent-sessions';
import { fileLedger } from '@robota-sdk/agent-tools';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { remindOnce } from './remind-once.ts';
import { type PathShortener, pathShortener, plannedLine, resultText, turnsText } from './rewind-text.ts';

type Context = CommandContext<InteractiveSession>;

const scopes = ['both', 'conversation', 'files'] as const;
type Scope = (typeof scopes)[number];

const usage =
  'Use /rewind, /rewind all, /rewind N conversation, /rewind N files, /rewind N both, or /rewind undo.';

/** Carries out `/rewind`. */
export async function rewind(args: string, context: Context): Promise<CommandOutcome> {
  const { session } = context;
  const { checkpoints } = session;
  if (checkpoints === undefined)
    return fail('This session is not saved, so there is nothing to go back to. Start without --no-session.');
  if (session.isRunning) return fail('Something is running. Stop it first, then rewind.');
  const pathText = pathShortener(checkpoints.workspace.cwd);
  const turns = await checkpoints.turns();
  const [what = '', wish, ...more] = args.split(/\s+/).filter(Boolean);
  if (what === '' || args === 'all')
    return { kind: 'notice', text: turnsText(turns, { pathText, all: args === 'all' }), data: turns };
  if (what === 'undo' && wish === undefined) return undo({ checkpoints, context, pathText });
  const turn = turns.find(({ number }) => String(number) === what);
  if (turn === undefined || more.length > 0)
    return fail(/^\d+$/.test(what) && more.length === 0 ? noTurn(what, turns) : usage);
  if (wish !== undefined && !scopes.some((one) => one === wish)) return fail(usage);
  const scope = (wish as Scope | undefined) ?? (await askScope(turn, context));
  if (scope === 'unavailable')
    return fail(
      `Missing scope. Use /rewind ${what} conversation, /rewind ${what} files or /rewind ${what} both.`,
    );
  if (scope === 'dismissed') return nothingDone;
  const plan = await checkpoints.planTurn(turn, {
    files: scope !== 'conversation',
    conversation: scope !== 'files',
  });
  const since = scope === 'conversation' ? [] : turns.slice(turns.indexOf(turn));
  return perform({ checkpoints, context, pathText }, plan, { turn, unknown: since.flatMap(unknownIn) });
}

/** Runs `/undo`: restores the files from before the last prompt, after confirmation. */
export async function undoLastTurn(context: Context): Promise<CommandOutcome> {
  const { session, ui, signal } = context;
  const { checkpoints } = session;
  const turn = (await rewindTurns(session))?.at(-1);
  // Reports why there is nothing to go back to.
  if (!checkpoints || !turn || session.isRunning) return rewind('1 files', context);
  const { number, files } = turn;
  if (files.length === 0 && turn.unknown.length === 0)
    return { kind: 'notice', text: 'The last prompt changed no files. /rewind lists earlier ones.' };
  const plan = await checkpoints.planTurn(turn, { files: true, conversation: false });
  const open = new Set(plan.files.map(({ path }) => path));
  const left = files.filter(({ path }) => open.has(path));
  if (left.length === 0 && files.length > 0)
    return {
      kind: 'notice',
      text: 'The changes of the last prompt are already reverted. /rewind lists earlier ones.',
    };
  const pathText = pathShortener(checkpoints.workspace.cwd);
  const title = `Revert the file changes of prompt ${number}?`;
  const detail = left.map(({ path, change }) => `${change} ${pathText(path)}`).join('\n');
  const answer = await ui.ask({ kind: 'confirm', title, detail, isShownByCall: true }, signal);
  if (answer.kind === 'unavailable')
    return fail(`No user is available to confirm it. Use /rewind ${number} files.`);
  return answer.kind === 'confirmed' && answer.yes
    ? rewind(`${number} files`, context)
    : { kind: 'notice', text: 'Nothing was reverted.' };
}

/** The prompts that can be rewound, with their changes; undefined if the session is not saved. */
export async function rewindTurns(session: InteractiveSession): Promise<readonly RewindTurn[] | undefined> {
  return session.checkpoints?.turns();
}

function unknownIn({ number, unknown }: RewindTurn): string[] {
  return unknown.map((why) => `prompt ${number}: ${why}`);
}

/** Completes the arguments of `/rewind`. */
export async function completeRewind(prefix: string, session: InteractiveSession): Promise<string[]> {
  const turns = (await rewindTurns(session)) ?? [];
  const numbers = turns.map(({ number }) => String(number)).reverse();
  const [number = ''] = prefix.split(' ', 1);
  const ofNumber = numbers.includes(number) ? scopes.map((scope) => `${number} ${scope}`) : [];
  const words = prefix.includes(' ') ? ofNumber : ['undo', 'all', ...numbers];
  return words.filter((word) => word.startsWith(prefix));
}

const nothingDone: CommandOutcome = { kind: 'notice', text: 'Nothing was rewound.' };

interface Work {
  readonly checkpoints: Checkpoints;
  readonly context: Context;
  readonly pathText: PathShortener;
}

async function undo(work: Work): Promise<CommandOutcome> {
  const plan = await work.checkpoints.planUndo();
  return plan === undefined ? fail('No rewind to undo.') : perform(work, plan, { unknown: [] });
}

/** The target of a rewind. */
interface Goal {
  readonly turn?: RewindTurn;
  /** Unknown changes since then, which stay. */
  readonly unknown: readonly string[];
}

async function perform(work: Work, plan: RewindPlan, goal: Goal): Promise<CommandOutcome> {
  const { checkpoints, context, pathText } = work;
  const { turn, unknown } = goal;
  const conflicts = plan.files.filter(({ status }) => status === 'conflict');
  const choice = conflicts.length === 0 ? 'keep' : await askConflicts(work, conflicts);
  if (choice === 'cancel') return nothingDone;
  const session = context.session.getSession();
  const remarks: string[] = [];
  const result = await checkpoints.rewind(plan, {
    overwrite: choice === 'overwrite',
    moveTo: async (entryId) => {
      const { model, modelProblem } = await context.session.moveTo(entryId);
      if (model !== undefined) remarks.push(`The model is ${model.name} again.`);
      if (modelProblem !== undefined) remarks.push(`The model stays the same: ${modelProblem}`);
    },
  });
  const isMoved = plan.leaf !== undefined && result.problem === undefined;
  const ledger = session.state.get(fileLedger);
  ledger.outdate(result.restored);
  if (isMoved) ledger.outdate();
  else if (result.restored.length > 0) {
    // The conversation still mentions the undone changes.
    const paths = result.restored.map(pathText).join(', ');
    remindOnce(
      session,
      () =>
        `The user rewound these files to an earlier state; read them again before you change them: ${paths}`,
    );
  }
  const isUndo = plan.undoes !== undefined;
  const notice = [resultText({ result, isMoved, turn, isUndo, pathText, unknown }), ...remarks].join('\n');
  // The rewound prompt will probably be rewritten and sent again.
  const data = { ...result, unknown, left: [...result.left].map(([path, why]) => ({ path, why })) };
  if (isMoved && turn !== undefined) return { kind: 'edit', text: turn.prompt, notice, data };
  return { kind: 'notice', text: notice, data };
}

async function askScope(
  turn: RewindTurn,
  { ui, signal }: Context,
): Promise<Scope | 'dismissed' | 'unavailable'> {
  const answer = await ui.ask(
    {
      kind: 'select',
      title: `Go back to before prompt ${turn.number}?`,
      options: [
        { label: 'Conversation and files' },
        { label: 'Only the conversation', description: 'Files stay as they are' },
        { label: 'Only the files', description: 'The conversation stays as it is' },
        { label: 'Cancel', description: 'Nothing is rewound', means: 'no' },
      ],
    },
    signal,
  );
  if (answer.kind === 'unavailable') return 'unavailable';
  return scopes[chosen(answer)] ?? 'dismissed';
}

/** Without a user, changes by others are kept. */
async function askConflicts(
  { checkpoints, context, pathText }: Work,
  conflicts: readonly PlannedFile[],
): Promise<'overwrite' | 'keep' | 'cancel'> {
  const lines: string[] = [];
  for (const file of conflicts) lines.push(plannedLine(file, pathText, await checkpoints.lineCounts(file)));
  const answer = await context.ui.ask(
    {
      kind: 'select',
      title: 'Some files were changed since. What about them?',
      detail: lines.join('\n'),
      options: [
        { label: 'Keep them as they are', description: 'Everything else is rewound' },
        { label: 'Overwrite them', description: '/rewind undo brings them back' },
        { label: 'Cancel', description: 'Nothing is rewound', means: 'no' },
      ],
    },
    context.signal,
  );
  if (answer.kind === 'unavailable') return 'keep';
  return (['keep', 'overwrite', 'cancel'] as const)[chosen(answer)] ?? 'cancel';
}

function chosen(answer: Answer): number {
  return answer.kind === 'selected' ? (answer.indexes[0] ?? -1) : -1;
}

function noTurn(number: string, turns: readonly RewindTurn[]): string {
  if (turns.length === 0) return 'No prompt to go back to yet.';
  const numbers = turns.map((turn) => turn.number);
  const [only] = numbers;
  const which = turns.length === 1 ? `there is only ${only}` : `it has ${rangesText(numbers)}`;
  return `No prompt ${number} on this branch: ${which}. /rewind lists them; /tree shows other branches.`;
}

/** As `1 to 4, 7`. */
function rangesText(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}

function fail(text: string): CommandOutcome {
  return { kind: 'error', text };
}
