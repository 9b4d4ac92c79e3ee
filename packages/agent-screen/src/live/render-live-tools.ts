import type { Item, ToolItem } from '@robota-sdk/agent-sessions';
import type { ItemFormat, ItemKind } from '../items/item-view.ts';
import { leadOf, renderItem } from '../items/render-item.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

export interface LiveToolsView {
  readonly look: AppStyle;
  readonly columns: number;
  /** The item that was printed last. */
  readonly previous: ItemKind | undefined;
  readonly format?: ItemFormat | undefined;
  /** Unix milliseconds. */
  readonly now: number;
  /** Takes secrets out of an item. */
  redacted(item: ToolItem): ToolItem;
}

/** More calls than this are told by their number while they run. */
const shownTools = 12;

/** The calls of a batch that are not printed yet: those that run, and finished ones behind them. */
export function renderLiveTools(items: readonly Item[], view: LiveToolsView): readonly string[] {
  const { look, columns, previous, now, redacted, format } = view;
  const begun = items.filter((item): item is ToolItem => item.kind === 'tool' && hasBegun(item));
  if (begun.length === 0) return [];
  const shown = begun.slice(0, shownTools);
  const lines = shown.flatMap((item) => {
    const safe = redacted(item);
    const timed = safe.startedAt === undefined ? safe : { ...safe, durationMs: now - safe.startedAt };
    return renderItem(timed, { look, columns, format, previous: { kind: 'tool' } });
  });
  const left = begun.length - shown.length;
  const more = left > 0 ? [look.paint('dim', `   ${look.glyphs.ellipsis} and ${left} more`)] : [];
  return [...leadOf({ kind: 'tool' }, { look, columns, previous, format }), ...lines, ...more];
}

/** A call that was neither started nor answered waits for its turn, or for the user to allow it. */
function hasBegun({ name, state, durationMs }: ToolItem): boolean {
  // A plan that waits for its approval is shown by its question.
  if (name === 'ExitPlanMode' && state === 'running') return false;
  return state !== 'lost' || durationMs !== undefined;
}
