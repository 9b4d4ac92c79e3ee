import type { Answer, Question } from '@robota-sdk/agent-sdk/front-end';
import { oneLine, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

const longestSubject = 72;
const longestAnswer = 120;
const nothing = 'none';

/**
 * One line that echoes the answer, as it stays above; what was typed unseen is not in it. Nothing where the
 * line of the call below says the same.
 */
export function describeAnswer(question: Question, answer: Answer, { glyphs }: AppStyle): string | undefined {
  if (question.kind === 'select' && question.about) {
    const hold = answer.kind === 'selected' ? question.about.holds[answer.indexes[0] ?? -1] : undefined;
    const { rules } = question.about;
    if (hold !== 'project' || rules.length === 0) return undefined;
    return `Saved ${short(rules.join(', '), longestAnswer)} to .robota/settings.local.json`;
  }
  if (question.isShownByCall) return undefined;
  const chosen = question.kind === 'select' && answer.kind === 'selected' ? answer.indexes : [];
  const done =
    question.kind === 'select' && chosen.length === 1 ? question.options[chosen[0] ?? -1]?.done : undefined;
  const words = wordsOf(question, answer);
  const told = words === undefined && question.kind === 'select' ? question.dismissed : done;
  if (told?.text === '') return undefined;
  if (told) return `${told.isRefusal ? glyphs.denied : glyphs.success} ${short(told.text, longestAnswer)}`;
  const trail = question.kind === 'confirm' ? undefined : question.trail;
  const title = short(trail ?? question.title, longestSubject);
  if (words === undefined)
    return trail === undefined
      ? `${glyphs.denied} cancelled: ${firstSentence(title)}`
      : `${glyphs.denied} ${title}: cancelled`;
  const isNo = (answer.kind === 'confirmed' && !answer.yes) || words === nothing;
  return `${isNo ? glyphs.denied : glyphs.success} ${title}${/[?.!:]$/.test(title) ? '' : ':'} ${short(words, longestAnswer)}`;
}

/** The text of an answer; undefined if there was none. */
function wordsOf(question: Question, answer: Answer): string | undefined {
  if (answer.kind === 'confirmed') return answer.yes ? 'yes' : 'no';
  if (answer.kind === 'text') {
    if (question.kind === 'text' && question.masked) return answer.text === '' ? nothing : 'entered';
    const fallback = question.kind === 'text' ? question.fallback : undefined;
    return answer.text.trim() === '' ? (fallback ?? nothing) : answer.text;
  }
  if (answer.kind !== 'selected' || question.kind !== 'select') return undefined;
  const labels = answer.indexes.flatMap((index) => question.options[index]?.label ?? []);
  return [...labels, ...(answer.text === undefined ? [] : [answer.text])].join(', ');
}

function short(text: string, width: number): string {
  return truncateText(oneLine(text), width);
}

function firstSentence(title: string): string {
  return /^.*?[.?!](?= |$)/.exec(title)?.[0] ?? title;
}
