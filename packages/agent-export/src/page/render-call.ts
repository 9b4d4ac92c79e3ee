import {
  type CallState,
  type Display,
  describeState,
  type FileDiff,
  type OmittedOutput,
} from '@robota-sdk/agent-core';
import { visibleText } from '@robota-sdk/agent-tui';
import { changeOf, stateOfCall } from '../view/call-change.ts';
import { callTitle } from '../view/call-title.ts';
import { describeOmitted } from '../view/describe-omitted.ts';
import { planMarkdown } from '../view/plan-markdown.ts';
import type { CallBlock, PlainBlock, ResultView, ShellView } from '../view/session-view.ts';
import { plainTerminalText } from '../view/terminal-text.ts';
import { drawing, element } from './element.ts';
import { fold } from './fold.ts';
import { longText } from './long-text.ts';
import { plainText } from './plain-text.ts';
import { renderCounts, renderDiff } from './render-diff.ts';
import { renderImage } from './render-image.ts';
import { markdownText, renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';

/** Longer changes are folded. */
const mostOpenLines = 40;

/** A call with its result; without one it was lost, unless it still runs. */
export function renderCall(
  call: CallBlock,
  result: ResultView | undefined,
  options: { readonly isRunning?: boolean } = {},
): HTMLElement {
  const state = stateOfCall(call, result, options.isRunning);
  const change = changeOf(call, result);
  const lines = change?.lines.length ?? 0;
  return callFold({
    state,
    tool: call.name,
    title: visibleText(callTitle(call)),
    counts: change ? renderCounts(change) : [],
    end: result ? endText(result) : state === 'running' ? '' : describeState(state),
    parts: () => callParts(call, result),
    isOpen: lines > 0 && lines <= mostOpenLines,
  });
}

/** A command that the user ran. */
export function renderShell(shell: ShellView): HTMLElement {
  const { command, state } = shell;
  return callFold({
    state,
    tool: '!',
    title: visibleText(command),
    end: endText(shell),
    parts: () => shellParts(shell),
  });
}

/** A result whose call is not in the branch. */
export function renderResult(result: ResultView): HTMLElement {
  return callFold({
    state: result.state,
    tool: result.tool,
    title: withoutCall,
    end: endText(result),
    parts: () => resultParts(result),
  });
}

const withoutCall = 'result without its call';

/** A piece of what is shown of a call: its text is what a search finds in it. */
interface Part {
  readonly text: string;
  readonly draw: () => Node;
}

interface CallFold {
  readonly state: CallState;
  readonly tool: string;
  readonly title: string;
  readonly counts?: readonly HTMLElement[];
  readonly end: string;
  readonly parts: () => readonly Part[];
  readonly isOpen?: boolean;
}

function callFold({ state, tool, title, counts = [], end, parts, isOpen = false }: CallFold): HTMLElement {
  return fold({
    class: `call ${state}`,
    summary: [
      markOf(state),
      element('span', { class: 'tool' }, plainText(tool)),
      element('span', { class: 'title' }, title),
      ...counts,
      element('span', { class: 'status' }, end),
    ],
    text: () => textOf(parts()),
    content: () => parts().map(({ draw }) => draw()),
    isOpen,
  });
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('\n');
}

/** Everything of a call that a search finds: its line and what it opens to, each once. */
export function callText(call: CallBlock, result: ResultView | undefined): string {
  return `${plainText(call.name)}\n${visibleText(callTitle(call))}\n${textOf(callParts(call, result))}`;
}

/** The same of a result whose call is not in the branch. */
export function resultText(result: ResultView): string {
  return `${plainText(result.tool)}\n${withoutCall}\n${textOf(resultParts(result))}`;
}

/** The same of a command that the user ran. */
export function shellText(shell: ShellView): string {
  return `!\n${visibleText(shell.command)}\n${textOf(shellParts(shell))}`;
}

const stopped = 'M4.2 4.2h7.6v7.6H4.2z';
const failed = 'm4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6';
const denied = 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4ZM4.1 4.1l7.8 7.8';

/** Shapes of the states of a call. */
const shapes: Readonly<Record<CallState, string>> = {
  done: 'm3 8.4 3.3 3.3L13 4.9',
  failed,
  denied,
  skipped: denied,
  stopped,
  running: 'M13.5 8A5.5 5.5 0 1 1 8 2.5',
  background: 'M3 8h10M9.5 4.5 13 8l-3.5 3.5',
  open: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4Z',
  lost: 'M3.5 8h9',
};

/** The shape in front of a call, so that its status does not depend on colour. */
function markOf(state: CallState): SVGElement {
  return drawing(
    'svg',
    {
      class: `mark-${state} call-mark`,
      viewBox: '0 0 16 16',
      role: 'img',
      'aria-label': describeState(state) || 'done',
    },
    drawing('path', { d: shapes[state] }),
  );
}

/** Shorter calls need no time beside them. */
const noticeableMs = 1000;

function endText({
  note = '',
  end = '',
  durationMs = 0,
}: Pick<ResultView, 'note' | 'end' | 'durationMs'>): string {
  const took =
    durationMs < noticeableMs ? '' : `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s`;
  return [plainText(note), plainText(end), took].filter((part) => part !== '').join(' · ');
}

function callParts(call: CallBlock, result: ResultView | undefined): readonly Part[] {
  const change = changeOf(call, result);
  if (!change) return [...inputParts(call), ...(result ? resultParts(result) : [])];
  const isWhole = change === result?.display;
  return [changePart(change), ...(result && !isWhole ? resultParts(result) : [])];
}

function inputParts(call: CallBlock): readonly Part[] {
  const { input } = call;
  const command =
    typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
  if (typeof command === 'string') return [codePart(command, 'command')];
  return isToldByTitle(call) ? [] : [codePart(JSON.stringify(input, null, 2), 'input')];
}

function isToldByTitle(call: CallBlock): boolean {
  const { input } = call;
  if (typeof input !== 'object' || input === null) return false;
  const values = Object.values(input);
  return values.length === 0 || (values.length === 1 && values[0] === callTitle(call));
}

function resultParts({ display, blocks, state }: ResultView): readonly Part[] {
  if (display?.kind === 'image') return [{ text: '', draw: () => renderImage(display) }];
  if (display?.kind === 'todos' && state === 'done') return [todosPart(display)];
  if (display?.kind === 'plan') return [markdownPart(planMarkdown(display))];
  if (display?.kind === 'diff' && state === 'done') return [changePart(display)];
  if (display?.kind !== 'terminal') return blocks.map(blockPart);
  const { output, exitCode, omitted } = display;
  return [
    ...outputParts(output, omitted),
    ...(exitCode === 0 ? [] : [remarkPart(`exit code ${exitCode ?? 'unknown'}`)]),
  ];
}

function shellParts({ command, output, omitted }: ShellView): readonly Part[] {
  return [codePart(command, 'command'), ...outputParts(output, omitted)];
}

function outputParts(output: string, omitted: OmittedOutput | undefined): readonly Part[] {
  return [
    ...(output === '' ? [] : [terminalPart(output)]),
    ...(omitted ? [remarkPart(describeOmitted(omitted))] : []),
  ];
}

/** Code is shown to the letter: what is invisible in it is spelled out. */
function codePart(code: string, kind: string): Part {
  const text = visibleText(code);
  return { text, draw: () => longText(text, textNode, kind) };
}

function changePart(change: FileDiff): Part {
  return {
    text: change.lines.map(({ kind, text }) => (kind === 'gap' ? '' : visibleText(text))).join('\n'),
    draw: () => renderDiff(change),
  };
}

function todosPart({ items }: Extract<Display, { kind: 'todos' }>): Part {
  return {
    text: items.map(({ text }) => plainText(text)).join('\n'),
    draw: () =>
      element(
        'ul',
        { class: 'todos' },
        ...items.map(({ text, status }) =>
          element('li', { class: status === 'completed' ? 'done' : '' }, plainText(text)),
        ),
      ),
  };
}

function markdownPart(text: string): Part {
  return { text: markdownText(text), draw: () => renderMarkdown(text) };
}

function terminalPart(output: string): Part {
  return { text: plainTerminalText(output), draw: () => longText(output, renderTerminal) };
}

function remarkPart(text: string): Part {
  return { text, draw: () => element('p', { class: 'exit' }, plainText(text)) };
}

function blockPart(block: PlainBlock): Part {
  return block.type === 'image' ? { text: '', draw: () => renderImage(block) } : terminalPart(block.text);
}

function textNode(text: string): Node[] {
  return [document.createTextNode(text)];
}
