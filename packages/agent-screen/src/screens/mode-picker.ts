import { errorMessage, type InteractiveSession, type PermissionMode } from '@robota-sdk/agent-sdk/front-end';
import { bold } from '@robota-sdk/agent-tui';
import { modeColours, modeNames } from '../bars/render-footer.ts';
import type { OpenPanel, Stage } from '../stage/stage.ts';
import { RuledList } from './ruled-list.ts';

const order: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions'];

const meanings: Readonly<Record<PermissionMode, string>> = {
  default: "asks before edits and commands that aren't read-only",
  acceptEdits: 'edits workspace files without asking; commands still ask',
  plan: 'reads only, then presents a plan to approve',
  bypassPermissions: 'never asks',
};

const nameWidth = 16;
const bypassFlag = '--permission-mode bypassPermissions';

/** Lets the user choose the permission mode, with a line on each. */
export function openModePicker(stage: Stage, session: InteractiveSession): void {
  const { permissions } = session;
  const list = new RuledList<PermissionMode>({
    stage,
    title: 'Mode',
    rows: () => order,
    keyOf: (mode) => mode,
    render: (mode, { isSelected }) => {
      const { paint } = stage.look;
      const name = modeNames[mode].padEnd(nameWidth);
      const isOpen = mode !== 'bypassPermissions' || permissions.mayBypass;
      const meaning = meanings[mode] + (isOpen ? '' : `; needs ${bypassFlag}`);
      return isSelected
        ? paint('accent', bold(name)) + meaning
        : paint(modeColours[mode], name) + paint('dim', meaning);
    },
    hints: () => [
      { keys: 'enter', text: 'select' },
      { keys: stage.keys.keysOf('app.mode.cycle')[0] ?? 'down', text: 'next' },
      { keys: 'esc', text: 'cancel' },
    ],
    onKey: (event, selected) => {
      if (!stage.keys.matches(event, 'app.mode.cycle')) return;
      const at = selected === undefined ? -1 : order.indexOf(selected);
      list.select(order[(at + 1) % order.length] ?? 'default');
    },
    onSelect: (mode) => {
      try {
        permissions.choose(mode);
      } catch (thrown) {
        return list.lastLine.tell(errorMessage(thrown));
      }
      open.close();
      stage.print({ kind: 'notice', level: 'info', text: `Mode: ${modeNames[mode]} (this session)` });
    },
    onClose: () => open.close(),
  });
  list.select(permissions.mode);
  const open: OpenPanel = stage.openPanel(list);
}
