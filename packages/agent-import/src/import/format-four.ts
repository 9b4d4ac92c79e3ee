import type { JsonObject } from '@robota-sdk/agent-core';
import { formatVersion } from '@robota-sdk/agent-sessions';
import { timeOf } from '../source/foreign-session.ts';

/** True if a line is of pi's experimental fourth format, whose lines tell their kind. */
export function isFormatFour(line: JsonObject): boolean {
  return typeof line.kind === 'string' && (line.kind === 'header' || typeof line.seq === 'number');
}

/** A line of the fourth format as the third has it; what has no place there becomes a line of no type. */
export function fromFormatFour(line: JsonObject): JsonObject {
  const { kind, seq, ...rest } = line;
  switch (kind) {
    case 'header': {
      const { createdAt, version, ...header } = rest;
      return {
        ...header,
        type: 'session',
        version: version === 4 ? formatVersion : (version ?? 4),
        ...time(createdAt),
      };
    }
    case 'entry':
      return { ...rest, ...time(rest.timestamp) };
    case 'lane':
      return rest.lane === 'main' ? { ...fact('leaf', seq), targetId: rest.leafId ?? null } : {};
    case 'fact':
      return factOf(rest, seq);
    default:
      return {};
  }
}

function factOf(rest: JsonObject, seq: JsonObject[string] | undefined): JsonObject {
  if (rest.targetId !== undefined)
    return { ...fact('label', seq), targetId: rest.targetId, label: rest.label ?? '' };
  return rest.name === undefined ? {} : { ...fact('session_info', seq), name: rest.name };
}

function fact(type: string, seq: JsonObject[string] | undefined): JsonObject {
  return { type, id: `fact-${seq}`, parentId: null };
}

function time(value: JsonObject[string] | undefined): JsonObject {
  const iso = timeOf(value);
  return iso === undefined ? {} : { timestamp: iso };
}
