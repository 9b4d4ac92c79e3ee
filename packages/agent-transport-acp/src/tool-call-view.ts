import { isAbsolute, resolve } from 'node:path';
import type { ToolCallContent as AcpContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import {
  type Access,
  type Display,
  hunksOf,
  isJsonObject,
  type SessionEvent,
  textOf,
  toolStateOf,
} from '@robota-sdk/agent-sdk/front-end';
import { visibleText } from '@robota-sdk/agent-tui';

type Started = Extract<SessionEvent, { type: 'tool-start' }>;
type Call = Started['call'];
type Result = Extract<SessionEvent, { type: 'tool-end' }>['result'];

/** How an editor groups calls, where what they touch is not known yet. */
const kinds: ReadonlyMap<string, ToolKind> = new Map([
  ['Read', 'read'],
  ['Write', 'edit'],
  ['Edit', 'edit'],
  ['Bash', 'execute'],
  ['Glob', 'search'],
  ['Grep', 'search'],
  ['WebFetch', 'fetch'],
  ['WebSearch', 'search'],
  ['TodoWrite', 'think'],
  ['Agent', 'think'],
  ['ExitPlanMode', 'switch_mode'],
]);

const kindOfAccess: Readonly<Record<Access['kind'], ToolKind>> = {
  read: 'read',
  write: 'edit',
  search: 'search',
  run: 'execute',
  fetch: 'fetch',
  use: 'other',
};

/** The kind of a call. */
export function kindOf(call: Call, access: readonly Access[] = []): ToolKind {
  const [first] = access;
  return kinds.get(call.name) ?? (first ? kindOfAccess[first.kind] : 'other');
}

const longestTitle = 200;

/** One line that says what a call does. */
export function toolCallTitle(call: Call): string {
  const { toolName, firstArg } = toolStateOf(call);
  const [line = ''] = visibleText(firstArg.trim()).split('\n', 1);
  if (toolName === 'TodoWrite') return 'Update the plan';
  if (toolName === 'ExitPlanMode') return 'Present the plan';
  const text = toolName === 'Bash' && line !== '' ? `\`${line}\`` : `${toolName} ${line}`.trim();
  return text.length > longestTitle ? `${text.slice(0, longestTitle - 1)}…` : text;
}

/** A result as data, for editors that do more than show it. */
export function rawOutputOf({ status, durationMs, exitCode, content }: Result) {
  const known = { status, durationMs, ...(exitCode === undefined ? {} : { exitCode }) };
  return { ...known, content: content.filter(({ type }) => type === 'text') };
}

/** The files that a call is about, for editors that follow along. */
export function locationsOf(call: Call, access: readonly Access[]): ToolCallLocation[] {
  const line =
    isJsonObject(call.input) && typeof call.input.offset === 'number'
      ? Math.max(1, call.input.offset)
      : undefined;
  return access.flatMap((each) =>
    each.kind === 'read' || each.kind === 'write' || each.kind === 'search'
      ? [{ path: each.path, ...(line === undefined ? {} : { line }) }]
      : [],
  );
}

/** The visible content of a result. */
export function resultContent(result: Pick<Result, 'content' | 'display'>, cwd: string): AcpContent[] {
  const { display } = result;
  const text = textOf(result.content);
  switch (display?.kind) {
    case 'diff':
      return diffContent(display, cwd);
    case 'file':
      return [textBlock(fenced(display.text))];
    case 'terminal':
      return [textBlock(fenced(display.output, 'console'))];
    case 'list':
      return [textBlock(display.items.join('\n') || text)];
    case 'todos':
      return [];
    case 'plan':
      return [textBlock(display.text)];
    case 'image':
      return [
        { type: 'content', content: { type: 'image', mimeType: display.mimeType, data: display.data } },
      ];
    default:
      return text === '' ? [] : [textBlock(text)];
  }
}

/** A diff as an editor wants it, one for each place of the file that changes. */
export function diffContent({ path, lines }: Extract<Display, { kind: 'diff' }>, cwd: string): AcpContent[] {
  const absolute = isAbsolute(path) ? path : resolve(cwd, path);
  return hunksOf(lines).map((hunk) => {
    const side = (other: 'added' | 'removed') =>
      hunk
        .filter(({ kind }) => kind !== other)
        .map(({ text, noNewline }) => (noNewline ? text : `${text}\n`));
    const before = side('added');
    return {
      type: 'diff',
      path: absolute,
      oldText: before.length === 0 ? null : before.join(''),
      newText: side('removed').join(''),
    };
  });
}

/** Text as one block of a result. */
export function textBlock(text: string): AcpContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** A fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
