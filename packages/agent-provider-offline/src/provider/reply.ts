import type { Message, ModelRequest, ToolCallContent } from '@robota-sdk/agent-core';
import { readConversation } from '../engine/conversation.ts';
import type { Plan, PlannedCall, Step } from '../engine/plan.ts';
import { choosePlan } from '../intents/choose-plan.ts';

/** The next text of the model, and its calls. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly (PlannedCall & { readonly id: string })[];
}

const maxSteps = 200;

/** Decides the next step: a pure function of the messages and the tools on offer. */
export function nextReply({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): Reply {
  const conversation = readConversation(messages);
  const available = new Set(tools.map((tool) => tool.name));
  const plan = choosePlan({ ...conversation, tools: available });
  const step = replay(plan, conversation.exchanges);
  if ('answer' in step) return { text: step.answer, calls: [] };
  const missing = step.calls.find((call) => !available.has(call.tool));
  if (missing)
    return { text: `This needs the ${missing.tool} tool, which is switched off in this session.`, calls: [] };
  const stem = idStem(messages);
  return {
    text: step.say ?? '',
    calls: step.calls.map((call, index) => ({ ...call, id: `${stem}-${index}` })),
  };
}

type Exchanges = ReturnType<typeof readConversation>['exchanges'];

function replay(plan: Plan, exchanges: Exchanges): Step | { answer: string } {
  let state = plan.next([]);
  for (const { calls, results } of exchanges) {
    if (state.done) break;
    if (!sameCalls(state.value.calls, calls)) return { answer: strangeHistory };
    state = plan.next(results);
  }
  if (state.done) return { answer: state.value.text };
  if (exchanges.length >= maxSteps)
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

/** Unique within the conversation, and the same for the same messages. */
function idStem(messages: readonly Message[]): string {
  const last = messages.at(-1);
  return `offline-${(last?.id ?? 'start').slice(0, 8)}-${messages.length}`;
}
