import type { Redactor } from '@robota-sdk/agent-core';
import {
  type AssistantContent,
  type AssistantMessage,
  callStateOf,
  cutOf,
  describeEnd,
  firstLine,
  given,
  givenFields,
  isDisplay,
  isJsonObject,
  type JsonValue,
  type ShellRun,
  shorten,
  type ToolMessage,
  type UserContent,
  type UserMessage,
} from '@robota-sdk/agent-core';
import type { Entry, ExportedSession } from '@robota-sdk/agent-sessions';
import {
  isRequest,
  isToldBy,
  remindersIn,
  requestOf,
  runFacts,
  spokenContent,
  totalsOf,
  typedText,
} from '@robota-sdk/agent-sessions';
import { customNote } from './custom-note.ts';
import { redactKeepingImages } from './redact-keeping-images.ts';
import { resultWords } from './result-words.ts';
import type { AnswerBlock, IndexedView, PlainBlock, SessionHead, ViewEntry } from './session-view.ts';

/** Converts a session into its readable form, entry by entry; a redactor hides secrets. */
export function buildView(session: ExportedSession, redact?: Redactor): IndexedView {
  const hidden = <T>(value: T): T => (redact ? redactKeepingImages(value, redact) : value);
  return {
    ...hidden(headOf(session)),
    redacted: redact !== undefined,
    entries: {
      *[Symbol.iterator]() {
        for (const entry of session.entries()) yield hidden(viewEntry(entry, session));
      },
    },
    places: [...session.ids()].map((id) => ({ id, parentId: session.parentIdOf(id) })),
    entry: (id) => {
      const entry = session.entry(id);
      return entry && hidden(viewEntry(entry, session));
    },
  };
}

function headOf(session: ExportedSession): Omit<SessionHead, 'redacted'> {
  const { header, name, leafId } = session;
  const models = new Set<string>();
  let first: string | undefined;
  let last = header.timestamp;
  for (const entry of session.entries()) {
    last = entry.timestamp;
    first ??= promptLine(entry);
    if (entry.type === 'message' && entry.message.role === 'assistant') models.add(modelName(entry.message));
  }
  return {
    id: header.id,
    title: name ?? first ?? `Session ${header.id}`,
    cwd: header.cwd,
    created: timeOf(header.timestamp),
    modified: timeOf(last),
    exported: Date.now(),
    models: [...models],
    totals: totalsOf(session.entries()),
    leafId,
    problems: session.problems.map(({ message }) => message),
  };
}

/** The first line of what a user asked for. */
function promptLine(entry: Entry): string | undefined {
  const request = requestOf(entry);
  return (request && shorten(firstLine(typedText(request)), 80)) || undefined;
}

/** An entry in its readable form, with its secrets. */
export function viewEntry(
  entry: Entry,
  session: Pick<ExportedSession, 'labels' | 'parentIdOf' | 'entry'>,
): ViewEntry {
  const label = session.labels.get(entry.id);
  const place = {
    id: entry.id,
    parentId: session.parentIdOf(entry.id),
    time: timeOf(entry.timestamp),
    ...(label === undefined ? {} : { label }),
  };
  switch (entry.type) {
    case 'message':
      return { ...place, ...messageView(entry.message) };
    case 'shell':
      return { ...place, ...shellView(entry) };
    case 'model_change':
      return { ...place, kind: 'note', text: `Model: ${entry.provider}/${entry.modelId}` };
    case 'thinking_level_change':
      return { ...place, kind: 'note', text: `Thinking: ${entry.thinkingLevel}` };
    case 'compaction':
      return { ...place, ...summaryView(entry) };
    case 'branch_summary':
      return { ...place, ...branchSummaryView(entry) };
    case 'custom': {
      const fact = runFacts.read(entry);
      const text =
        fact && isToldBy(messageBefore(entry.id, session), fact)
          ? ''
          : customNote(entry.customType, entry.data);
      return text === undefined ? { ...place, ...otherView(entry) } : { ...place, kind: 'note', text };
    }
    case 'opaque':
      return { ...place, ...otherView(entry.raw) };
  }
}

/** Bookkeeping between a message and an entry about it. */
const mostBetween = 20;

function messageBefore(id: string, session: Pick<ExportedSession, 'parentIdOf' | 'entry'>) {
  let before = session.parentIdOf(id);
  for (let steps = 0; before !== null && steps < mostBetween; steps++) {
    const entry = session.entry(before);
    if (entry?.type === 'message') return entry.message;
    before = session.parentIdOf(before);
  }
  return undefined;
}

type Bodies<K extends ViewEntry['kind']> = K extends unknown
  ? Omit<Extract<ViewEntry, { kind: K }>, 'id' | 'parentId' | 'time' | 'label'>
  : never;

function messageView(
  message: UserMessage | AssistantMessage | ToolMessage,
): Bodies<'prompt'> | Bodies<'answer'> | Bodies<'result'> {
  switch (message.role) {
    case 'user':
      return promptView(message);
    case 'assistant': {
      const { usage, cost } = message;
      return {
        kind: 'answer',
        model: modelName(message),
        usage,
        cost,
        ...given('cut', cutOf(message)),
        blocks: message.content.map(answerBlock),
      };
    }
    case 'tool': {
      const { display } = message;
      return {
        kind: 'result',
        callId: message.toolCallId,
        tool: message.toolName,
        state: callStateOf(message, message.ran?.input),
        ...resultWords(message),
        ...(message.durationMs === undefined ? {} : { durationMs: message.durationMs }),
        blocks: message.content.map(plainBlock),
        ...(isDisplay(display) ? { display } : {}),
      };
    }
  }
}

/** A private command is not for others to read. */
function shellView(run: ShellRun): Bodies<'shell'> | Bodies<'note'> {
  const { command, output, omitted, durationMs, isPrivate } = run;
  if (isPrivate) return { kind: 'note', text: 'A private command was run here.' };
  const end = describeEnd(run);
  return {
    kind: 'shell',
    command,
    output,
    ...given('omitted', omitted),
    state: callStateOf(run),
    ...(end === '' ? {} : { end }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };
}

function promptView(message: UserMessage): Bodies<'prompt'> {
  const { origin, content } = message;
  const from = { kind: 'prompt', ...(origin === undefined ? {} : { origin }) } as const;
  if (origin === 'pin' || origin === 'recall')
    return { ...from, blocks: withoutHeading(content).map(plainBlock) };
  if (!isRequest(message)) return { ...from, blocks: content.map(plainBlock) };
  const said = spokenContent(content);
  const isText = ({ type }: UserContent) => type === 'text';
  const [typed, replaced] =
    message.shown === undefined
      ? [said, []]
      : [
          [{ type: 'text', text: message.shown } as const, ...said.filter((block) => !isText(block))],
          said.filter(isText),
        ];
  const context = [...replaced, ...remindersIn(content)].map(plainBlock);
  return {
    ...from,
    blocks: typed.map(plainBlock),
    ...(context.length === 0 ? {} : { context }),
  };
}

/** The heading above a pin or a recalled message is for the model. */
function withoutHeading([first, ...rest]: readonly UserContent[]): readonly UserContent[] {
  if (first?.type !== 'text') return first === undefined ? [] : [first, ...rest];
  const text = first.text.slice(first.text.indexOf('\n\n') + 1).trim();
  return text === '' ? rest : [{ type: 'text', text }, ...rest];
}

function summaryView(entry: Extract<Entry, { type: 'compaction' }>): Bodies<'summary'> {
  const { summary, tokensBefore, tokensAfter, usage, details } = entry;
  const cost = isJsonObject(details) && typeof details.cost === 'number' ? details.cost : undefined;
  return { kind: 'summary', summary, tokensBefore, ...givenFields({ tokensAfter, usage, cost }) };
}

function branchSummaryView({
  summary,
  usage,
}: Extract<Entry, { type: 'branch_summary' }>): Bodies<'summary'> {
  return {
    kind: 'summary',
    ofBranch: true,
    summary,
    tokensBefore: 0,
    ...(usage === undefined ? {} : { usage }),
  };
}

function otherView(entry: { readonly type?: JsonValue; readonly customType?: JsonValue }): Bodies<'other'> {
  const name = [entry.customType, entry.type].find((value) => typeof value === 'string');
  return { kind: 'other', type: typeof name === 'string' ? name : 'unknown', json: bodyOf(entry) };
}

/** An entry without what every entry has. */
function bodyOf(entry: object): JsonValue {
  const rest = Object.entries(entry).filter(
    ([key]) => !['id', 'parentId', 'timestamp', 'type'].includes(key),
  );
  return Object.fromEntries(rest) as JsonValue;
}

function plainBlock(block: UserContent): PlainBlock {
  if (block.type === 'text') return { type: 'text', text: block.text };
  return { type: 'image', mimeType: block.mimeType, data: block.data };
}

function answerBlock(block: AssistantContent): AnswerBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', text: block.text, hidden: block.redacted === true || block.text === '' };
    case 'tool-call':
      return { type: 'call', id: block.id, name: block.name, input: block.input };
    case 'server-tool':
      return { type: 'server-tool', name: block.name, summary: block.summary };
  }
}

function modelName({ model }: AssistantMessage): string {
  return model.vendor === '' ? model.id : `${model.vendor}/${model.id}`;
}

function timeOf(iso: string): number {
  return Date.parse(iso) || 0;
}
