import { type DiffLine, type Display, isJsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { isRequestOrigin } from '../entry/is-request.ts';
import { Branches } from './branches.ts';
import { callDiff } from './call-diff.ts';
import { callTitle } from './call-title.ts';
import { escapeMarkup } from './export-html.ts';
import { closedFences, fenced } from './markdown-fence.ts';
import type {
  AnswerBlock,
  CallBlock,
  PlainBlock,
  ResultView,
  SessionView,
  ViewEntry,
} from './session-view.ts';
import { plainTerminalText } from './terminal-text.ts';

export interface MarkdownExportOptions {
  readonly allBranches?: boolean;
}

type Results = ReadonlyMap<string, ResultView>;

/** A session to be read: prompts are headings, calls are folded with their outputs and changes. */
export function* exportMarkdown(
  view: SessionView,
  { allBranches = false }: MarkdownExportOptions = {},
): Generator<string> {
  const branches = new Branches(view.entries);
  yield head(view);
  const active = branches.path(view.leafId);
  yield* conversation(active, active);
  if (!allBranches) return;
  const shown = new Set(active.map(({ id }) => id));
  for (const leaf of branches.leaves()) {
    const path = branches.path(leaf.id);
    const fresh = path.filter(({ id }) => !shown.has(id));
    if (fresh.length === 0) continue;
    for (const { id } of fresh) shown.add(id);
    yield `---\n\n# Another branch\n\n${origin(path, fresh)}`;
    yield* conversation(fresh, path);
  }
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

function origin(path: readonly ViewEntry[], fresh: readonly ViewEntry[]): string {
  const before = path.slice(0, path.length - fresh.length);
  const prompt = before.findLast((entry) => entry.kind === 'prompt' && isRequestOrigin(entry.origin));
  if (prompt?.kind !== 'prompt') return 'From the beginning:\n\n';
  return `Goes on from what followed "${inlineText(firstLine(prompt.blocks))}":\n\n`;
}

function* conversation(entries: readonly ViewEntry[], path: readonly ViewEntry[]): Generator<string> {
  const results = new Map(path.flatMap((entry) => (entry.kind === 'result' ? [[entry.callId, entry]] : [])));
  const called = new Set(
    path.flatMap((entry) =>
      entry.kind === 'answer' ? entry.blocks.flatMap((block) => (block.type === 'call' ? block.id : [])) : [],
    ),
  );
  for (const entry of entries) {
    if (entry.kind === 'result' && called.has(entry.callId)) continue;
    yield section(entry, results);
  }
}

function section(entry: ViewEntry, results: Results): string {
  switch (entry.kind) {
    case 'prompt':
      return promptSection(entry.origin, entry.blocks);
    case 'answer': {
      const error = entry.error === undefined ? '' : `> **Failed:** ${inlineText(entry.error)}\n\n`;
      return entry.blocks.map((block) => answerSection(block, results)).join('') + error;
    }
    case 'result':
      return folded(`${entry.tool} (result without its call)`, resultText(entry));
    case 'summary':
      return folded(
        entry.ofBranch ? 'Summary of another branch' : 'Summary of what was before',
        fenced(entry.summary, 'markdown'),
      );
    case 'note':
      return `*${inlineText(entry.text)}*\n\n`;
    case 'other':
      return folded(entry.type, fenced(JSON.stringify(entry.json, null, 2), 'json'));
  }
}

/** What nobody asked for, by where it came from. */
const notAsked: Readonly<Record<string, string>> = {
  reminder: 'Context given to the model',
  summary: 'Summary of what was before',
  pin: 'Pinned',
  recall: 'Brought back',
};

function promptSection(from: string | undefined, blocks: readonly PlainBlock[]): string {
  if (!isRequestOrigin(from))
    return folded(notAsked[from ?? ''] ?? 'Context', blocks.map(plainBlock).join('\n\n'));
  const title = `## ${inlineText(firstLine(blocks)) || 'Prompt'}\n\n`;
  const isWhole = blocks.every((block) => block.type === 'text' && block.text.trim() === firstLine(blocks));
  if (isWhole) return title;
  return `${title}${blocks.map(plainBlock).join('\n\n')}\n\n`;
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
      return callSection(block, results.get(block.id));
  }
}

function callSection(call: CallBlock, result: ResultView | undefined): string {
  const failed = result?.isError ? ' (failed)' : '';
  const shown = result?.display?.kind === 'diff' ? result.display.lines : callDiff(call.name, call.input);
  const input = shown.length > 0 ? diffText(shown) : inputText(call.input);
  const output = result ? resultText(result) : '*No result was kept.*';
  const parts = result?.display?.kind === 'diff' ? [input] : [input, output];
  return folded(`${call.name} ${callTitle(call)}${failed}`, parts.join('\n\n'));
}

function inputText(input: JsonValue): string {
  const command = isJsonObject(input) ? input.command : undefined;
  if (typeof command === 'string') return fenced(plainTerminalText(command), 'sh');
  return fenced(plainTerminalText(JSON.stringify(input, null, 2)), 'json');
}

function resultText({ blocks, display }: ResultView): string {
  if (display?.kind === 'diff') return diffText(display.lines);
  if (display?.kind === 'image') return image(display);
  if (display?.kind === 'todos') return todos(display);
  return blocks.map(plainBlock).join('\n\n') || '*Nothing was printed.*';
}

function todos({ items }: Extract<Display, { kind: 'todos' }>): string {
  return items
    .map(({ text, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${inlineText(text)}`)
    .join('\n');
}

const signs: Readonly<Record<DiffLine['kind'], string>> = {
  added: '+',
  removed: '-',
  context: ' ',
  gap: '@@ ',
};

function diffText(lines: readonly DiffLine[]): string {
  return fenced(lines.map(({ kind, text }) => signs[kind] + plainTerminalText(text)).join('\n'), 'diff');
}

function image({ mimeType, data }: { readonly mimeType: string; readonly data: string }): string {
  if (!/^image\/[\w.+-]+$/.test(mimeType) || !/^[A-Za-z0-9+/=\s]*$/.test(data))
    return '*An image that is none.*';
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

function firstLine(blocks: readonly PlainBlock[]): string {
  const text = blocks.flatMap((block) => (block.type === 'text' ? block.text.trim() : [])).join('\n');
  const [line = ''] = text.split('\n', 1);
  return line.length > 120 ? `${line.slice(0, 119).trimEnd()}…` : line.trim();
}

function isoMinute(time: number): string {
  return time === 0 ? 'unknown' : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
