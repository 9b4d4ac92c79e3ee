import { type InteractiveSession, permissionModes } from '@robota-sdk/agent-sdk/front-end';
import type { Stage } from '../stage/stage.ts';
import { ListPanel } from './list-panel.ts';

/** Lets the user choose the permission mode, with a line on each. */
export function openModePicker(stage: Stage, session: InteractiveSession): void {
  const { mode } = session.permissions;
  const described = session.findCommand('mode')?.subcommands ?? [];
  const items = permissionModes.map((value) => ({
    value: value as string,
    label: value === mode ? `${value} (current)` : value,
    description: described.find(({ name }) => name === value)?.description ?? '',
  }));
  const panel = new ListPanel<string>({
    stage,
    title: 'Permission mode of this session',
    items,
    hints: [
      { action: 'tui.select.confirm', text: 'select' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
    onSelect: (value) => {
      open.close();
      stage.enter(`/mode ${value}`);
    },
    onCancel: () => open.close(),
  });
  const open = stage.openPanel(panel);
}
