import type { Todo } from '../todo-write/todo-write-tool.ts';

const stepStart = /^( {0,2}\d{1,3}[.)] )(.*)$/;

/** Ticks the steps of an approved plan by the run's todo list: `1. [x] Apply the rate`. */
export function tickPlan(plan: string, todos: readonly Todo[]): string {
  if (todos.length === 0) return plan;
  const lines = plan.split('\n');
  const steps = lines.filter((line) => stepStart.test(line)).length;
  let step = -1;
  return lines
    .map((line) => {
      const [, number, text] = stepStart.exec(line) ?? [];
      if (number === undefined || text === undefined) return line;
      step++;
      const todo = todos.find(({ content }) => isSame(content, text));
      // Lists of equal length are matched in order.
      const { status } = todo ?? (steps === todos.length ? todos[step] : undefined) ?? {};
      return `${number}[${status === 'completed' ? 'x' : ' '}] ${text}`;
    })
    .join('\n');
}

/** True if one contains the other, ignoring marks and case. */
function isSame(todo: string, step: string): boolean {
  const [one, other] = [wordsOf(todo), wordsOf(step)];
  return one !== '' && other !== '' && (one.includes(other) || other.includes(one));
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
