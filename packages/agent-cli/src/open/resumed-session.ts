import {
  firstLine,
  type InteractiveSession,
  localTime,
  pluralize,
  sessionLabel,
  shorten,
  textOf,
} from '@robota-sdk/agent-sdk/front-end';

/** The note if `--continue` opened a new session: there was no other, or the user chose that. */
export const nothingToResume = 'Nothing resumed; this is a new session.';

/** True if nothing was said in a session yet, in this process or before. */
export function isNew(session: InteractiveSession): boolean {
  const { totals, branches } = session;
  return session.getMessages().length === 0 && totals.modelCalls === 0 && branches.name === undefined;
}

/** How a resumed session is described. */
export interface ResumedNotice {
  readonly verb?: string;
  /** Says how long ago a time was, on a screen: the id of the session is not needed there. */
  readonly age?: ((time: number) => string) | undefined;
}

/** Tells a resumed session by its title, when it was last used, and how much of it there is. */
export function describeResumed(
  session: InteractiveSession,
  { verb = 'Resumed', age }: ResumedNotice = {},
): string {
  const { id, branches } = session;
  const tree = branches.tree();
  const ids = [...tree.ids()];
  const last = tree.view(ids.at(-1) ?? '')?.timestamp;
  const [first] = tree.promptNumbers().keys();
  const isAtBeginning = first !== undefined && session.getMessages().length === 0;
  const { name, copyOf } = branches;
  const firstPrompt = shorten(firstLine((first && tree.promptOf(first)) ?? ''), 60);
  const isUntitled = name === undefined && firstPrompt === '';
  const title = isUntitled
    ? 'a session without a prompt'
    : `"${name ?? sessionLabel({ firstPrompt, copyOf })}"`;
  const details = [
    isAtBeginning ? 'at its beginning, /tree shows the rest' : count(branches.messageCount),
    ...(last === undefined ? [] : [`last used ${(age ?? localTime)(Date.parse(last))}`]),
    ...(session.goal.hasIdleCheck ? ['its goal check does not run: /goal'] : []),
  ].join(', ');
  return age ? `${verb} ${title} · ${details}` : `${verb} ${title} (${details}), session ${id}`;
}

/** The last prompt and what was answered, as much of them as shows where one is; nothing before the first. */
export function lastExchange(session: InteractiveSession): string {
  const tree = session.branches.tree();
  const prompt = [...tree.ids()]
    .filter((id) => tree.isActive(id))
    .findLast((id) => tree.promptOf(id) !== undefined);
  if (prompt === undefined) return '';
  const asked = shortened(tree.promptOf(prompt) ?? '', 3).split('\n');
  const messages = session.getMessages();
  // An answer before the last prompt is one to something else.
  const from = messages.findLastIndex((message) => message.role === 'user' && message.origin !== 'reminder');
  const answer = messages
    .slice(from + 1)
    .findLast(({ role, content }) => role === 'assistant' && textOf(content) !== '');
  const answered = answer ? shortened(textOf(answer.content), 6) : '';
  return [...asked.map((line) => `> ${line}`), ...(answered === '' ? [] : [answered])].join('\n');
}

function count(messages: number): string {
  return pluralize(messages, 'message');
}

/** The first lines of a text, and how many there are more. */
function shortened(text: string, most: number): string {
  const lines = text.trim().split('\n');
  const left = lines.length - most;
  const more = left > 0 ? [`… ${pluralize(left, 'more line')}`] : [];
  return [...lines.slice(0, most).map((line) => shorten(line, 200)), ...more].join('\n');
}
