import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { SelectItem } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { Stage } from '../stage/stage.ts';
import { ListPanel } from './list-panel.ts';

/** Shows every command and every key; typing searches, and enter puts a command into the editor. */
export function openHelpScreen(stage: Stage, first: 'commands' | 'keys'): void {
  const { session } = stage;
  const commands = session ? commandItems(session) : [];
  const keys = keyItems(stage.keys);
  const panel = new ListPanel<string>({
    stage,
    title: 'Help: commands and keys',
    items: first === 'commands' ? [...commands, ...keys] : [...keys, ...commands],
    search: 'list',
    hints: [
      { action: 'tui.select.confirm', text: 'select' },
      { action: 'tui.select.pageDown', text: 'next page' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
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
    description: [value.argumentHint, value.description].filter((part) => part !== undefined).join('  '),
    group: source === 'built-in' ? 'commands' : `commands of ${source}`,
  }));
  const others = typed.map(([label, description]) => ({
    value: label,
    label,
    description,
    group: 'in a prompt',
  }));
  return [...listed, ...others];
}

const noKey = '(no key)';
const keyless = 'actions without a key';

const groups: readonly (readonly [prefix: string, name: string])[] = [
  ['app.session', 'keys among sessions'],
  ['app.tree', 'keys in the tree'],
  ['app.', 'keys'],
  ['tui.editor', 'keys of the editor'],
  ['tui.input', 'keys of the editor'],
  ['tui.select', 'keys in lists'],
];

/** Bindings of the program come first, and actions without a key last. */
function keyItems(keys: AppKeybindings): readonly SelectItem<string>[] {
  const all = keys.list().map(({ action, keys: bound, description }) => ({
    value: action,
    label: bound.length === 0 ? noKey : bound.join(', '),
    description: `${description} (${action})`,
    group: bound.length === 0 ? keyless : groupOf(action),
  }));
  const order = ['keys', ...groups.map(([, name]) => name), keyless];
  return all.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

function groupOf(action: string): string {
  return groups.find(([prefix]) => action.startsWith(prefix))?.[1] ?? 'keys';
}
