import type { FileDiff } from '@robota-sdk/agent-core';
import { callDiff } from '../view/call-diff.ts';
import { callTitle } from '../view/call-title.ts';
import { planMarkdown } from '../view/plan-markdown.ts';
import type { CallBlock, PlainBlock, ResultView, ShellView } from '../view/session-view.ts';
import { drawing, element } from './element.ts';
import { fold } from './fold.ts';
import { longText } from './long-text.ts';
import { plainText, spelledText } from './plain-text.ts';
import { renderCounts, renderDiff } from './render-diff.ts';
import { renderImage } from './render-image.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';

/** Longer changes are folded. */
const mostOpenLines = 40;

/** A call with its result; without one it was lost, unless it still runs. */
export function renderCall(
  call: CallBlock,
  result: ResultView | undefined,
  options: { readonly isRunning?: boolean } = {},
): HTMLElement {
  const diff = diffOf(call, result);
  const state = result ? statusClass(result) : options.isRunning ? 'running' : 'lost';
  return fold({
    class: `call ${state}`,
    summary: [
      markOf(result?.status ?? state),
      element('span', { class: 'tool' }, plainText(call.name)),
      element('span', { class: 'title' }, spelledText(callTitle(call))),
      ...renderCounts(diff),
      element('span', { class: 'status' }, result ? endText(result) : state === 'running' ? '' : 'no result'),
    ],
    text: () => callText(call, result),
    content: () => [...inputNodes(call, diff), ...(result ? resultNodes(result, diff) : [])],
    isOpen: diff.lines.length > 0 && diff.lines.length <= mostOpenLines,
  });
}

/** A command that the user ran. */
export function renderShell(shell: ShellView): HTMLElement {
  const { command, output } = shell;
  return fold({
    class: `call ${statusClass(shell)}`,
    summary: [
      markOf(shell.status),
      element('span', { class: 'tool' }, '!'),
      element('span', { class: 'title' }, spelledText(command)),
      element('span', { class: 'status' }, endText(shell)),
    ],
    text: () => `${command}\n${output}`,
    content: () => [
      longText(spelledText(command), textNode, 'command'),
      ...(output === '' ? [] : [longText(output, renderTerminal)]),
    ],
  });
}

/** A result whose call is not in the branch. */
export function renderResult(result: ResultView): HTMLElement {
  return fold({
    class: `call ${statusClass(result)}`,
    summary: [
      markOf(result.status),
      element('span', { class: 'tool' }, plainText(result.tool)),
      element('span', { class: 'title' }, 'result without its call'),
    ],
    text: () => callText(undefined, result),
    content: () => resultNodes(result),
  });
}

function statusClass({ status }: Pick<ResultView, 'status'>): string {
  return status === 'success' ? 'ok' : 'failed';
}

/** Shapes and spoken names of how a call ended. */
const marks: Readonly<Record<string, readonly [shape: string, name: string]>> = {
  success: ['m3 8.4 3.3 3.3L13 4.9', 'done'],
  error: ['m4.2 4.2 7.6 7.6M11.8 4.2l-7.6 7.6', 'failed'],
  denied: ['M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4ZM4.1 4.1l7.8 7.8', 'denied'],
  aborted: ['M4.2 4.2h7.6v7.6H4.2z', 'stopped'],
  running: ['M13.5 8A5.5 5.5 0 1 1 8 2.5', 'running'],
  lost: ['M3.5 8h9', 'no result'],
};

/** The shape in front of a call, so that its status does not depend on colour. */
function markOf(status: string): SVGElement {
  const [shape, name] = marks[status] ?? ['', ''];
  return drawing(
    'svg',
    { class: `mark-${status} call-mark`, viewBox: '0 0 16 16', role: 'img', 'aria-label': name },
    drawing('path', { d: shape }),
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
  return [plainText(note + end), took].filter((part) => part !== '').join(' · ');
}

/** Everything of a call that can be found. */
export function callText(call: CallBlock | undefined, result: ResultView | undefined): string {
  const input = call === undefined ? '' : `${call.name}\n${textsIn(call.input).join('\n')}`;
  const output = result?.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n') ?? '';
  return `${input}\n${output}\n${result?.display ? textsIn(result.display).join('\n') : ''}`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The change that a call made, or asked for where its result does not tell it; without lines if it changed nothing. */
function diffOf(call: CallBlock, result: ResultView | undefined): FileDiff {
  const { display } = result ?? {};
  return display?.kind === 'diff'
    ? display
    : { path: callTitle(call), lines: callDiff(call.name, call.input) };
}

function inputNodes(call: CallBlock, diff: FileDiff): Node[] {
  if (diff.lines.length > 0) return [renderDiff(diff)];
  const { input } = call;
  const command =
    typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
  if (typeof command === 'string') return [longText(spelledText(command), textNode, 'command')];
  if (isToldByTitle(call)) return [];
  return [longText(plainText(JSON.stringify(input, null, 2)), textNode, 'input')];
}

function isToldByTitle(call: CallBlock): boolean {
  const { input } = call;
  if (typeof input !== 'object' || input === null) return false;
  const values = Object.values(input);
  return values.length === 0 || (values.length === 1 && values[0] === callTitle(call));
}

function resultNodes(result: ResultView, shown?: FileDiff): Node[] {
  const { display, blocks } = result;
  const isError = result.status !== 'success';
  if (display?.kind === 'image') return [renderImage(display)];
  if (display?.kind === 'todos' && !isError)
    return [
      element(
        'ul',
        { class: 'todos' },
        ...display.items.map(({ text, status }) =>
          element('li', { class: status === 'completed' ? 'done' : '' }, plainText(text)),
        ),
      ),
    ];
  if (display?.kind === 'plan') return [renderMarkdown(planMarkdown(display))];
  if (display?.kind === 'diff' && !isError) return shown === display ? [] : [renderDiff(display)];
  if (display?.kind === 'terminal') return terminalNodes(display.output, display.exitCode);
  return blocks.map(blockNode);
}

function terminalNodes(output: string, exitCode: number | null): Node[] {
  const code = exitCode === 0 ? [] : [element('p', { class: 'exit' }, `exit code ${exitCode ?? 'unknown'}`)];
  return [...(output === '' ? [] : [longText(output, renderTerminal)]), ...code];
}

function blockNode(block: PlainBlock): Node {
  return block.type === 'image' ? renderImage(block) : longText(block.text, renderTerminal);
}

function textNode(text: string): Node[] {
  return [document.createTextNode(text)];
}
