import {
  type DiffLine,
  type Display,
  describeState,
  type FileDiff,
  firstLine,
  isJsonObject,
  type JsonValue,
  type OmittedOutput,
  shorten,
} from '@robota-sdk/agent-core';
import { isRequestOrigin } from '@robota-sdk/agent-sessions';
import { visibleText } from '@robota-sdk/agent-tui';
import { changeOf, stateOfCall } from './call-change.ts';
import { callTitle } from './call-title.ts';
import { describeOmitted } from './describe-omitted.ts';
import { escapeMarkup } from './export-html.ts';
import { closedFences, fenced } from './markdown-fence.ts';
import { planMarkdown } from './plan-markdown.ts';
import type {
  AnswerBlock,
  CallBlock,
  IndexedView,
  PlainBlock,
  PromptView,
  ResultView,
  SessionView,
  ShellView,
  ViewEntry,
} from './session-view.ts';
import { plainTerminalText } from './terminal-text.ts';

export interface MarkdownExportOptions {
  readonly allBranches?: boolean;
}

type Results = (callId: string) => ResultView | undefined;

/** A session to be read: prompts are headings, calls are folded with their outputs and changes. */
export function* exportMarkdown(
  view: IndexedView,
  { allBranches = false }: MarkdownExportOptions = {},
): Generator<string> {
  const parents = new Map(view.places.map(({ id, parentId }) => [id, parentId]));
  yield head(view);
  const active = pathTo(view.leafId, parents);
  yield* conversation(view, active, active);
  if (!allBranches) return;
  const shown = new Set(active);
  const followed = new Set(parents.values());
  for (const leaf of parents.keys()) {
    if (followed.has(leaf)) continue;
    const path = pathTo(leaf, parents);
    const fresh = path.filter((id) => !shown.has(id));
    if (fresh.length === 0) continue;
    for (const id of fresh) shown.add(id);
    yield `---\n\n# Another branch\n\n${origin(view, path.slice(0, path.length - fresh.length))}`;
    yield* conversation(view, fresh, path);
  }
}

/** The ids from the root to an entry. */
function pathTo(leafId: string | null, parents: ReadonlyMap<string, string | null>): readonly string[] {
  const path: string[] = [];
  for (let id = leafId; id !== null && parents.has(id) && path.length <= parents.size; )
    id = parents.get(path[path.push(id) - 1] ?? '') ?? null;
  return path.reverse();
}

function head(view: SessionView): string {
  const { usage, cost, modelCalls } = view.totals;
  const rows: [string, string][] = [
    ['Session', code(view.id)],
    ['Directory', code(view.cwd)],
    ['Time', `${isoMinute(view.created)} to ${isoMinute(view.modified)}`],
    ['Models', view.models.map(code).join(', ') || 'none'],
    [
      'Used',
      `${modelCalls} model calls; ${usage.input} tokens in, ${usage.cacheRead} read from cache, ${usage.cacheWrite} written to it, ${usage.output} out; $${cost.toFixed(4)}`,
    ],
  ];
  const lines = rows.map(([name, value]) => `- ${name}: ${value}`);
  return `# ${inlineText(view.title)}\n\n${lines.join('\n')}\n\n`;
}

function origin(view: IndexedView, before: readonly string[]): string {
  for (const id of before.toReversed()) {
    const entry = view.entry(id);
    if (entry?.kind === 'prompt' && isRequestOrigin(entry.origin))
      return `Continues from what followed "${inlineText(firstLineOf(entry.blocks))}":\n\n`;
  }
  return 'From the beginning:\n\n';
}

/** The sections of entries, of which only one at a time is in memory, with the results of its calls. */
function* conversation(
  view: IndexedView,
  ids: readonly string[],
  path: readonly string[],
): Generator<string> {
  const resultIds = new Map<string, string>();
  const called = new Set<string>();
  for (const id of path) {
    const entry = view.entry(id);
    if (entry?.kind === 'result') resultIds.set(entry.callId, id);
    if (entry?.kind !== 'answer') continue;
    for (const block of entry.blocks) if (block.type === 'call') called.add(block.id);
  }
  const results: Results = (callId) => {
    const entry = view.entry(resultIds.get(callId) ?? '');
    return entry?.kind === 'result' ? entry : undefined;
  };
  for (const id of ids) {
    const entry = view.entry(id);
    if (entry === undefined || (entry.kind === 'result' && called.has(entry.callId))) continue;
    yield section(entry, results);
  }
}

function section(entry: ViewEntry, results: Results): string {
  switch (entry.kind) {
    case 'prompt':
      return promptSection(entry);
    case 'answer': {
      return entry.blocks.map((block) => answerSection(block, results)).join('') + cutText(entry);
    }
    case 'result':
      return folded(`${entry.tool} (result without its call)`, resultText(entry));
    case 'shell':
      return shellSection(entry);
    case 'summary':
      return folded(
        entry.ofBranch ? 'Summary of another branch' : 'Summary of earlier messages',
        fenced(entry.summary, 'markdown'),
      );
    case 'note':
      return entry.text === '' ? '' : `*${inlineText(entry.text)}*\n\n`;
    case 'other':
      return folded(entry.type, fenced(JSON.stringify(entry.json, null, 2), 'json'));
  }
}

function cutText({ cut }: Extract<ViewEntry, { kind: 'answer' }>): string {
  if (!cut) return '';
  const text = inlineText(cut.text);
  return cut.reason === 'error' ? `> **Failed:** ${text}\n\n` : `*${text}*\n\n`;
}

function shellSection({ command, output, omitted, end }: ShellView): string {
  const printed = output.trim() === '' ? '*Nothing was printed.*' : fenced(plainTerminalText(output), 'text');
  const title = `! ${command}${end === undefined ? '' : ` (${end})`}`;
  return folded(title, `${fenced(visibleText(command), 'sh')}\n\n${printed}${omittedText(omitted)}`);
}

/** Says below an output that part of it was not kept. */
function omittedText(omitted: OmittedOutput | undefined): string {
  return omitted ? `\n\n*${inlineText(describeOmitted(omitted))}*` : '';
}

/** Labels of messages that are no prompt, by origin. */
const notAsked: Readonly<Record<string, string>> = {
  reminder: 'Context given to the model',
  summary: 'Summary of earlier messages',
  pin: 'Pinned',
  recall: 'Restored',
};

function promptSection({ origin: from, blocks, context = [] }: PromptView): string {
  if (!isRequestOrigin(from)) return foldedBlocks(from, blocks);
  const added = context.length === 0 ? '' : foldedBlocks('reminder', context);
  const title = `## ${inlineText(firstLineOf(blocks)) || 'Prompt'}\n\n`;
  const isWhole = blocks.every((block) => block.type === 'text' && block.text.trim() === firstLineOf(blocks));
  if (isWhole) return title + added;
  return `${title}${blocks.map(plainBlock).join('\n\n')}\n\n${added}`;
}

function foldedBlocks(from: string | undefined, blocks: readonly PlainBlock[]): string {
  return folded(notAsked[from ?? ''] ?? 'Context', blocks.map(plainBlock).join('\n\n'));
}

function plainBlock(block: PlainBlock): string {
  return block.type === 'text' ? fenced(plainTerminalText(block.text), 'text') : image(block);
}

function answerSection(block: AnswerBlock, results: Results): string {
  switch (block.type) {
    case 'text':
      return `${closedFences(plainTerminalText(block.text))}\n\n`;
    case 'thinking':
      return block.hidden ? '' : folded('Thinking', fenced(plainTerminalText(block.text), 'text'));
    case 'server-tool':
      return `*${inlineText(block.name)}: ${inlineText(block.summary)}*\n\n`;
    case 'call':
      return callSection(block, results(block.id));
  }
}

function callSection(call: CallBlock, result: ResultView | undefined): string {
  const end = result ? [result.note, result.end] : [describeState(stateOfCall(call, result))];
  const told = end.filter((part) => part !== undefined).join(', ');
  const change = changeOf(call, result);
  const parts = [
    change ? diffText(change) : inputText(call.input),
    ...(result
      ? change && change === result.display
        ? []
        : [resultText(result)]
      : ['*No result was stored.*']),
  ];
  return folded(`${call.name} ${callTitle(call)}${told === '' ? '' : ` (${told})`}`, parts.join('\n\n'));
}

function inputText(input: JsonValue): string {
  const command = isJsonObject(input) ? input.command : undefined;
  if (typeof command === 'string') return fenced(visibleText(command), 'sh');
  return fenced(visibleText(JSON.stringify(input, null, 2)), 'json');
}

function resultText({ blocks, display, state }: ResultView): string {
  const isDone = state === 'done';
  if (display?.kind === 'diff' && isDone) return diffText(display);
  if (display?.kind === 'image') return image(display);
  if (display?.kind === 'todos' && isDone) return todos(display);
  if (display?.kind === 'plan') return planMarkdown(display);
  const omitted = display?.kind === 'terminal' ? display.omitted : undefined;
  return (blocks.map(plainBlock).join('\n\n') || '*Nothing was printed.*') + omittedText(omitted);
}

function todos({ items }: Extract<Display, { kind: 'todos' }>): string {
  return items
    .map(({ text, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${inlineText(text)}`)
    .join('\n');
}

const signs: Readonly<Record<Exclude<DiffLine['kind'], 'gap'>, string>> = {
  added: '+',
  removed: '-',
  context: ' ',
};

function diffText({ lines, more }: Pick<FileDiff, 'lines' | 'more'>): string {
  const rest = more === undefined ? [] : [`@@ ${more} more lines @@`];
  return fenced([...lines.flatMap(diffLines), ...rest].join('\n'), 'diff');
}

function diffLines({ kind, text, hidden, noNewline }: DiffLine): readonly string[] {
  const shown = visibleText(text);
  if (kind === 'gap') return [hidden === undefined ? `@@ ${shown}` : `@@ ${hidden} unchanged lines @@`];
  return [signs[kind] + shown, ...(noNewline ? ['\\ No newline at end of file'] : [])];
}

function image({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string {
  if (!/^image\/[\w.+-]+$/.test(mimeType) || !/^[A-Za-z0-9+/=\s]*$/.test(data)) return '*Invalid image*';
  return `![image](data:${mimeType};base64,${data.replace(/\s/g, '')})`;
}

/** Blank lines end the HTML on either side, so that what is between them is Markdown again. */
function folded(title: string, content: string): string {
  const oneLine = plainTerminalText(title).replace(/\s+/g, ' ').trim();
  return `<details><summary>${escapeMarkup(oneLine)}</summary>\n\n${content}\n\n</details>\n\n`;
}

/** Text that means nothing to Markdown, on one line. */
function inlineText(text: string): string {
  return plainTerminalText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&');
}

function code(text: string): string {
  const clean = plainTerminalText(text).replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...(clean.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return clean === '' ? 'unknown' : `${ticks}${space}${clean}${space}${ticks}`;
}

function firstLineOf(blocks: readonly PlainBlock[]): string {
  const text = blocks.flatMap((block) => (block.type === 'text' ? block.text.trim() : [])).join('\n');
  return shorten(firstLine(text), 120);
}

function isoMinute(time: number): string {
  return time === 0 ? 'unknown' : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
