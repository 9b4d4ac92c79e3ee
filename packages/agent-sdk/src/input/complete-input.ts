import { completeCommand } from '../commands/complete-command.ts';
import type { InteractiveSession } from '../interactive-session.ts';
import { completeResources } from '../mcp/mentioned-resources.ts';
import { noAgent, selectableAgents } from './select-agent.ts';
import { toolContextOf } from './tool-context.ts';

/** What a part of an input may become. */
export interface Completions {
  /** Where the part begins; it ends at the cursor. */
  readonly start: number;
  readonly items: readonly Completion[];
}

export interface Completion {
  /** What takes the place of the part. */
  readonly value: string;
  readonly description?: string;
}

export interface CompletionOptions {
  /** The place in the text, its end unless given. */
  readonly cursor?: number;
  readonly signal?: AbortSignal;
  /** How long it may take. */
  readonly timeoutMs?: number;
}

/** The word after an `@`, up to the cursor; the path may stand in quotes. */
const mentionBefore = /(?<![\w@\\/.:$&%+-])@(?:(file:|agent:)?"([^"\n]*)|([^\s"]*))$/;

/** Characters before the cursor in which a mention is looked for. */
const longestMention = 1000;

/** What can stand in the place of what was typed: commands and their arguments, files, agents. Never takes two seconds. */
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
  if (!before.startsWith('/')) return { start: before.length, items: [] };
  const lines = await completeCommand(session, before, options.signal);
  const items = lines.map((value): Completion => {
    const description = session.findCommand(value.slice(1))?.description;
    return description === undefined ? { value } : { value, description };
  });
  return { start: 0, items };
}

async function mentionItems(
  session: InteractiveSession,
  typed: string,
  { signal = new AbortController().signal, timeoutMs = 1_500 }: CompletionOptions,
): Promise<readonly Completion[]> {
  if (typed.startsWith('agent:')) return agentItems(session, typed);
  const resources = await completeResources(session, typed, { signal, timeoutMs });
  if (typed.includes(':') && resources.length > 0) return resources;
  const { completeFiles } = await import('./complete-files.ts');
  const prefix = typed.startsWith('file:') ? 'file:' : '';
  const { workspace } = toolContextOf(session.getSession(), { signal });
  const paths = await completeFiles({
    typed: typed.slice(prefix.length),
    workspace,
    signal,
    timeoutMs,
    isHidden: session.permissions.hidden?.isHidden,
  });
  const files = paths.map((path) => ({ value: `@${prefix}${/\s/.test(path) ? `"${path}"` : path}` }));
  if (prefix !== '' || typed === '') return files;
  const words = ['@agent:', '@file:'].filter((word) => word.startsWith(`@${typed}`));
  return [...words.map((value) => ({ value })), ...resources, ...files];
}

function agentItems(session: InteractiveSession, typed: string): readonly Completion[] {
  const none = { name: noAgent, description: 'No agent: Robota itself' };
  return [...selectableAgents(session), none]
    .map(({ name, description }) => ({ value: `@agent:${name}`, description }))
    .filter(({ value }) => value.startsWith(`@${typed}`));
}
