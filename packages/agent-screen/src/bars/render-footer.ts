import { homedir } from 'node:os';
import { basename } from 'node:path';
import {
  type ContextState,
  describeCost,
  describeTokens,
  draftCount,
  type InteractiveSession,
  type PermissionMode,
  pluralize,
  type Settings,
  selectedAgent,
  type ThinkingLevel,
} from '@robota-sdk/agent-sdk/front-end';
import { oneLine, renderStatusLine, type StatusField } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The directory and branch of a session. */
export interface SessionLocation {
  readonly cwd: string;
  readonly branch: string | undefined;
  /** True if there are uncommitted changes, as far as that is known. */
  readonly isDirty?: boolean;
}

/** The branch, with a mark where there are uncommitted changes. */
export function branchText({ branch, isDirty }: SessionLocation): string {
  return branch === undefined ? '' : `${oneLine(branch)}${isDirty ? '*' : ''}`;
}

/** The thinking level of a session; `off` if its model cannot think. */
export function shownThinking({ model, thinking }: InteractiveSession): ThinkingLevel {
  return model.thinking === 'none' ? 'off' : thinking;
}

/** The permission modes as users read them. */
export const modeNames: Readonly<Record<PermissionMode, string>> = {
  default: 'default',
  acceptEdits: 'accept edits',
  plan: 'plan',
  bypassPermissions: 'bypass',
};

/** A mode that changes what happens without a question stands out. */
export const modeColours = {
  default: 'muted',
  acceptEdits: 'success',
  plan: 'accent',
  bypassPermissions: 'error',
} as const satisfies Readonly<Record<PermissionMode, string>>;

/** The name of a field that the user can choose. */
export type FooterField = NonNullable<Settings['terminal']['footer']>[number];

/** The content of the footer. */
export interface FooterState {
  readonly session: InteractiveSession | undefined;
  readonly place: SessionLocation;
  /** The current activity; undefined between runs and during a question. */
  readonly doing: 'Thinking' | 'Answering' | 'Working' | undefined;
  /** True during a question, perhaps before there is a session. */
  readonly isAsking: boolean;
  /** Something that was told and need not stay. */
  readonly told: string;
  /** The line of the user's own command, in place of the fields. */
  readonly own: string | undefined;
  /** The fields that the user chose; the view decides unless given. */
  readonly fields?: readonly FooterField[] | undefined;
}

/** The line at the foot: mode, model, context, cost, messages, thinking, place; the least important go where it is narrow. */
export function renderFooter(state: FooterState, look: AppStyle, columns: number): string {
  const room = Math.max(1, columns - 1);
  if (state.told !== '')
    return ` ${renderStatusLine([{ text: oneLine(state.told), priority: 1 }], room, look)}`;
  if (state.own !== undefined) return state.own;
  const fields = state.session
    ? [...sessionFields(state.session, state, look), ...placeFields(state.place, look)]
    : startFields(state, look);
  return ` ${renderStatusLine(fields, room, look)}`;
}

/** During a question the footer does not show the start. */
function startFields({ isAsking, place }: FooterState, look: AppStyle): readonly StatusField[] {
  if (isAsking) return placeFields(place, look);
  return [{ text: look.paint('dim', `starting${look.glyphs.ellipsis}`), priority: 9 }];
}

function sessionFields(
  session: InteractiveSession,
  { doing }: FooterState,
  look: AppStyle,
): readonly StatusField[] {
  const { mode } = session.permissions;
  const dim = (text: string) => look.paint('dim', text);
  const { usage, cost } = session.totals;
  const thinking = shownThinking(session);
  const running = session.tasks.list().filter(({ status }) => status === 'running').length;
  const drafts = draftCount(session);
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return [
    { text: look.paint(modeColours[mode], modeNames[mode]), priority: 10 },
    ...(doing ? [{ text: look.paint('accent', doing), priority: 5 }] : []),
    { text: agentText(session), priority: 8 },
    { text: oneLine(session.model.name), priority: 9 },
    { text: contextField(session.getContextState(), look), priority: 8 },
    { text: dim(describeCost(cost)), priority: 7 },
    { text: dim(pluralize(session.branches.messageCount, 'msg')), priority: 4 },
    { text: running === 0 ? '' : dim(pluralize(running, 'task')), priority: 6 },
    { text: drafts === 0 ? '' : dim(pluralize(drafts, 'draft')), priority: 6 },
    { text: thinking === 'off' ? '' : dim(`thinking ${thinking}`), priority: 3 },
    { text: isCompacting(session) ? '' : dim('auto-compact off'), priority: 2 },
    { text: input === 0 ? '' : dim(tokensText(input, usage.output, look)), priority: 1 },
  ];
}

/** An agent that was selected holds for all that is entered. */
function agentText(session: InteractiveSession): string {
  const agent = selectedAgent(session);
  return agent === undefined ? '' : `@agent:${oneLine(agent)}`;
}

function isCompacting(session: InteractiveSession): boolean {
  return session.settings?.compaction.enabled !== false;
}

function tokensText(input: number, output: number, { glyphs }: AppStyle): string {
  return `${glyphs.up}${describeTokens(input)} ${glyphs.down}${describeTokens(output)}`;
}

function placeFields(place: SessionLocation, look: AppStyle): readonly StatusField[] {
  const { cwd, branch } = place;
  const folder = cwd === homedir() ? '~' : basename(cwd) || cwd;
  return [
    { text: look.paint('dim', oneLine(folder)), priority: 2 },
    { text: branch === undefined ? '' : look.paint('dim', branchText(place)), priority: 2 },
  ];
}

/** How full the window is, `ctx 45% (90K/200K)`: green, from 70 % yellow, from 90 % red. */
function contextField({ usedTokens, maxTokens, usedPercentage }: ContextState, look: AppStyle): string {
  const percent = Math.round(usedPercentage);
  const token = percent >= 90 ? 'error' : percent >= 70 ? 'warning' : 'success';
  const figures = `${describeTokens(usedTokens)}/${describeTokens(maxTokens)}`;
  return `${look.paint('dim', 'ctx')} ${look.paint(token, `${percent}%`)} ${look.paint('dim', `(${figures})`)}`;
}
