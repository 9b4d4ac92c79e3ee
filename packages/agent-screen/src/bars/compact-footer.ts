import { homedir } from 'node:os';
import { basename } from 'node:path';
import type { InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import { draftCount, selectedAgent } from '@robota-sdk/agent-sdk/front-end';
import { bold, oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import { countOf } from '../items/describe-count.ts';
import { describeMoney } from '../items/describe-money.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import { type FooterState, modeColours, modeNames, type SessionLocation } from './render-footer.ts';

/** The parts that are left out one after the other where it is narrow. */
const droppedFirst = ['branch', 'folder', 'cost', 'prefix', 'details', 'help', 'context'] as const;
type Droppable = (typeof droppedFirst)[number];

/** The foot of the compact view: mode, model, context and cost; on the right the folder, the branch and a hint. */
export function renderCompactFooter(state: FooterState, look: AppStyle, columns: number): string {
  const { told, own } = state;
  if (told !== '') return truncateText(oneLine(told), columns, look.glyphs.ellipsis);
  if (own !== undefined) return own;
  for (let count = 0; count <= droppedFirst.length; count++) {
    const line = lineWithout(new Set(droppedFirst.slice(0, count)), { state, look, columns });
    if (line !== undefined) return line;
  }
  const { session } = state;
  return truncateText(session ? modeText(session, look) : '', columns, look.glyphs.ellipsis);
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
  const left = join(state.session ? sessionParts(state.session, dropped, look) : startParts(state, look));
  const right = join(placeParts(state.place, dropped, look));
  const gap = columns - textWidth(left) - textWidth(right);
  if (right === '') return gap >= 0 ? left : undefined;
  return gap >= 2 ? left + ' '.repeat(gap) + right : undefined;
}

/** During a question the footer does not show the start. */
function startParts({ isAsking }: FooterState, look: AppStyle): readonly string[] {
  return isAsking ? [] : [look.paint('dim', `starting${look.glyphs.ellipsis}`)];
}

function sessionParts(
  session: InteractiveSession,
  dropped: ReadonlySet<Droppable>,
  look: AppStyle,
): readonly string[] {
  const dim = (text: string) => look.paint('dim', text);
  const running = session.tasks.list().filter(({ status }) => status === 'running').length;
  const agent = selectedAgent(session);
  const drafts = draftCount(session);
  const name = oneLine(session.model.name);
  const details = [
    session.thinking === 'off' ? '' : dim(`thinking ${session.thinking}`),
    running === 0 ? '' : dim(countOf(running, 'task')),
    drafts === 0 ? '' : dim(countOf(drafts, 'draft')),
    session.settings?.compaction.enabled === false ? dim('auto-compact off') : '',
  ];
  return [
    modeText(session, look),
    agent === undefined ? '' : `@agent:${oneLine(agent)}`,
    dim(dropped.has('prefix') ? withoutPrefix(name) : name),
    dropped.has('context') ? '' : contextText(session, look),
    dropped.has('cost') ? '' : dim(describeMoney(session.totals.cost)),
    ...(dropped.has('details') ? [] : details),
  ];
}

function modeText(session: InteractiveSession, look: AppStyle): string {
  const { mode } = session.permissions;
  const text = look.paint(modeColours[mode], modeNames[mode]);
  return mode === 'bypassPermissions' ? bold(text) : text;
}

/** `Claude Sonnet 5.5` is `Sonnet 5.5` where there is little room. */
function withoutPrefix(name: string): string {
  const words = name.split(' ');
  return words.length > 2 ? words.slice(1).join(' ') : name;
}

/** How full the window is: from 70 % yellow, from 90 % red. */
function contextText(session: InteractiveSession, look: AppStyle): string {
  const percent = Math.round(session.getContextState().usedPercentage);
  return look.paint(percent >= 90 ? 'error' : percent >= 70 ? 'warning' : 'dim', `ctx ${percent}%`);
}

function placeParts(
  { cwd, branch }: SessionLocation,
  dropped: ReadonlySet<Droppable>,
  look: AppStyle,
): readonly string[] {
  const folder = cwd === homedir() ? '~' : basename(cwd) || cwd;
  return [
    dropped.has('folder') ? '' : look.paint('dim', oneLine(folder)),
    dropped.has('branch') || branch === undefined ? '' : look.paint('dim', oneLine(branch)),
    dropped.has('help') ? '' : `? ${look.paint('dim', 'help')}`,
  ];
}
