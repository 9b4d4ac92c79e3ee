import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isJsonObject, orElse, parseJson } from '@robota-sdk/agent-core';
import { subagentHost } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';

/** The stored conversation of an agent, and its parent. */
export interface AgentConversation {
  readonly agentId: string;
  /** The session that started it. */
  readonly parentId: string;
  readonly path: string;
}

/** The agent whose session the user continued; undefined if there is none. */
export function agentConversation(session: InteractiveSession): AgentConversation | undefined {
  const host = session.getSession().state.peek(subagentHost);
  const path = host?.options.handle?.file;
  return path === undefined ? undefined : conversationAt(path);
}

/** Finds the conversation of an agent by its id or agent id, among all stored sessions. */
export async function findAgentConversation(
  reference: string,
  home: string,
): Promise<AgentConversation | undefined> {
  const wanted = reference.trim().toLowerCase();
  if (!/^[0-9a-f][0-9a-f-]{3,}$/.test(wanted)) return undefined;
  const all = conversationsIn(join(home, 'sessions'));
  const named = all.filter(({ agentId }) => agentId.startsWith(wanted));
  if (named.length > 0) return named[0];
  for (const one of all) if ((await idIn(one.path)) === wanted) return one;
  return undefined;
}

function conversationsIn(root: string): AgentConversation[] {
  const below = (directory: string) => namesIn(directory).map((name) => join(directory, name));
  const sessions = below(root).flatMap(below);
  return sessions.flatMap((session) =>
    below(join(session, 'subagents')).flatMap((path) => conversationAt(path) ?? []),
  );
}

function conversationAt(path: string): AgentConversation | undefined {
  const folder = dirname(path);
  const parent = dirname(folder);
  if (basename(folder) !== 'subagents' || !path.endsWith('.jsonl')) return undefined;
  if (!existsSync(join(parent, 'session.jsonl'))) return undefined;
  return { agentId: basename(path, '.jsonl'), parentId: basename(parent), path };
}

function namesIn(directory: string): string[] {
  return orElse(() => readdirSync(directory), []);
}

/** The id that a conversation has as a session. */
async function idIn(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const header = parseJson(text.split('\n', 1)[0] ?? '');
  return isJsonObject(header) ? String(header.id).toLowerCase() : undefined;
}
