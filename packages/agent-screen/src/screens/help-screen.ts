import { type InteractiveSession, pluralize } from '@robota-sdk/agent-sdk/front-end';
import { type SelectItem, wrapText } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { Stage } from '../stage/stage.ts';
import { ListPanel } from './list-panel.ts';

/** Shows every command and every key; typing searches, and enter puts a command into the editor. */
export function openHelpScreen(stage: Stage, first: 'commands' | 'keys'): void {
  const { session } = stage;
  const commands = session ? commandItems(session) : [];
  const keys = keyItems(stage.keys);
  const details = new Map([...(session ? commandDetails(session) : []), ...keys.map(keyDetail)]);
  const panel = new ListPanel<string>({
    stage,
    title: 'Help',
    note: () => `${pluralize(commands.length, 'command')}, ${pluralize(keys.length, 'key')}`,
    emptyText: 'Nothing fits',
    items: first === 'commands' ? [...commands, ...keys] : [...keys, ...commands],
    search: 'list',
    hints: [
      { action: 'tui.select.confirm', text: 'use' },
      { keys: 'pgup/pgdn', text: 'scroll' },
      { action: 'tui.select.cancel', text: 'close' },
    ],
    detail: (value, width) =>
      wrapText(details.get(value) ?? '', width)
        .filter((line) => line !== '')
        .map((line) => stage.look.paint('dim', line)),
    onSelect: (value) => {
      if (!value.startsWith('/')) return;
      open.close();
      stage.edit(`${value} `);
    },
    onCancel: () => open.close(),
  });
  const open = stage.openScreen(panel);
}

const typed: readonly (readonly [string, string])[] = [
  ['!COMMAND', 'Run a shell command; the model sees the output'],
  ['!!COMMAND', 'Run a shell command; the model does not see the output'],
  ['@PATH', 'Give a file to the model'],
  ['@agent:NAME', 'Continue with an agent'],
];

function commandItems(session: InteractiveSession): readonly SelectItem<string>[] {
  const listed = session.commands.list().map(({ value, source }) => ({
    value: `/${value.name}`,
    label: `/${value.name}`,
    description: value.description,
    group: source === 'built-in' ? 'Commands' : `Commands of ${source}`,
  }));
  const others = typed.map(([label, description]) => ({
    value: label,
    label,
    description,
    group: 'In a prompt',
  }));
  return [...listed, ...others];
}

/** The arguments of commands, with all of their descriptions. */
function commandDetails(session: InteractiveSession): readonly (readonly [string, string])[] {
  return session.commands.list().map(({ value: { name, argumentHint, description } }) => {
    const call = argumentHint === undefined ? `/${name}` : `/${name} ${argumentHint}`;
    return [`/${name}`, `${call}\n${description}`] as const;
  });
}

/** The name of an action, for keybindings.json. */
function keyDetail({ value }: SelectItem<string>): readonly [string, string] {
  return [value, `${value}: change its key in keybindings.json.`];
}

const noKey = '(no key)';
const keyless = 'Actions without a key';

const groups: readonly (readonly [prefix: string, name: string])[] = [
  ['app.session', 'Keys of /resume'],
  ['app.tree', 'Keys of /tree'],
  ['app.', 'Keys'],
  ['tui.editor', 'Keys of the editor'],
  ['tui.input', 'Keys of the editor'],
  ['tui.select', 'Keys in lists'],
];

/** Bindings of the program come first, and actions without a key last. */
function keyItems(keys: AppKeybindings): readonly SelectItem<string>[] {
  const all = keys.list().map(({ action, keys: bound, description }) => ({
    value: action,
    label: bound.length === 0 ? noKey : bound.join(', '),
    description,
    keywords: action,
    group: bound.length === 0 ? keyless : groupOf(action),
  }));
  const order = ['Keys', ...groups.map(([, name]) => name), keyless];
  return all.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

function groupOf(action: string): string {
  return groups.find(([prefix]) => action.startsWith(prefix))?.[1] ?? 'Keys';
}
