import { oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import { footerField } from './footer-fields.ts';
import type { FooterField, FooterState } from './render-footer.ts';

/** The parts that are left out one after the other where it is narrow. */
const droppedFirst = ['branch', 'folder', 'cost', 'prefix', 'details', 'help', 'context'] as const;
type Droppable = (typeof droppedFirst)[number];

/** The foot of the compact view: mode, model, context and cost; on the right the folder, the branch and a hint. */
export function renderCompactFooter(state: FooterState, look: AppStyle, columns: number): string {
  const { told, own, session, place } = state;
  if (told !== '') return truncateText(oneLine(told), columns, look.glyphs.ellipsis);
  if (own !== undefined) return own;
  for (let count = 0; count <= droppedFirst.length; count++) {
    const line = lineWithout(new Set(droppedFirst.slice(0, count)), { state, look, columns });
    if (line !== undefined) return line;
  }
  return truncateText(footerField('mode', { session, place, look }), columns, look.glyphs.ellipsis);
}

interface FooterRoom {
  readonly state: FooterState;
  readonly look: AppStyle;
  readonly columns: number;
}

function lineWithout(
  dropped: ReadonlySet<Droppable>,
  { state, look, columns }: FooterRoom,
): string | undefined {
  const separator = look.paint('dim', ` ${look.glyphs.separator} `);
  const join = (parts: readonly string[]) => parts.filter((part) => part !== '').join(separator);
  const left = join(leftParts(state, dropped, look));
  const right = join(rightParts(state, dropped, look));
  const gap = columns - textWidth(left) - textWidth(right);
  if (right === '') return gap >= 0 ? left : undefined;
  return gap >= 2 ? left + ' '.repeat(gap) + right : undefined;
}

/** During a question the footer does not show the start. */
function leftParts(
  { session, place, isAsking }: FooterState,
  dropped: ReadonlySet<Droppable>,
  look: AppStyle,
): readonly string[] {
  if (!session) return isAsking ? [] : [look.paint('dim', `starting${look.glyphs.ellipsis}`)];
  const field = (name: FooterField) => footerField(name, { session, place, look });
  return [
    field('mode'),
    field('agent'),
    dropped.has('prefix') ? look.paint('dim', withoutPrefix(oneLine(session.model.name))) : field('model'),
    dropped.has('context') ? '' : field('context'),
    dropped.has('cost') ? '' : field('cost'),
    ...(dropped.has('details') ? [] : (['thinking', 'tasks', 'drafts', 'compaction'] as const).map(field)),
  ];
}

function rightParts(
  { session, place }: FooterState,
  dropped: ReadonlySet<Droppable>,
  look: AppStyle,
): readonly string[] {
  const names = ['folder', 'branch', 'help'] as const;
  return names
    .filter((name) => !dropped.has(name))
    .map((name) => footerField(name, { session, place, look }));
}

/** `Claude Sonnet 5.5` is `Sonnet 5.5` where there is little room. */
function withoutPrefix(name: string): string {
  const words = name.split(' ');
  return words.length > 2 ? words.slice(1).join(' ') : name;
}
