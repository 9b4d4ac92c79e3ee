import { join } from 'node:path';
import { pluralize } from '@robota-sdk/agent-core';
import type { BoardRow } from '../../contract/board.ts';
import { askedText, type FleetStep, fleetSteps } from '../../contract/fleet.ts';
import type { MoreRows } from '../../live/board.ts';
import type { FleetPort, FleetTaskDetails } from './fleet-port.ts';

/** Ended tasks on the board: the newest ones, and none older than this. */
const mostEnded = 20;
const shownMs = 14 * 24 * 3600_000;
/** Without a fleet, it is looked for again after this time. */
const absentMs = 60_000;

const ended: ReadonlySet<string> = new Set(['done', 'failed', 'stopped']);

/**
 * The tasks of a fleet as cards of the board; none where it is not installed or cannot be reached. A fleet of this machine
 * alone has a folder.
 */
export function fleetRows(open: () => Promise<FleetPort | undefined>, folder?: string): MoreRows {
  let absentUntil = 0;
  const read = async () => {
    if (Date.now() < absentUntil) return [];
    const fleet = await open();
    if (!fleet) {
      absentUntil = Date.now() + absentMs;
      return [];
    }
    try {
      return await shownTasks(fleet);
    } finally {
      await fleet.close();
    }
  };
  return {
    ...(folder === undefined ? {} : { folders: [folder, join(folder, 'inbox')] }),
    rows: async () => {
      const tasks = await read().catch(() => []);
      return {
        rows: tasks.map(taskRow),
        sessions: new Set(tasks.flatMap(({ sessionId }) => sessionId ?? [])),
      };
    },
  };
}

async function shownTasks(fleet: FleetPort): Promise<readonly FleetTaskDetails[]> {
  const records = await fleet.tasks();
  const active = records.filter(({ state }) => !ended.has(state));
  const over = records.filter(({ state }) => ended.has(state)).slice(-mostEnded);
  const tasks = await Promise.all([...active, ...over].map(({ id }) => fleet.task(id)));
  return tasks.flatMap((task) => {
    if (!task) return [];
    const isOld = Date.now() - Date.parse(task.updatedAt) > shownMs;
    return ended.has(task.state) && isOld ? [] : [task];
  });
}

/** A task as a card. */
function taskRow(task: FleetTaskDetails): BoardRow {
  const { id, name, state, spec, question, reason, activity, branch, cost, turns } = task;
  const isAsking = state === 'parked' && question !== undefined;
  const changes = { added: task.added ?? 0, removed: task.removed ?? 0, files: task.filesChanged ?? 0 };
  return {
    id,
    kind: 'task',
    column: columnOf(task),
    title: name,
    cwd: spec.repo,
    ...(branch === undefined ? {} : { branch }),
    model: spec.model ?? '',
    cost,
    lastLine: oneLine(reason?.message ?? activity ?? endOf(task)),
    modified: Date.parse(task.updatedAt) || 0,
    holder: ended.has(state) ? 'none' : 'elsewhere',
    ...(state === 'queued' || (state === 'parked' && !isAsking) ? { waits: true } : {}),
    ...(state === 'failed' ? { failed: true } : {}),
    ...(ended.has(state) ? {} : { turn: turns, ...stepOf(state) }),
    ...(spec.maxCost === undefined ? {} : { limit: spec.maxCost }),
    ...(changes.files > 0 && state === 'done' ? { changes } : {}),
    questions: isAsking ? 1 : 0,
    ...(isAsking
      ? {
          asks: {
            tag: question.tool === 'Bash' ? 'Run command?' : 'Question',
            text: oneLine(askedText(question)),
            isCode: question.tool === 'Bash',
            since: Date.parse(question.askedAt) || 0,
          },
        }
      : {}),
  };
}

const steps: Readonly<Partial<Record<FleetTaskDetails['state'], FleetStep>>> = {
  preparing: 'prepare',
  running: 'work',
  checking: 'check',
};

function stepOf(state: FleetTaskDetails['state']): Pick<BoardRow, 'step'> {
  const name = steps[state];
  return name === undefined ? {} : { step: { name, share: fleetSteps.indexOf(name) / fleetSteps.length } };
}

function columnOf({ state, question, filesChanged = 0 }: FleetTaskDetails): BoardRow['column'] {
  if (state === 'parked' && question) return 'needs-you';
  if (!ended.has(state)) return 'running';
  return state === 'done' && filesChanged > 0 ? 'to-review' : 'done';
}

/** The end of a task in words, for one that left nothing else to say. */
function endOf({ state, filesChanged = 0 }: FleetTaskDetails): string {
  if (state !== 'done') return state;
  return filesChanged === 0 ? 'Done without changes.' : `Done: changed ${pluralize(filesChanged, 'file')}.`;
}

function oneLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 200);
}
