import { localTime } from '@robota-sdk/agent-core';
import type { FleetCommandResult, TaskRecord } from '../contract/task.ts';

/** A time span as `21s`, `4m10s`, `2h 5m` or `3d 2h`. */
export function formatSpan(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${seconds % 60 === 0 ? '' : `${seconds % 60}s`}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${hours}h ${Math.floor((seconds % 3600) / 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

const steps: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** A time span in its largest unit: `3h`. */
export function briefSpan(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  const [unit, size] = steps.find(([, each]) => span >= each) ?? ['s', 1000];
  return `${Math.floor(span / size)}${unit}`;
}

/** The remark on a task in a list: its question, the reason of its state, or the branch with its work. */
export function remarkOf(task: TaskRecord): string {
  const { question, reason, state } = task;
  if (question && state === 'parked') return `? ${trimmedLine(question.text)}`;
  if (!reason) return state === 'done' ? deliveredOf(task) : '';
  const until = reason.until === undefined ? '' : ` (until ${fleetTime(reason.until)})`;
  return `${trimmedLine(reason.message)}${until}`;
}

/** The branch of a task that is done and the lines that it changed: `robota/ID-name +48 −3`. */
export function deliveredOf({ branch, added, removed }: TaskRecord): string {
  const parts = [branch ?? '', linesChanged({ added, removed })].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing to deliver' : parts.join(' ');
}

/** Added and removed lines: `+48 −3`; empty if nothing is known, or nothing changed. */
export function linesChanged({
  added = 0,
  removed = 0,
}: {
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
}): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : '']
    .filter((part) => part !== '')
    .join(' ');
}

/** How a command of a task ended, in one line. */
export function describeResult({ command, exitCode, durationMs }: FleetCommandResult): string {
  const end = exitCode === null ? 'did not end' : exitCode === 0 ? 'passed' : `failed with code ${exitCode}`;
  return `${trimmedLine(command)}: ${end} after ${(durationMs / 1000).toFixed(1)} s`;
}

/** A time of the fleet in the zone of the user. */
export function fleetTime(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : localTime(time);
}

export function trimmedLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
