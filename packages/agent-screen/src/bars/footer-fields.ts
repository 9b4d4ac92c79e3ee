import { homedir } from 'node:os';
import { basename } from 'node:path';
import {
  describeMoney,
  describeTokens,
  draftCount,
  type InteractiveSession,
  pluralize,
  selectedAgent,
} from '@robota-sdk/agent-sdk/front-end';
import { bold, oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';
import {
  branchText,
  type FooterField,
  type FooterState,
  modeColours,
  modeNames,
  type SessionLocation,
  shownThinking,
} from './render-footer.ts';

interface FieldSource {
  readonly session: InteractiveSession | undefined;
  readonly place: SessionLocation;
  readonly look: AppStyle;
}

type PlaceField = 'folder' | 'branch' | 'help';

/** Fields that need no session. */
const placeFields: Readonly<Record<PlaceField, (place: SessionLocation, look: AppStyle) => string>> = {
  folder: ({ cwd }, look) => look.paint('dim', oneLine(cwd === homedir() ? '~' : basename(cwd) || cwd)),
  branch: (place, look) => (place.branch === undefined ? '' : look.paint('dim', branchText(place))),
  help: (_place, look) => `? ${look.paint('dim', 'help')}`,
};

type SessionText = (session: InteractiveSession, look: AppStyle) => string;

const sessionFields: Readonly<Record<Exclude<FooterField, PlaceField>, SessionText>> = {
  mode: modeText,
  agent: (session) => {
    const agent = selectedAgent(session);
    return agent === undefined ? '' : `@agent:${oneLine(agent)}`;
  },
  model: ({ model }, look) => look.paint('dim', oneLine(model.name)),
  context: contextText,
  cost: ({ totals }, look) => look.paint('dim', describeMoney(totals.cost)),
  thinking: (session, look) => {
    const thinking = shownThinking(session);
    return thinking === 'off' ? '' : look.paint('dim', `thinking ${thinking}`);
  },
  tasks: ({ tasks }, look) => {
    const running = tasks.list().filter(({ status }) => status === 'running').length;
    return running === 0 ? '' : look.paint('dim', pluralize(running, 'task'));
  },
  drafts: (session, look) => {
    const drafts = draftCount(session);
    return drafts === 0 ? '' : look.paint('dim', pluralize(drafts, 'draft'));
  },
  compaction: ({ settings }, look) =>
    settings?.compaction.enabled === false ? look.paint('dim', 'auto-compact off') : '',
  messages: ({ branches }, look) => look.paint('dim', pluralize(branches.messageCount, 'message')),
  tokens: ({ totals }, look) => {
    const { input, cacheRead, cacheWrite, output } = totals.usage;
    const sent = describeTokens(input + cacheRead + cacheWrite);
    return look.paint('dim', `${sent} in, ${describeTokens(output)} out`);
  },
};

/** A field of the footer, styled; empty where there is nothing to say. */
export function footerField(name: FooterField, { session, place, look }: FieldSource): string {
  if (name === 'folder' || name === 'branch' || name === 'help') return placeFields[name](place, look);
  return session ? sessionFields[name](session, look) : '';
}

/** The footer with the fields that the user chose, in that order; where it is narrow, the last ones are left out. */
export function renderChosenFooter(
  { session, place }: Pick<FooterState, 'session' | 'place'>,
  chosen: readonly FooterField[],
  { look, columns }: { readonly look: AppStyle; readonly columns: number },
): string {
  const { separator, ellipsis } = look.glyphs;
  if (!session) return look.paint('dim', `starting${ellipsis}`);
  const texts = chosen
    .map((name) => footerField(name, { session, place, look }))
    .filter((text) => text !== '');
  const between = look.paint('dim', ` ${separator} `);
  for (let count = texts.length; count > 1; count--) {
    const line = texts.slice(0, count).join(between);
    if (textWidth(line) <= columns) return line;
  }
  return truncateText(texts[0] ?? '', columns, ellipsis);
}

function modeText({ permissions: { mode } }: InteractiveSession, look: AppStyle): string {
  const text = look.paint(modeColours[mode], modeNames[mode]);
  return mode === 'bypassPermissions' ? bold(text) : text;
}

/** How full the window is: from 70 % yellow, from 90 % red. */
function contextText(session: InteractiveSession, look: AppStyle): string {
  const percent = Math.round(session.getContextState().usedPercentage);
  return look.paint(percent >= 90 ? 'error' : percent >= 70 ? 'warning' : 'dim', `ctx ${percent}%`);
}
