import { completeResources } from '../mcp/mentioned-resources.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { toolContextOf } from '../state/tool-context.ts';
import { completeCommand } from './complete-command.ts';
import { noAgent, selectableAgents } from './select-agent.ts';

/** The completions of a part of an input. */
export interface Completions {
  /** The start of the part; it ends at the cursor. */
  readonly start: number;
  readonly items: readonly InputCompletion[];
}

export interface InputCompletion {
  /** The replacement of the part. */
  readonly value: string;
  readonly description?: string;
}

export interface CompletionOptions {
  /** The position in the text. Default: its end. */
  readonly cursor?: number;
  readonly signal?: AbortSignal;
  /** Time limit. */
  readonly timeoutMs?: number;
}

/** The word after an `@`, up to the cursor; the path may be quoted. */
const mentionBefore = /(?<![\w@\\/.:$&%+-])@(?:(file:|agent:)?"([^"\n]*)|([^\s"]*))$/;

/** Number of characters before the cursor that are searched for a mention or a path. */
const longestMention = 1000;

/** Completes typed text: commands and their arguments, files, agents. Limited to two seconds. */
export async function completeInput(
  session: InteractiveSession,
  text: string,
  options: CompletionOptions = {},
): Promise<Completions> {
  const before = text.slice(0, options.cursor);
  const mention = mentionBefore.exec(before.slice(-longestMention));
  if (mention) {
    const [all, prefix = '', quoted, word = ''] = mention;
    const items = await mentionItems(session, quoted === undefined ? word : prefix + quoted, options);
    return { start: before.length - all.length, items };
  }
  const lines = await completeCommand(session, before, options.signal);
  if (lines.length === 0) {
    const path = pathBefore(before.slice(-longestMention));
    if (path === undefined) return { start: before.length, items: [] };
    return { start: before.length - path.length, items: await completePath(session, path, options) };
  }
  const items = lines.map((value): InputCompletion => {
    const description = session.findCommand(value.slice(1))?.description;
    return description === undefined ? { value } : { value, description };
  });
  return { start: 0, items };
}

/** Completes a path without an `@`. */
export async function completePath(
  session: InteractiveSession,
  typed: string,
  options: CompletionOptions = {},
): Promise<readonly InputCompletion[]> {
  return (await pathsFor(session, typed, options)).map((path) => ({ value: path }));
}

async function pathsFor(
  session: InteractiveSession,
  typed: string,
  { signal = new AbortController().signal, timeoutMs = 1_500 }: CompletionOptions,
): Promise<readonly string[]> {
  const { completeFiles } = await import('@robota-sdk/agent-tools');
  const { workspace } = toolContextOf(session.getSession(), { signal });
  const { hidden } = session.permissions;
  return completeFiles({ typed, workspace, signal, timeoutMs, hidden });
}

async function mentionItems(
  session: InteractiveSession,
  typed: string,
  { signal = new AbortController().signal, timeoutMs = 1_500 }: CompletionOptions,
): Promise<readonly InputCompletion[]> {
  if (typed.startsWith('agent:')) return agentItems(session, typed);
  const resources = await completeResources(session, typed, { signal, timeoutMs });
  if (typed.includes(':') && resources.length > 0) return resources;
  const prefix = typed.startsWith('file:') ? 'file:' : '';
  const paths = await pathsFor(session, typed.slice(prefix.length), { signal, timeoutMs });
  const files = paths.map((path) => ({ value: `@${prefix}${/\s/.test(path) ? `"${path}"` : path}` }));
  if (prefix !== '' || typed === '') return files;
  const words = ['@agent:', '@file:'].filter((word) => word.startsWith(`@${typed}`));
  return [...words.map((value) => ({ value })), ...resources, ...files];
}

function agentItems(session: InteractiveSession, typed: string): readonly InputCompletion[] {
  const none = { name: noAgent, description: 'No agent: Robota itself' };
  return [...selectableAgents(session), none]
    .map(({ name, description }) => ({ value: `@agent:${name}`, description }))
    .filter(({ value }) => value.startsWith(`@${typed}`));
}

/** The word with a slash at the end of a text, unless it is a mention or a shell command. */
function pathBefore(text: string): string | undefined {
  const word = text.split(/[\s"'=]/).at(-1) ?? '';
  return word.includes('/') && !/^[@!]/.test(word) ? word : undefined;
}
