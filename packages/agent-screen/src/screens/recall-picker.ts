import { describeTokens, fateTexts, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { Stage } from '../stage/stage.ts';
import { ListPanel } from './list-panel.ts';

/** Opens a list of messages removed by compactions. Returns false if there are none. */
export function openRecallPicker(stage: Stage, session: InteractiveSession): boolean {
  const { recallable } = session.context;
  if (recallable.length === 0) return false;
  const panel = new ListPanel<number>({
    stage,
    title: 'Bring what back?',
    items: recallable.map(({ number, title, fate, tokens }) => ({
      value: number,
      label: `${number}. ${title}`,
      cells: [{ text: fateTexts[fate] }, { text: `~${describeTokens(tokens)}`, isRight: true }],
    })),
    search: 'list',
    hints: [
      { action: 'tui.select.confirm', text: 'restore' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
    onSelect: (number) => {
      open.close();
      stage.enter(`/recall ${number}`);
    },
    onCancel: () => open.close(),
  });
  const open = stage.openPanel(panel);
  return true;
}
