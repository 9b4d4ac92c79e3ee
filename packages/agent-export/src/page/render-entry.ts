import type { JsonValue } from '@robota-sdk/agent-core';
import type { AnswerBlock, AnswerView, PlainBlock, ResultView, ViewEntry } from '../view/session-view.ts';
import { element } from './element.ts';
import { fold } from './fold.ts';
import { longText } from './long-text.ts';
import { clock, count, dateTime, dollars, shortCount } from './numbers.ts';
import { plainText } from './plain-text.ts';
import { callText, renderCall, renderResult, renderShell, resultText, shellText } from './render-call.ts';
import { renderImage } from './render-image.ts';
import { markdownText, renderMarkdown } from './render-markdown.ts';

/** Results of a branch by the call they answer. */
export type Results = ReadonlyMap<string, ResultView>;

export function resultsIn(entries: readonly ViewEntry[]): Results {
  return new Map(entries.flatMap((entry) => (entry.kind === 'result' ? [[entry.callId, entry]] : [])));
}

/** The ids of the calls in some entries. */
export function callsIn(entries: readonly ViewEntry[]): ReadonlySet<string> {
  const blocks = entries.flatMap((entry) => (entry.kind === 'answer' ? entry.blocks : []));
  return new Set(blocks.flatMap((block) => (block.type === 'call' ? block.id : [])));
}

/** The inside of an entry's article. */
export function renderEntry(entry: ViewEntry, results: Results): Node[] {
  const label =
    entry.label === undefined ? [] : [element('span', { class: 'label' }, plainText(entry.label))];
  switch (entry.kind) {
    case 'prompt':
      if (entry.origin === 'reminder') return [contextFold(entry.blocks, label)];
      return [
        heading(promptNames[entry.origin ?? ''] ?? 'You', entry.time, label),
        ...entry.blocks.map(promptBlock),
        ...(entry.context === undefined ? [] : [contextFold(entry.context, [])]),
      ];
    case 'answer':
      return answerNodes(entry, entry.time, { label, results });
    case 'result':
      return [renderResult(entry)];
    case 'shell':
      return [renderShell(entry)];
    case 'summary':
      return [
        fold({
          class: 'summary-fold',
          summary: [
            entry.ofBranch
              ? 'Summary of another branch'
              : summaryTitle(entry.tokensBefore, entry.tokensAfter),
            ...label,
          ],
          text: () => entry.summary,
          content: () => [renderMarkdown(entry.summary)],
        }),
      ];
    case 'note':
      return entry.text === '' ? [] : [element('p', { class: 'note-text' }, plainText(entry.text))];
    case 'other':
      return [
        fold({
          class: 'other-fold',
          summary: [plainText(entry.type)],
          text: () => otherText(entry.json),
          content: () => [longText(otherText(entry.json), textNode, 'input')],
        }),
      ];
  }
}

/** Context for the model is folded. */
function contextFold(blocks: readonly PlainBlock[], label: readonly Node[]): Node {
  return fold({
    class: 'other-fold',
    summary: ['Context given to the model', ...label],
    text: () => plainBlocksText(blocks),
    content: () => blocks.map(promptBlock),
  });
}

/** Everything of an entry that a search finds, with the results of its calls: what is drawn, each text once. */
export function entryText(entry: ViewEntry, results: Results): string {
  switch (entry.kind) {
    case 'prompt':
      return plainBlocksText([...entry.blocks, ...(entry.context ?? [])]);
    case 'answer':
      return [
        ...entry.blocks.map((block) => blockText(block, results)),
        entry.cut === undefined ? '' : plainText(entry.cut.text),
      ].join('\n');
    case 'result':
      return resultText(entry);
    case 'shell':
      return shellText(entry);
    case 'summary':
      return markdownText(entry.summary);
    case 'note':
      return plainText(entry.text);
    case 'other':
      return `${plainText(entry.type)}\n${otherText(entry.json)}`;
  }
}

function otherText(json: JsonValue): string {
  return plainText(JSON.stringify(json, null, 2));
}

function plainBlocksText(blocks: readonly PlainBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? plainText(block.text) : '')).join('\n');
}

const promptNames: Readonly<Record<string, string>> = {
  steering: 'You, while it worked',
  'follow-up': 'You, afterwards',
  command: 'A command',
  summary: 'A summary',
  pin: 'Pinned',
  recall: 'Restored',
};

function heading(name: string, time: number, more: readonly Node[]): HTMLElement {
  const when = element('time', { title: dateTime(time) }, clock(time));
  return element('header', { class: 'entry-head' }, element('h2', {}, name), ...more, when);
}

/** Prompts are shown as they were typed. */
function promptBlock(block: PlainBlock): Node {
  if (block.type === 'image') return renderImage(block);
  return longText(plainText(block.text), textNode, 'prompt-text');
}

function answerNodes(
  answer: AnswerView,
  time: number,
  { label, results }: { label: readonly Node[]; results: Results },
): Node[] {
  const { model, usage, cost, cut } = answer;
  const tokens = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  const details = `${count(usage.input)} in, ${count(usage.cacheRead)} read from cache, ${count(usage.cacheWrite)} written to it, ${count(usage.output)} out`;
  const spent = element(
    'span',
    { class: 'spent', title: details },
    `${shortCount(tokens)} tokens · ${dollars(cost)}`,
  );
  const kind = cut?.reason === 'error' ? 'failure' : 'muted';
  return [
    heading(plainText(model) || 'Robota', time, [...label, ...(tokens > 0 ? [spent] : [])]),
    ...answer.blocks.map((block) => answerBlock(block, results)),
    ...(cut ? [element('p', { class: kind }, plainText(cut.text))] : []),
  ];
}

function answerBlock(block: AnswerBlock, results: Results): Node {
  switch (block.type) {
    case 'text':
      return renderMarkdown(block.text);
    case 'thinking':
      if (block.hidden)
        return element('p', { class: 'muted thinking-hidden' }, 'Thinking, hidden by the vendor');
      return fold({
        class: 'thinking',
        summary: ['Thinking'],
        text: () => block.text,
        content: () => [renderMarkdown(block.text)],
      });
    case 'server-tool':
      return element('p', { class: 'server-tool' }, `${plainText(block.name)}: ${plainText(block.summary)}`);
    case 'call':
      return renderCall(block, results.get(block.id));
  }
}

function blockText(block: AnswerBlock, results: Results): string {
  switch (block.type) {
    case 'call':
      return callText(block, results.get(block.id));
    case 'server-tool':
      return `${plainText(block.name)}: ${plainText(block.summary)}`;
    case 'thinking':
      return block.hidden ? '' : markdownText(block.text);
    case 'text':
      return markdownText(block.text);
  }
}

function summaryTitle(before: number, after: number | undefined): string {
  if (before === 0) return 'Summary of another branch';
  const to = after === undefined ? '' : ` to ${count(after)}`;
  return `Summary of earlier messages: from ${count(before)}${to} tokens`;
}

function textNode(text: string): Node[] {
  return [document.createTextNode(text)];
}
