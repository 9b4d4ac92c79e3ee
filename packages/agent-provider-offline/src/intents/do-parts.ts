import type { Plan, PlanAnswer, PlannedCall, Steps } from '../engine/plan.ts';
import { failed } from '../engine/plan.ts';
import type { IntentContext } from './intent.ts';

/** A part of a request with the plan that does it. */
export interface PlannedPart {
  readonly part: string;
  readonly plan: Plan | undefined;
}

type Status = 'pending' | 'in_progress' | 'completed';

/** Does the parts one after the other, keeping the todo list true; a part that fails ends it. */
export function* doParts(parts: readonly PlannedPart[], context: IntentContext): Plan {
  const reports: string[] = [];
  for (const [index, { plan }] of parts.entries()) {
    const say = index === 0 ? `This has ${parts.length} steps.` : `Step ${index} of ${parts.length} is done.`;
    yield* showProgress(parts, { current: index, say }, context);
    const answer = plan ? yield* plan : failed('I did not understand this part.');
    reports.push(report(parts, index, answer));
    if (answer.failed) return failed([...reports, remainder(parts, index)].join('\n\n'));
  }
  yield* showProgress(parts, { current: parts.length, say: `All ${parts.length} steps are done.` }, context);
  return { text: reports.join('\n\n') };
}

/** Writes the parts down as todos and does none of them. */
export function* planTodos(parts: readonly string[], context: IntentContext): Plan {
  const rows = parts.map((part, index) => `${index + 1}. ${part}`).join('\n');
  if (!context.tools.has('TodoWrite'))
    return { text: `A plan (the TodoWrite tool is switched off, so it is not kept):\n\n${rows}` };
  const [result] = yield {
    calls: [
      todoCall(
        parts.map((part) => ({ part, plan: undefined })),
        -1,
      ),
    ],
  };
  if (result?.isError) return failed(`The plan was not kept: ${result.text}`);
  return { text: `Kept as todos, none of them begun:\n\n${rows}` };
}

function* showProgress(
  parts: readonly PlannedPart[],
  { current, say }: { current: number; say: string },
  { tools }: IntentContext,
): Steps<void> {
  if (tools.has('TodoWrite')) yield { say, calls: [todoCall(parts, current)] };
}

function todoCall(parts: readonly PlannedPart[], current: number): PlannedCall {
  const todos = parts.map(({ part }, index) => ({ content: part, status: statusOf(index, current) }));
  return { tool: 'TodoWrite', input: { todos } };
}

function statusOf(index: number, current: number): Status {
  if (index === current) return 'in_progress';
  return index < current ? 'completed' : 'pending';
}

function report(parts: readonly PlannedPart[], index: number, answer: PlanAnswer): string {
  return `Step ${index + 1} of ${parts.length}, ${parts[index]?.part}: ${answer.failed ? 'failed.' : 'done.'}\n\n${answer.text}`;
}

function remainder(parts: readonly PlannedPart[], index: number): string {
  const left = parts.slice(index + 1).map(({ part }) => `- ${part}`);
  return left.length === 0 ? 'This was the last step.' : `I stopped here. Not begun:\n${left.join('\n')}`;
}
