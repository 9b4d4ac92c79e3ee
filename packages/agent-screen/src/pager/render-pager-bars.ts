import { bold, oneLine, renderKeyHints, renderStatusLine } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import type { ItemSearch } from './item-search.ts';

interface PagerBar {
  readonly stage: Pick<Stage, 'look' | 'keys'>;
  readonly width: number;
  readonly search: ItemSearch | undefined;
}

/** The line above: where one is, and what is looked for. */
export function renderPagerHead(bar: PagerBar & { readonly place: number; readonly count: number }): string {
  const { stage, width, search, place, count } = bar;
  const where = count === 0 ? 'no messages yet' : `${place} of ${count}`;
  const found = search ? `"${oneLine(search.query)}" in ${search.hits.length}` : '';
  const fields = [
    { text: ` ${bold('History')}`, priority: 1 },
    { text: stage.look.paint('dim', where), priority: 2 },
    { text: found, priority: 3 },
  ];
  return renderStatusLine(fields, width, stage.look);
}

/** The line below: what keys do; at narrow widths the first ones only. */
export function renderPagerHints({ stage, width, search }: PagerBar): string {
  const { look, keys } = stage;
  const hints = [
    { keys: 'q', text: 'back' },
    { keys: '/', text: 'search' },
    ...(search ? [{ keys: 'n N', text: 'next' }] : []),
    { keys: keys.keysOf('tui.select.confirm')[0] ?? '', text: 'unfold' },
    { keys: '[ ]', text: 'prompts' },
    { keys: 'y', text: 'copy' },
    { keys: 'e', text: 'unfold all' },
    { keys: 'g/G', text: 'top/bottom' },
    { keys: keys.keysOf('app.thinking.toggle')[0] ?? '', text: 'thinking' },
  ].filter((hint) => hint.keys !== '');
  return ` ${renderKeyHints(hints, Math.max(1, width - 1), look)}`;
}
