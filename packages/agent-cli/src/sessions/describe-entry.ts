import {
  type AssistantContent,
  describeEnd,
  type Entry,
  type ListedSession,
  localTime,
  type Message,
  pluralize,
  remindersIn,
  type SessionHandle,
  type ShellRun,
  sessionLabel,
  shorten,
  shortLine,
  spokenContent,
  textOf,
  toolStateOf,
  typedText,
  type UserContent,
  withoutHeading,
} from '@robota-sdk/agent-sdk/front-end';

interface Detail {
  /** Nothing is shortened. */
  readonly full: boolean;
}

const shownLines = 3;
const shownCharacters = 240;

/** The header of a session: its name, directory and dates. */
export function describeHead(session: ListedSession, { branches }: { readonly branches?: number }): string {
  const { id, cwd, created, modified, messages } = session;
  const times = [created, modified].map((time) => localTime(Date.parse(time) || 0));
  const facts = [
    `started ${times[0]}`,
    `last used ${times[1]}`,
    pluralize(messages, 'message'),
    ...(branches !== undefined && branches > 1
      ? [`${branches} branches, of which the active one is shown`]
      : []),
  ];
  return `${sessionLabel(session)}\n${id}\n${cwd}\n${facts.join(' · ')}\n\n`;
}

/** Formats an entry; undefined if it is no part of the conversation. */
export function describeLine(entry: Entry, detail: Detail): string | undefined {
  switch (entry.type) {
    case 'message':
      return describeMessage(entry.message, detail);
    case 'shell':
      return describeShell(entry, detail);
    case 'compaction':
      return `(earlier messages were summarized)\n${excerpt(entry.summary, detail)}`;
    case 'branch_summary':
      return `(summary of another branch)\n${excerpt(entry.summary, detail)}`;
    case 'model_change':
      return `(model: ${entry.provider}/${entry.modelId})`;
    default:
      return undefined;
  }
}

/** The forks of a session: the number of branches, and the siblings after an entry. */
export function branchesAt(handle: SessionHandle): {
  readonly count: number;
  below(id: string | null): string | undefined;
} {
  const children = new Map<string | null, number>();
  for (const id of handle.ids()) {
    // After a lost line, the parent differs from the line's.
    const parentId = handle.parentIdOf(id);
    children.set(parentId, (children.get(parentId) ?? 0) + 1);
  }
  let count = 0;
  for (const id of handle.ids()) if (!children.has(id)) count++;
  return {
    count,
    below: (id) => {
      const others = (children.get(id) ?? 0) - 1;
      if (others < 1) return undefined;
      const what = others === 1 ? '1 other branch' : `${others} other branches`;
      if (id !== null) return `(${what} from here)`;
      return `(${what} of this session ${others === 1 ? 'begins' : 'begin'} at its start)`;
    },
  };
}

/** Notes for answers whose calls have no result, by entry. */
export function unansweredCalls(path: Iterable<Entry>): ReadonlyMap<string, string> {
  const lost = new Map<string, string>();
  let open = new Map<string, string>();
  let at = '';
  const settle = () => {
    const lines = [...open.values()].map(
      (name) => `  ⎿ ${name}: no result was recorded; it was cut off or still runs`,
    );
    if (lines.length > 0) lost.set(at, lines.join('\n'));
  };
  for (const entry of path) {
    if (entry.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'tool') open.delete(message.toolCallId);
    if (message.role !== 'assistant') continue;
    settle();
    at = entry.id;
    open = new Map(callsIn(message.content));
  }
  settle();
  return lost;
}

function callsIn(content: readonly AssistantContent[]): [string, string][] {
  return content.flatMap((block) => (block.type === 'tool-call' ? [[block.id, block.name]] : []));
}

function describeMessage(message: Message, detail: Detail): string | undefined {
  switch (message.role) {
    case 'user':
      return describePrompt(message, detail);
    case 'assistant': {
      const parts = message.content.flatMap((block) => describeBlock(block, detail) ?? []);
      const error = message.error === undefined ? [] : [`(failed: ${message.error.message})`];
      const all = [...parts, ...error];
      return all.length === 0 ? undefined : all.join('\n');
    }
    case 'tool': {
      const images = message.content.some(({ type }) => type === 'image') ? '[image] ' : '';
      const text = images + excerpt(textOf(message.content), detail);
      const end = describeEnd(message);
      return `  ⎿ ${message.toolName}${end === '' ? '' : ` ${end}`}: ${text.replaceAll('\n', '\n    ')}`;
    }
  }
}

function describeShell(run: ShellRun, detail: Detail): string {
  const end = describeEnd(run);
  const printed = excerpt(run.output, detail);
  const output = printed === '' ? '' : `\n${indented('  ', printed)}`;
  return `! ${run.command}${end === '' ? '' : ` (${end})`}${output}`;
}

function describePrompt(message: Extract<Message, { role: 'user' }>, detail: Detail): string | undefined {
  const { origin, content } = message;
  if (origin === 'reminder') return describeContext(content, detail);
  if (origin === 'pin') return `(pinned) ${excerpt(withoutHeading(message).trim(), detail)}`;
  if (origin === 'recall') return `(restored) ${excerpt(withoutHeading(message).trim(), detail)}`;
  const images = content.filter(({ type }) => type === 'image').length;
  const text = `${detail.full ? textOf(spokenContent(content)) : typedText(message)}${images > 0 ? ` [${images} images]` : ''}`;
  const said = text.trim() === '' ? [] : [indented('> ', text)];
  const parts = [...said, describeContext(remindersIn(content), detail) ?? []].flat();
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** Context for the model; only in the full text. */
function describeContext(content: readonly UserContent[], { full }: Detail): string | undefined {
  const text = textOf(content).trim();
  return full && text !== '' ? `(context given to the model)\n${indented('  ', text)}` : undefined;
}

function describeBlock(block: AssistantContent, detail: Detail): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text.trim();
    case 'thinking':
      return detail.full && block.text !== '' ? indented('  ~ ', block.text.trim()) : undefined;
    case 'tool-call':
      return `⏺ ${describeCall(block, detail)}`;
    case 'server-tool':
      return block.phase === 'call' ? `⏺ ${block.name} ${block.summary}` : `  ⎿ ${block.summary}`;
  }
}

function describeCall(block: Extract<AssistantContent, { type: 'tool-call' }>, { full }: Detail): string {
  const { toolName, firstArg } = toolStateOf(block);
  if (full) return `${toolName} ${JSON.stringify(block.input, null, 2)}`;
  return `${toolName}(${shortLine(firstArg, 100)})`;
}

function excerpt(text: string, { full }: Detail): string {
  const trimmed = text.trimEnd();
  if (full) return trimmed;
  const lines = trimmed.split('\n');
  const shown = lines.slice(0, shownLines).map((line) => shorten(line, shownCharacters));
  const left = lines.length - shownLines;
  return [...shown, ...(left > 0 ? [`… ${pluralize(left, 'more line')}`] : [])].join('\n');
}

function indented(prefix: string, text: string): string {
  return text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n');
}
