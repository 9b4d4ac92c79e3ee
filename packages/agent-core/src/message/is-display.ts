import { guard, lazy, nullable } from '../shape/combine.ts';
import { amount, list, number, object, text, variants, words } from '../shape/shape.ts';
import type { Display } from './display.ts';

/** True if a value from a file has the shape its kind claims. */
export const isDisplay = guard<Display>(() =>
  variants('kind', {
    text: [{ text }, { brief: text, task: text, calls: amount, cost: amount, matches: amount }],
    diff: [
      { path: text, lines: list(diffLine) },
      { added: amount, removed: amount, more: amount },
    ],
    file: [{ path: text, text, firstLine: number }],
    terminal: [{ command: text, output: text, exitCode: nullable(number) }, { omitted }],
    list: [{ items: list(text), total: number }],
    todos: [{ items: list(object({ text, status: text })) }],
    plan: [{ text }],
    image: [{ mimeType: text, data: text }],
  }),
);

const omitted = lazy(() => object({ lines: amount, note: text }));
const diffLine = lazy(() =>
  object({ kind: words('added', 'removed', 'context', 'gap'), text }, { line: amount, hidden: amount }),
);
