import { isJsonObject, pluralize, toolStateOf } from '@robota-sdk/agent-sdk/front-end';
import type { ToolItem } from '@robota-sdk/agent-sessions';
import { oneLine, textWidth, truncateMiddle } from '@robota-sdk/agent-tui';
import { cutPath, displayPath } from './display-path.ts';
import type { ItemView } from './item-view.ts';
import { describePlan } from './plan-steps.ts';
import { changeOf } from './render-diff.ts';

/** The words of a call: `$ npm test`, `Edit src/cart.js`. */
export interface CallLabel {
  readonly verb: string;
  readonly argument: string;
  readonly isPath: boolean;
}

const changeVerbs = { edit: 'Edit', create: 'Create', delete: 'Delete', rename: 'Rename' } as const;
const writers = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/;
const readers = /^(?:Read|NotebookRead|LS)$/;

/** The view that a call is named in. */
type CallView = Pick<ItemView, 'format' | 'look'>;

/** Names what a call does, by its telling argument. */
export function describeCall(item: ToolItem, { format, look }: CallView): CallLabel {
  const { callId: id, name, input, display } = item;
  const { firstArg } = toolStateOf({ id, name, input });
  const argument = oneLine(firstArg);
  const given = isJsonObject(input) ? input : {};
  if (name === 'Bash' && typeof given['command'] === 'string') return { verb: '$', argument, isPath: false };
  if (readers.test(name)) return { verb: 'Read', argument: displayPath(argument, format), isPath: true };
  if (writers.test(name) || display?.kind === 'diff') {
    const diff = changeOf(item);
    const verb = diff?.change ? changeVerbs[diff.change] : name === 'Write' ? 'Write' : 'Edit';
    const path = displayPath(writers.test(name) && argument !== '' ? argument : (diff?.path ?? ''), format);
    const from = diff?.from === undefined ? '' : `${displayPath(diff.from, format)} ${look.glyphs.arrow} `;
    return { verb, argument: from + path, isPath: from === '' };
  }
  if (display?.kind === 'plan')
    return { verb: describePlan(display, look.glyphs.separator), argument: '', isPath: false };
  // The question below shows it.
  if (name === 'ExitPlanMode') return { verb: 'Plan', argument: '', isPath: false };
  if (display?.kind === 'todos' || Array.isArray(given['todos'])) return todoWords(item);
  const [, server, tool] = /^mcp__([^_]+(?:_[^_]+)*)__(.+)$/.exec(name) ?? [];
  const verb = server === undefined ? oneLine(name) : oneLine(`${server}: ${tool}`);
  return { verb, argument, isPath: false };
}

/** The words in a width; what is too long loses its middle. */
export function callTextIn({ verb, argument, isPath }: CallLabel, width: number, mark: string): string {
  const room = Math.max(4, width - textWidth(verb) - 1);
  if (textWidth(argument) <= room) return argument;
  if (isPath) return cutPath(argument, room, mark);
  return truncateMiddle(argument, room, { endWidth: Math.floor(room / 2), mark });
}

function todoWords({ display, input }: ToolItem): CallLabel {
  const given = isJsonObject(input) ? input['todos'] : undefined;
  const count = display?.kind === 'todos' ? display.items.length : Array.isArray(given) ? given.length : 0;
  return { verb: 'Todo', argument: pluralize(count, 'task'), isPath: false };
}
