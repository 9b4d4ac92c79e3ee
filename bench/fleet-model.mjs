import { join } from 'node:path';
import { anthropicReply } from '@robota-sdk/agent-testing';

/** @typedef {{ readonly type: string, readonly text?: string, readonly tool_use_id?: string, readonly is_error?: boolean, readonly content?: unknown, readonly id?: string }} Block */
/** @typedef {{ readonly steps: number, readonly counts: string, readonly usage?: { input: number, output: number } }} Work Steps of a task, the directory outside of worktrees where each leaves a line, and the tokens of a call. */

/**
 * A model that works as a careful one would: it takes a step a turn, each a command that leaves a line in the worktree and one
 * outside of it. Where it is told that an outcome is unknown, or that another process took over, it looks, and makes up for
 * exactly what is missing. So the right end of each task is known, wherever it was interrupted.
 * @param {{ readonly body: unknown }} request
 * @param {Work} work
 */
export function answerOf({ body }, work) {
  const { messages } = /** @type {{ messages: readonly { content: string | readonly Block[] }[] }} */ (body);
  const blocks = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  );
  const task = /task-\d+/.exec(blocks.map(({ text = '' }) => text).join('\n'))?.[0] ?? 'task-0';
  const state = stateOf(blocks);
  const usage = work.usage === undefined ? {} : { usage: work.usage };
  if (state.next === 'step' && state.tried >= work.steps) return anthropicReply({ text: 'Done.', ...usage });
  const number = blocks.filter(({ type }) => type === 'tool_result').length;
  const id = state.next === 'step' ? `step-${state.tried + 1}` : `${state.next}-${number}`;
  const input = { command: commandOf(state, task, work) };
  return anthropicReply({ toolCalls: [{ id, name: 'Bash', input }], ...usage });
}

/** @typedef {{ readonly next: 'step' | 'check' | 'repair', readonly tried: number, readonly missing: readonly number[] }} State */

/** @returns {State} */
function stateOf(/** @type {readonly Block[]} */ blocks) {
  /** @type {State} */
  let state = { next: 'step', tried: 0, missing: [] };
  for (const block of blocks) {
    const { type, text = '', tool_use_id: id = '' } = block;
    if (type === 'text' && text.includes('The process that worked on this task ended'))
      state = { ...state, next: 'check' };
    if (type !== 'tool_result') continue;
    const [kind, number] = id.split('-');
    const result = textIn(block.content);
    const isKnown = block.is_error !== true && !result.includes('Outcome unknown');
    if (kind === 'step') state = { ...state, tried: Number(number), next: isKnown ? 'step' : 'check' };
    else if (kind === 'repair') state = { ...state, next: 'check' };
    else state = checked(state, result);
  }
  return state;
}

/** The state after a look at the lines of the worktree and of the counter. @returns {State} */
function checked(/** @type {State} */ state, /** @type {string} */ result) {
  const found = /^([\d\n]*)=\n([\d\n]*)\./.exec(result);
  if (!found) return { ...state, next: 'check' };
  const [, file = '', counter = ''] = found;
  const expected = range(state.tried);
  const counted = counter.split('\n').map(Number);
  const missing = expected.filter((step) => !counted.includes(step));
  const isRight = missing.length === 0 && file === linesOf(state.tried);
  return { ...state, missing, next: isRight ? 'step' : 'repair' };
}

/** @param {State} state @param {string} task @param {Work} work */
function commandOf({ next, tried, missing }, task, { counts }) {
  const counter = join(counts, task);
  if (next === 'step') return `echo ${tried + 1} >> ${task}.txt && echo ${tried + 1} >> ${counter}`;
  if (next === 'check') return `cat ${task}.txt 2>/dev/null; echo =; cat ${counter} 2>/dev/null; echo .`;
  const lines = range(tried).map((step) => `echo ${step}`);
  const file = `{ ${['true', ...lines].join('; ')}; } > ${task}.txt`;
  return [file, ...missing.map((step) => `echo ${step} >> ${counter}`)].join(' && ');
}

/** The numbers from 1 on. */
function range(/** @type {number} */ length) {
  return Array.from({ length }, (_, index) => index + 1);
}

/** The file of a task after some steps. */
export function linesOf(/** @type {number} */ steps) {
  return range(steps)
    .map((step) => `${step}\n`)
    .join('');
}

function textIn(/** @type {unknown} */ content) {
  if (!Array.isArray(content)) return String(content);
  return content.map((/** @type {{ text?: string }} */ { text = '' }) => text).join('');
}
