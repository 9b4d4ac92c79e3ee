import { isJsonObject, parseJson, type Redactor } from '@robota-sdk/agent-core';
import type { ExportedSession } from '@robota-sdk/agent-sessions';
import { type Entry, encodeLine, type Fact, formatVersion } from '@robota-sdk/agent-sessions';
import { redactKeepingImages } from './redact-keeping-images.ts';

/** The lines of a session, every branch, readable by pi and Robota. Unknown lines keep every byte. */
export function* exportJsonl(session: ExportedSession, redact?: Redactor): Generator<string> {
  for (const line of linesOf(session)) yield redact ? redactedLine(line, redact) : line;
}

function* linesOf(session: ExportedSession): Generator<string> {
  const { header, leafId, labels, name, foreignLines } = session;
  yield encodeLine({ kind: 'header', header: { ...header, version: formatVersion } });
  for (const line of foreignLines) yield `${line}\n`;
  const taken = new Set<string>();
  let last: Entry | undefined;
  for (const entry of session.entries()) {
    yield encodeLine({ kind: 'entry', entry: withoutPrivate(entry) });
    taken.add(entry.id);
    last = entry;
  }
  const timestamp = last?.timestamp ?? header.timestamp;
  const base = () => ({ id: freeId(taken), parentId: leafId, timestamp });
  const facts: Fact[] = [
    ...[...labels].map(([targetId, label]): Fact => ({ ...base(), type: 'label', targetId, label })),
    ...(name === undefined ? [] : [{ ...base(), type: 'session_info', name } as const]),
    // The last entry is the leaf unless a fact says otherwise.
    ...(last?.id === leafId ? [] : [{ ...base(), type: 'leaf', targetId: leafId } as const]),
  ];
  for (const fact of facts) yield encodeLine({ kind: 'fact', fact });
}

/** A private command keeps its place in the tree; what it was and printed is not for others to read. */
function withoutPrivate(entry: Entry): Entry {
  if (entry.type !== 'shell' || !entry.isPrivate) return entry;
  const { unknown: _, ...rest } = entry;
  return { ...rest, command: '(private)', output: '' };
}

function freeId(taken: Set<string>): string {
  let number = taken.size;
  let id = '';
  do id = (number++).toString(16).padStart(8, '0');
  while (taken.has(id));
  taken.add(id);
  return id;
}

/** A line without secrets stays as it is. */
function redactedLine(line: string, redact: Redactor): string {
  const value = parseJson(line);
  if (!isJsonObject(value)) return line;
  const after = JSON.stringify(redactKeepingImages(value, redact));
  return JSON.stringify(value) === after ? line : `${after}\n`;
}
