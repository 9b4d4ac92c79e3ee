import {
  type Message,
  type ModelRequest,
  type TextContent,
  type ToolCallContent,
  textOf,
  toolCallsOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import { type CallResult, lostResult, type Plan, type PlannedCall, type Step } from './plan.ts';
import { choosePlan } from './requests.ts';

/** The next text of the model, and its calls. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly (PlannedCall & { readonly id: string })[];
}

const maxSteps = 200;
const longestRequest = 400;

/** Decides the next step: a pure function of the messages and the tools on offer. */
export function nextReply({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): Reply {
  const start = messages.findLastIndex((message) => requestIn(message) !== '');
  const asked = messages[start];
  const available = new Set(tools.map((tool) => tool.name));
  const plan = choosePlan(asked ? requestIn(asked) : '', available);
  const step = replay(plan, messages.slice(start + 1));
  if ('answer' in step) return { text: step.answer, calls: [] };
  const missing = step.calls.find((call) => !available.has(call.tool));
  if (missing)
    return { text: `This needs the ${missing.tool} tool, which is switched off in this session.`, calls: [] };
  // Unique within the conversation, and the same for the same messages.
  const stem = `offline-${(messages.at(-1)?.id ?? 'start').slice(0, 8)}-${messages.length}`;
  return {
    text: step.say ?? '',
    calls: step.calls.map((call, index) => ({ ...call, id: `${stem}-${index}` })),
  };
}

function replay(plan: Plan, messages: readonly Message[]): Step | { answer: string } {
  const results = resultsIn(messages);
  const turns = messages.map(toolCallsOf).filter((calls) => calls.length > 0);
  let state = plan.next([]);
  for (const calls of turns) {
    if (state.done) break;
    if (!sameCalls(state.value.calls, calls)) return { answer: strangeHistory };
    state = plan.next(calls.map(({ id }) => results.get(id) ?? lostResult));
  }
  if (state.done) return { answer: state.value.text };
  if (turns.length >= maxSteps)
    return { answer: `Stopped after ${maxSteps} steps; ask for the rest in smaller parts.` };
  return state.value;
}

const strangeHistory =
  'The tool calls since your request are not the ones I would have made (another model or an edited history made them), so I stop here. Please ask again.';

function sameCalls(planned: readonly PlannedCall[], made: readonly ToolCallContent[]): boolean {
  if (planned.length !== made.length) return false;
  return planned.every((call, index) => {
    const other = made[index];
    return call.tool === other?.name && JSON.stringify(call.input) === JSON.stringify(other.input);
  });
}

function resultsIn(messages: readonly Message[]): ReadonlyMap<string, CallResult> {
  const results = new Map<string, CallResult>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const text = textOf(message.content.filter((part) => !isInstruction(part)));
    results.set(message.toolCallId, { text, isError: message.isError, denied: message.status === 'denied' });
  }
  return results;
}

/** Instructions of a folder come with the result of a call there; they are none of what the tool said. */
function isInstruction(part: UserContent): boolean {
  return part.type === 'text' && part.text.startsWith('<project_instructions ');
}

const notRequests: ReadonlySet<string | undefined> = new Set(['reminder', 'summary', 'pin', 'recall']);

/** The request in a message: its last short text, without input that came with it. Reminders ask nothing. */
function requestIn(message: Message): string {
  if (message.role !== 'user' || notRequests.has(message.origin)) return '';
  const texts = message.content
    .filter((part): part is TextContent => part.type === 'text')
    .map(({ text }) => withoutTags(text).trim())
    .filter((text) => text !== '');
  return texts.findLast((text) => text.length <= longestRequest) ?? texts[0] ?? '';
}

/** A text without `<stdin>…</stdin>` and its like: standard input, mentioned files, reminders of the program itself. */
function withoutTags(text: string): string {
  const lastEnds = new Map([...text.matchAll(/<\/([a-z][\w-]*)>/g)].map(({ 1: tag, index }) => [tag, index]));
  let rest = '';
  let from = 0;
  for (const { 0: opening, 1: tag = '', index } of text.matchAll(/<([a-z][\w-]*)(?:\s[^<>]*)?>\n/g)) {
    const start = index + opening.length;
    if (index < from || (lastEnds.get(tag) ?? -1) < start) continue;
    rest += text.slice(from, index);
    from = text.indexOf(`</${tag}>`, start) + `</${tag}>`.length;
  }
  return rest + text.slice(from);
}
