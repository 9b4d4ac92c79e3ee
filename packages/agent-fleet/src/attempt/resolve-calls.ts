import {
  type Access,
  type AgentRun,
  type AllowedCall,
  decide,
  type PendingCall,
  type PendingResolution,
  type ToolScope,
  tellingArgument,
  textOutput,
} from '@robota-sdk/agent-core';
import type { CallRecovery } from '@robota-sdk/agent-sdk/front-end';
import type { AttemptJournal } from './attempt-journal.ts';

export interface RecoveryServices {
  readonly journal: AttemptJournal;
  /** Names a call of the task's own conversation; undefined for those of agents. */
  keyOf(call: AllowedCall['call']): string | undefined;
  /** Called before each call that may change files. */
  beforeChange(): Promise<void>;
  difference(tree: string | undefined): Promise<string | undefined>;
  /** Adds a remark for the reader of the receipt. */
  note(text: string): void;
}

/** Notes calls before they run, and decides after a crash which of them run again. */
export function callRecovery(services: RecoveryServices): CallRecovery {
  return {
    beforeExecute: async (call, scope) => {
      await noteCall(call, scope, services);
      return undefined;
    },
    resolvePending: (call, scope) => resolveCall(call, scope, services),
  };
}

async function noteCall(
  { tool, call, input, access }: AllowedCall,
  scope: ToolScope,
  { journal, keyOf, beforeChange }: RecoveryServices,
): Promise<void> {
  if (tool.repeatable || (await isReading(access, scope))) return;
  await beforeChange();
  const key = keyOf(call);
  if (key !== undefined) await journal.start(key, await tool.intend?.(input, scope));
}

type Resolver = NonNullable<AgentRun['resolvePending']>;

async function resolveCall(
  pending: PendingCall,
  scope: ToolScope,
  services: RecoveryServices,
): ReturnType<Resolver> {
  const { call, tool, ready } = pending;
  const { journal } = services;
  const key = services.keyOf(call);
  const started = key === undefined ? undefined : journal.started(key);
  if (!started && journal.isComplete) return runUnlessHidden(pending);
  if (ready && (tool?.repeatable || (await isReading(ready.access, scope)))) return 'run';
  if (started?.intent && tool?.resume) {
    const state = await tool.resume(started.intent, scope);
    if (state === 'done') return given(`${call.name} was completed: ${started.intent.path} is as intended.`);
    if (state === 'run') return runAsIntended(pending, started.intent.after, scope);
    return differs(pending, started.intent.path, services);
  }
  return unknown(pending, services);
}

/** Reading is repeated: files, searches, requests, and commands that only read in the workspace. */
async function isReading(access: readonly Access[], { workspace }: ToolScope): Promise<boolean> {
  if (access.length === 0) return false;
  if (access.every(({ kind }) => kind === 'read' || kind === 'search' || kind === 'fetch')) return true;
  if (!access.some(({ kind }) => kind === 'run') || access.some(({ kind }) => kind === 'write')) return false;
  const rules = { allow: [], ask: [], deny: [] };
  const { verdict } = await decide({ mode: 'default', rules, workspace }, { tool: 'Bash', access });
  return verdict === 'allow';
}

/** The mark that takes the place of secrets in a kept call. */
const hiddenSecret = '[redacted]';

function runUnlessHidden({ call }: PendingCall): PendingResolution {
  if (!JSON.stringify(call.input).includes(hiddenSecret)) return 'run';
  return failed(
    'This call was not run: the process ended before, and its arguments were not stored completely.',
  );
}

/** A kept call may be without its secrets: then it would write something else. */
async function runAsIntended(
  { tool, ready }: PendingCall,
  after: string,
  scope: ToolScope,
): Promise<PendingResolution> {
  const again = ready && (await tool?.intend?.(ready.input, scope));
  if (again?.after === after) return 'run';
  return failed(
    'This change was not made: the process ended before, and it cannot be repeated as it was. Send it again.',
  );
}

async function differs(
  pending: PendingCall,
  path: string,
  services: RecoveryServices,
): Promise<PendingResolution> {
  services.note(`After a crash, ${path} was neither as before ${pending.call.name} nor as intended.`);
  return failed(
    `The process ended while this call ran. ${path} is neither as it was before nor as intended, so nothing was written. ` +
      `Read it before you change it.${await changes(services)}`,
  );
}

async function unknown(pending: PendingCall, services: RecoveryServices): Promise<PendingResolution> {
  const { name } = pending.call;
  services.note(`Outcome unknown after a crash: ${name}(${tellingArgument(pending.call)}).`);
  return failed(
    `Outcome unknown: the process ended while this call of ${name} ran. It may have run in full, in part or not at all, ` +
      `and it was not repeated. Check its effects before you run it again.${await changes(services)}`,
  );
}

const longestDifference = 8_000;

async function changes({ journal, difference }: RecoveryServices): Promise<string> {
  const text = await difference(journal.tree);
  if (text === undefined) return '';
  if (text.trim() === '') return '\nNo file has changed since the last snapshot.';
  const shown =
    text.length > longestDifference ? `${text.slice(0, longestDifference)}\n[the rest is left out]` : text;
  return `\nFiles changed since the last snapshot:\n${shown}`;
}

function given(text: string): PendingResolution {
  return { output: textOutput(text), status: 'success' };
}

function failed(text: string): PendingResolution {
  return { output: textOutput(text, { isError: true }), status: 'aborted' };
}
