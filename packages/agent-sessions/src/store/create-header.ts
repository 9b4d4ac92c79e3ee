import { resolve } from 'node:path';
import {
  AgentError,
  checkArguments,
  givenFields,
  having,
  optional,
  pathShape,
  text,
} from '@robota-sdk/agent-core';
import type { EntryDraft } from '../entry/entry.ts';
import { formatVersion, ownWriter, type SessionHeader } from '../entry/entry.ts';
import { newSessionId } from './new-session-id.ts';
import type { NewSessionOptions } from './session-store.ts';

const newSession = having({
  cwd: pathShape,
  id: optional(text),
  parentSession: optional(text),
  timestamp: optional(text),
  file: optional(pathShape),
});

/** The header of a new session. Refuses ids that could be another path. */
export function createHeader(options: NewSessionOptions): SessionHeader {
  checkArguments('SessionStore.create', { options: [options, newSession] });
  const { id = newSessionId(), cwd, parentSession, importedFrom } = options;
  const { timestamp = new Date().toISOString() } = options;
  assertSessionId(id);
  return {
    id,
    version: formatVersion,
    timestamp,
    cwd: resolve(cwd),
    writer: ownWriter,
    ...givenFields({ parentSession, importedFrom }),
  };
}

function assertSessionId(id: string): void {
  if (id.length <= 100 && /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id)) return;
  const rule =
    'Use up to 100 letters, digits, dots, dashes and underscores, with a letter or digit at both ends.';
  throw new AgentError('session', `"${id}" can't be the id of a session. ${rule}`);
}

/** True if an entry makes a session worth storing; the choice of a model or a reminder does not. */
export function isBeginning(draft: EntryDraft): boolean {
  if (draft.type === 'model_change' || draft.type === 'thinking_level_change') return false;
  return draft.type !== 'message' || draft.message.role !== 'user' || draft.message.origin !== 'reminder';
}
