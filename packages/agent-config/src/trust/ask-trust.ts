import { stat } from 'node:fs/promises';
import {
  type Answer,
  isWithin,
  pluralize,
  readRegularFile,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { escapedLine } from '../file/escaped-line.ts';
import { describeDifference } from './describe-difference.ts';
import type { AskTrust } from './trust-gate.ts';
import { kindText, type TrustItem } from './trust-item.ts';
import type { TrustDecision } from './trust-store.ts';

/** Makes a dialog of the question what of a repository may run. Whatever is no clear yes is a no. */
export function askTrust(ui: UserInterface, cwd: string): AskTrust {
  return (items) => ask({ ui, cwd, note: items.length === 1 ? '' : `${items.length} items` }, items);
}

interface TrustAsker {
  readonly ui: UserInterface;
  /** Paths below it are shown as relative ones. */
  readonly cwd: string;
  readonly note: string;
}

async function ask(asker: TrustAsker, items: readonly TrustItem[]): Promise<TrustDecision | undefined> {
  const { ui, cwd, note } = asker;
  const one = items.length === 1;
  const all = one ? '' : ` all ${items.length}`;
  const names = items.map(itemText).join(', ');
  const skipped = { text: `Skipped: ${names}`, isRefusal: true };
  const choices = [
    {
      label: 'Skip for now',
      description: `Robota runs without ${one ? 'it' : 'them'}`,
      done: skipped,
    },
    {
      label: `Trust${all}`,
      description: one ? 'until it changes' : 'until they change',
      done: { text: `Trusted: ${names}` },
    },
    {
      label: `Ignore${all}`,
      description: one ? 'until it changes' : 'until they change',
      done: { text: `Ignored: ${names}`, isRefusal: true },
    },
    ...(one ? [] : [{ label: 'Decide one by one', done: { text: '' } }]),
  ];
  const answer = await ui.ask({
    kind: 'select',
    title: titleOf(items),
    ...(note === '' ? {} : { note }),
    detail: (await Promise.all(items.map((item) => describeItem(item, cwd)))).join('\n'),
    options: choices,
    dismissal: 'skip',
    dismissed: skipped,
  });
  if (answer.kind === 'unavailable') return undefined;
  if (chosen(answer) === 3) return askEach(asker, items);
  return decisionOf(chosen(answer), items);
}

/** Describes one item with its full content and the files that would run with it. */
async function describeItem(item: TrustItem, cwd: string): Promise<string> {
  const { kind, name, content, source, scripts = [], before } = item;
  const lines = content === name ? [] : content.split('\n').map((line) => `    ${line}`);
  const files = await Promise.all(
    scripts.slice(0, shownScripts).map(([path, sum]) => describeScript([shortPath(path, cwd), sum], path)),
  );
  const rest = scripts.length - files.length;
  const changes = before ? describeDifference(before, item).map((line) => `      ${escapedLine(line)}`) : [];
  return [
    `${itemText({ kind, name }).padEnd(sourceColumn - 2)}  ${shortPath(source, cwd)}`,
    ...lines,
    ...(before ? ['    It has changed since you approved it:', ...changes] : []),
    ...files.flat(),
    ...(rest > 0 ? [`    and ${pluralize(rest, 'more file')}`] : []),
    ...(item.isPartlyFollowed
      ? ['    Not all files it runs are known beforehand: changes in the others go unnoticed.']
      : []),
  ].join('\n');
}

/**
 * The label of an item. Some names are sentences; they are part of the approved hash and stay as they are.
 */
function itemText({ kind, name }: Pick<TrustItem, 'kind' | 'name'>): string {
  if (kind !== 'model') return `${kindText({ kind, name })} ${escapedLine(name)}`;
  const text = escapedLine(name).replace('chooses who is asked', 'chooses the model');
  return text.startsWith('"') ? `setting ${text}` : text;
}

/** The column of the files that items stand in. */
const sourceColumn = 35;

function shortPath(path: string, cwd: string): string {
  return isWithin(cwd, path) ? path.slice(cwd.length + 1) : path;
}

/** A folder of a skill may hold hundreds of files. */
const shownScripts = 10;

/** Answers so far, while items are decided one by one. */
interface GivenAnswers extends TrustDecision {
  readonly skipped: readonly TrustItem[];
}

/** Asks about one item after the other; leaving a question skips all that are left. */
async function askEach({ ui, cwd }: TrustAsker, items: readonly TrustItem[]): Promise<TrustDecision> {
  let given: GivenAnswers = { trust: [], never: [], skipped: [] };
  for (const [index, item] of items.entries()) {
    const left = items.slice(index);
    const answers: readonly GivenAnswers[] = [
      { ...given, skipped: [...given.skipped, item] },
      { ...given, trust: [...given.trust, item] },
      { ...given, never: [...given.never, item] },
      { ...given, trust: [...given.trust, ...left] },
    ];
    const answer = await ui.ask({
      kind: 'select',
      title: titleOf([item]),
      note: `${index + 1} of ${items.length}`,
      detail: await describeItem(item, cwd),
      options: choicesFor(left.length).map((choice, at) => ({
        ...choice,
        done: left.length === 1 || at === 3 ? doneText(answers[at]) : { text: '' },
      })),
      dismissal: 'skip all',
      dismissed: doneText({ ...given, skipped: [...given.skipped, ...left] }),
    });
    const next = answers[chosen(answer) ?? -1];
    if (!next) break;
    given = next;
    if (chosen(answer) === 3) break;
  }
  const { trust, never } = given;
  return { trust, never };
}

function choicesFor(left: number): readonly { readonly label: string; readonly description?: string }[] {
  return [
    { label: 'Skip for now', description: 'Robota runs without it' },
    { label: 'Trust', description: 'until it changes' },
    { label: 'Ignore', description: 'until it changes' },
    ...(left > 1 ? [{ label: `Trust all ${left} that are left`, description: 'until they change' }] : []),
  ];
}

/** One line for all answers: `Trusted: a, b · skipped: c`. */
function doneText(given: GivenAnswers | undefined): { readonly text: string; readonly isRefusal?: boolean } {
  const { trust = [], never = [], skipped = [] } = given ?? {};
  const named = (word: string, items: readonly TrustItem[]) =>
    items.length === 0 ? [] : [`${word}: ${items.map(itemText).join(', ')}`];
  const text = [...named('trusted', trust), ...named('skipped', skipped), ...named('ignored', never)].join(
    ' · ',
  );
  return { text: text.charAt(0).toUpperCase() + text.slice(1), isRefusal: trust.length === 0 };
}

function titleOf(items: readonly TrustItem[]): string {
  const changed = items.filter(({ before }) => before !== undefined).length;
  return changed === items.length
    ? 'Something that you trusted in this project has changed'
    : 'This project wants to run code or relax permissions';
}

/** Words instead of a number are no answer to this question. */
function chosen(answer: Answer): number | undefined {
  if (answer.kind !== 'selected' || answer.text !== undefined || answer.indexes.length !== 1)
    return undefined;
  return answer.indexes[0];
}

function decisionOf(index: number | undefined, items: readonly TrustItem[]): TrustDecision {
  return { trust: index === 1 ? items : [], never: index === 2 ? items : [] };
}

/** Limit of text in a dialog. */
const longestText = 1_000_000;
const shownLines = 12;
const longestLine = 200;

/** Describes a file that would run with an item: its path as it is shown, length, version and beginning. */
async function describeScript([shown, sum]: readonly [string, string], path: string): Promise<string[]> {
  const version = `sha256 ${sum.slice(0, 12)}`;
  const text = sum === 'unreadable' ? undefined : await textOf(path).catch(() => undefined);
  if (text === undefined) return [`    with ${escapedLine(shown)}  (cannot be shown, ${version})`];
  if (text.includes('\0')) return [`    with ${escapedLine(shown)}  (no text, ${version})`];
  const lines = text.trimEnd().split('\n');
  const rest = lines.length - shownLines;
  return [
    `    with ${escapedLine(shown)}  (${pluralize(lines.length, 'line')}, ${version}):`,
    ...lines.slice(0, shownLines).map((line) => `      | ${escapedLine(line.slice(0, longestLine))}`),
    ...(rest > 0 ? [`      | … ${pluralize(rest, 'more line')}`] : []),
  ];
}

async function textOf(path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  return size > longestText ? undefined : (await readRegularFile(path)).toString();
}
