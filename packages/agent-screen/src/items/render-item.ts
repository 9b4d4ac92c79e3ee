import { classicLead, renderClassic } from './classic-item.ts';
import { compactLead, renderCompact } from './compact-item.ts';
import type { ShownItem } from './fold-reads.ts';
import type { ItemKind, ItemView } from './item-view.ts';

/** The lines of an item, the same in the live region, in the scrollback and in the pager. */
export function renderItem(item: ShownItem, view: ItemView): readonly string[] {
  if (isCompact(view)) return renderCompact(item, view);
  if (item.kind !== 'reads') return renderClassic(item, view);
  return item.calls.flatMap((call, index) =>
    renderClassic(call, index === 0 ? view : { ...view, previous: call }),
  );
}

/** The lines above an item: blank ones, and in the classic view the label of a new section. */
export function leadOf(item: ItemKind, view: ItemView): readonly string[] {
  return isCompact(view) ? compactLead(item, view) : classicLead(item, view);
}

function isCompact({ format }: ItemView): boolean {
  return format?.view !== 'classic';
}
