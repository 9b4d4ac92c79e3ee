import { formatDuration } from '@robota-sdk/agent-core';
import type { TaskSpec } from '../contract/task.ts';

/** The text of a task file that reads as this task again. */
export function writeTask(spec: TaskSpec): string {
  const head = Object.entries(taskFieldsOf(spec)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${head.join('\n')}\n---\n${spec.prompt}\n`;
}

/** The same as a line of JSON. */
export function writeTaskLine(spec: TaskSpec): string {
  return JSON.stringify({ ...taskFieldsOf(spec), prompt: spec.prompt });
}

function taskFieldsOf(spec: TaskSpec): Readonly<Record<string, unknown>> {
  const fields = {
    name: spec.name,
    repo: spec.repo,
    base: spec.base,
    setup: spec.setup,
    check: spec.check,
    baseline: spec.baseline,
    model: spec.model,
    'max-cost': spec.maxCost,
    'max-time': spec.maxTimeMs === undefined ? undefined : formatDuration(spec.maxTimeMs),
    'max-turns': spec.maxTurns,
    attempts: spec.attempts,
    keep: spec.keep,
    after: spec.after,
    permissions: spec.permissions,
    ask: spec.ask,
    deliver: spec.deliver,
    sandbox: spec.sandbox ? 'on' : 'off',
    labels: spec.labels,
    priority: spec.priority,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
