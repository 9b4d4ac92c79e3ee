import {
  amount,
  describeExit,
  flag,
  given,
  type JsonObject,
  lazy,
  number,
  object,
  type ShellRun,
  text,
  words,
} from '@robota-sdk/agent-core';
import type { ShellEntry } from './entry.ts';

type Body = Omit<ShellEntry, 'id' | 'parentId' | 'timestamp'>;

/** Encodes a user's command like pi; our own fields are under `robota`. */
export function encodeShell(entry: ShellEntry): JsonObject {
  const { command, output, omitted, exitCode, status, durationMs, isPrivate, message, unknown = {} } = entry;
  return {
    ...unknown,
    role: 'bashExecution',
    command,
    output,
    ...(exitCode === null ? {} : { exitCode }),
    cancelled: status === 'aborted',
    ...(isSentToModel(entry) ? {} : { excludeFromContext: true }),
    timestamp: message?.timestamp ?? (Date.parse(entry.timestamp) || 0),
    robota: {
      ...(message && { id: message.id }),
      status,
      isPrivate,
      ...given('durationMs', durationMs),
      ...(omitted && { omitted: { ...omitted } }),
    },
  };
}

/** Decodes a command of ours or of pi; undefined for other payloads. */
export function decodeShell(payload: JsonObject): Body | undefined {
  const { role, command, output, exitCode, cancelled, excludeFromContext, timestamp, robota, ...unknown } =
    payload;
  if (role !== 'bashExecution' || typeof command !== 'string') return undefined;
  const own = ownFields.parse(robota) ?? {};
  const code = typeof exitCode === 'number' ? exitCode : null;
  const told = cancelled === true ? 'aborted' : (code ?? 0) === 0 ? 'success' : 'error';
  return {
    type: 'shell',
    command,
    output: typeof output === 'string' ? output : '',
    exitCode: code,
    status: own.status ?? told,
    ...(own.durationMs === undefined ? {} : { durationMs: own.durationMs }),
    ...(own.omitted && { omitted: own.omitted }),
    isPrivate: own.isPrivate ?? excludeFromContext === true,
    ...(own.id !== undefined && typeof timestamp === 'number' ? { message: { id: own.id, timestamp } } : {}),
    ...(Object.keys(unknown).length === 0 ? {} : { unknown }),
  };
}

const ownFields = lazy(() => {
  const omitted = object({ lines: amount, note: text });
  const status = words('success', 'error', 'denied', 'aborted');
  return object({}, { id: text, status, durationMs: number, isPrivate: flag, omitted });
});

/** True if a command is sent to the model: private ones and those that never ran are not. */
export function isSentToModel({ isPrivate, status }: ShellRun): boolean {
  return !isPrivate && status !== 'denied';
}

/** Describes a command that the user ran, for the model. */
export function shellText({ command, output, exitCode, status }: ShellRun): string {
  const printed = output.trimEnd();
  const isSilent = printed === '';
  const exit = exitCode === null || exitCode === 0 ? '' : describeExit({ code: exitCode, signal: null });
  const remark = exit === '' ? '' : `[${isSilent ? 'no output, ' : ''}${exit}]`;
  const shown = [printed, remark].filter((part) => part !== '').join('\n') || '(no output)';
  const fence = fenceFor(shown);
  const text = `The user ran \`${command}\` in the shell.\n${fence}\n${shown}\n${fence}`;
  return status === 'success' ? text : `${text}\nIt did not succeed.`;
}

/** A fence that no line of the text can close. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}
