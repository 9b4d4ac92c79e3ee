import { accessSync, constants, lstatSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { AgentError, errorMessage, robotaDirectories } from '@robota-sdk/agent-core';
import { findInstallation, type Installation } from './installation.ts';
import { planRemoval, type RemovalPart, type RemovalPlan } from './removal-plan.ts';
import { sessionHolder } from './session-holder.ts';
import type { ProgramInfo } from './update-program.ts';

/** The choices of a user, and how to ask for confirmation. */
export interface UninstallServices {
  readonly program: ProgramInfo;
  readonly host: HostEnvironment;
  /** Also settings, keys and sessions. */
  readonly all: boolean;
  readonly dryRun: boolean;
  /** Shows the plan and asks; false keeps everything. */
  confirm(text: string): Promise<boolean>;
}

export interface UninstallAnswer {
  readonly text: string;
  readonly isOk: boolean;
  readonly plan: RemovalPlan;
  readonly removed: readonly string[];
}

/** Removes the program and what it left behind, after the user confirms the list. */
export async function uninstallProgram(services: UninstallServices): Promise<UninstallAnswer> {
  const { program, host, all, dryRun, confirm } = services;
  const installation = findInstallation(program);
  const plan = await planRemoval(installation, { host, all });
  const kept = { plan, removed: [], isOk: true };
  const isEmpty = plan.parts.every(({ isRemoved }) => !isRemoved);
  if (dryRun || isEmpty) return { ...kept, text: describePlan(plan) };
  assertRemovable(plan);
  const holder = sessionHolder(host);
  if (holder !== undefined)
    throw new AgentError('config', `A session is in use by ${holder}.`, {
      hint: 'Close it, or let a fleet finish with robota fleet drain; then try again.',
    });
  if (!(await confirm(describePlan(plan)))) return { ...kept, text: 'Nothing was removed.' };
  const { removed, failures } = remove(plan, { installation, host });
  const stays = plan.parts.filter(({ isRemoved }) => !isRemoved).flatMap(({ paths }) => paths);
  const folders = ownFolders(host).filter((folder) => stays.some((path) => path.startsWith(folder)));
  const text = [
    outcomeOf(plan, removed),
    ...(stays.length === 0 ? [] : [`Settings, keys and sessions are kept in ${folders.join(', ')}.`]),
    ...failures,
    ...plan.notes,
  ].join('\n');
  return { plan, removed, isOk: failures.length === 0, text };
}

/** The program counts as removed only without any of its files. */
function outcomeOf({ parts }: RemovalPlan, removed: readonly string[]): string {
  const program = parts.find(({ kind }) => kind === 'program')?.paths ?? [];
  if (program.length === 0) return `Removed: ${removed.join(', ')}`;
  const isGone = program.every((path) => removed.includes(path));
  return isGone ? 'Robota is removed.' : 'Robota is not removed completely.';
}

/** Nothing is removed unless the program itself can be: another user may have installed it. */
function assertRemovable({ parts }: RemovalPlan): void {
  const program = parts.find(({ kind }) => kind === 'program')?.paths ?? [];
  for (const path of program) {
    try {
      accessSync(dirname(path), constants.W_OK);
    } catch {
      throw new AgentError('config', `${path} cannot be removed by this user.`, {
        hint: 'Run the command as the user who installed Robota (sudo robota uninstall).',
      });
    }
  }
}

/** The plan as a table with sizes. */
function describePlan({ parts, notes }: RemovalPlan): string {
  const goes = parts.filter(({ isRemoved }) => isRemoved);
  const stays = parts.filter(({ isRemoved }) => !isRemoved);
  return [
    goes.length === 0 ? 'Nothing to remove.' : 'To be removed:',
    ...goes.map(partLine),
    ...(stays.length === 0 ? [] : ['Kept (--all removes it, too):', ...stays.map(partLine)]),
    ...notes,
  ].join('\n');
}

/** One line for each path, so that nothing is removed without being named. */
function partLine({ kind, bytes, paths }: RemovalPart): string {
  const start = `  ${kind.padEnd(12)} ${sizeText(bytes).padStart(8)}  `;
  return `${start}${paths.join(`\n${' '.repeat(start.length)}`)}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** Removes the files of a plan; a failure does not stop the rest. Links are removed, never their targets. */
function remove(
  { parts }: RemovalPlan,
  { installation, host }: { readonly installation: Installation; readonly host: HostEnvironment },
): { readonly removed: readonly string[]; readonly failures: readonly string[] } {
  const removed: string[] = [];
  const failures: string[] = [];
  // The program goes last: until then everything can be tried again.
  const paths = parts
    .filter(({ isRemoved }) => isRemoved)
    .sort((a, b) => Number(a.kind === 'program') - Number(b.kind === 'program'))
    .flatMap((part) => part.paths);
  for (const path of paths) {
    try {
      rmSync(path, { recursive: lstatSync(path).isDirectory(), force: true });
      removed.push(path);
    } catch (thrown) {
      failures.push(`${path} is kept: ${errorMessage(thrown)}.`);
    }
  }
  if (installation.kind === 'npm') removeEmpty(dirname(installation.path));
  for (const folder of ownFolders(host)) removeEmpty(folder);
  return { removed, failures };
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something else, or is not there.
  }
}

function ownFolders(host: HostEnvironment): readonly string[] {
  const { config, data, state } = robotaDirectories(host);
  return [...new Set([config, data, state])];
}
