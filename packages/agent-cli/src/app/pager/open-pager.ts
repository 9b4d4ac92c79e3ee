import { sessionItems } from '../items/items-of.ts';
import type { Stage } from '../stage.ts';
import { Pager } from './pager.ts';

/** Shows the conversation to look back at, at its end. Returns the pager, which can be told of more. */
export function openPager(
  stage: Stage,
  options: { readonly isThinkingHidden?: boolean; readonly onClose?: () => void } = {},
): Pager | undefined {
  const { session } = stage;
  if (!session) {
    stage.tell('There is nothing to look back at yet.');
    return undefined;
  }
  const { onClose, isThinkingHidden = false } = options;
  const pager = new Pager({
    items: sessionItems(session.getSession()),
    stage,
    isThinkingHidden,
    onClose: () => {
      open.close();
      onClose?.();
    },
  });
  const open = stage.openScreen(pager);
  return pager;
}
