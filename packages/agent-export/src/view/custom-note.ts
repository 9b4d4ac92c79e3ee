import { isJsonObject, type JsonObject, type JsonValue, pluralize } from '@robota-sdk/agent-core';

/** One line about an entry of our bookkeeping; undefined for those of extensions. */
export function customNote(customType: string, data: JsonValue | undefined): string | undefined {
  if (!isJsonObject(data) || !Object.hasOwn(notes, customType)) return undefined;
  return notes[customType]?.(data);
}

/** The purposes of model calls outside messages and agents. */
const spenders: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['summaries', 'Failed summary'],
  ['hooks', 'A hook'],
  ['asides', 'A side question'],
  ['titles', 'The title of the session'],
]);

/** The last time that a date can hold. */
const lastTime = 8.64e15;

const notes: Readonly<Record<string, (data: JsonObject) => string | undefined>> = {
  'robota.pin': ({ text, removed }) => {
    if (removed === true) return 'A pin was taken away';
    return typeof text === 'string' ? `Pinned: ${text.replace(/\s+/g, ' ').trim().slice(0, 200)}` : undefined;
  },
  'robota.prune': ({ messageIds }) => counted(messageIds, 'older tool output', 'left out from here on'),
  'robota.context': ({ changes }) => counted(changes, 'message', 'folded, dropped or restored by the user'),
  'robota.omit': ({ what, messageIds }) =>
    counted(messageIds, 'message', `without ${String(what)} from here on, since the vendor refused it`),
  'robota.spent': ({ cost, modelCalls, purpose }) =>
    typeof cost === 'number' && typeof modelCalls === 'number'
      ? `${spenders.get(purpose) ?? 'An agent'} made ${pluralize(modelCalls, 'model call')} for $${cost.toFixed(4)}`
      : undefined,
  'robota.task': ({ taskId, label, agentType }) => `The agent ${agentType} began as task ${taskId}: ${label}`,
  'robota.parked': ({ until }) =>
    typeof until === 'number' && Math.abs(until) <= lastTime
      ? `The run waited for a rate limit until ${new Date(until).toISOString()}`
      : 'The run no longer waits for a rate limit',
  'robota.cache-break': ({ reason, detail, tokens, cost }) =>
    typeof cost === 'number'
      ? `${tokens} tokens were sent again, for $${cost.toFixed(4)} more: ${reason} (${detail})`
      : undefined,
  'robota.review': ({ draft, removed, isKept }) => {
    if (isJsonObject(draft)) return `A comment on line ${draft.line} of ${nameOf(draft.path)} was drafted`;
    if (Array.isArray(removed)) return counted(removed, 'drafted comment', 'sent or deleted');
    return isKept === true ? 'A change was kept in the review' : 'A change is open again in the review';
  },
  'robota.run': ({ warning, ended, error }) => {
    const told = [warning, error].find((each) => typeof each === 'string');
    return told ?? (ended === 'aborted' ? 'Interrupted.' : undefined);
  },
  'robota.import': () => 'Up to here the session was imported',
};

function nameOf(path: JsonValue | undefined): string {
  return String(path).split(/[\\/]/).at(-1) ?? '';
}

function counted(ids: JsonValue | undefined, noun: string, what: string): string | undefined {
  if (!Array.isArray(ids)) return undefined;
  return `${ids.length} ${noun}${ids.length === 1 ? '' : 's'} ${what}`;
}
