import type { CodeText } from '@robota-sdk/agent-shell';
import { decodeEscapes, matchGlob } from '@robota-sdk/agent-shell';
import type { CommandRule } from './command-rules.ts';
import type { CommandPattern } from './match-command.ts';

/** A rule that a text mentions, and the word that matched. */
export interface RuleMention {
  readonly rule: CommandRule['rule'];
  readonly name: string;
  readonly certainty: 'hit' | 'maybe';
}

/** Commands that run their arguments. */
const starters: ReadonlySet<string> = new Set(
  'builtin call command do doas else env eval exec if nice nohup run sh shell spawn sudo system then time timeout xargs'.split(
    ' ',
  ),
);
/** Number of characters before a word that are searched for a command start. */
const longestStart = 120;
/** With more occurrences in one text, one is assumed to start a command. */
const maximumPlaces = 64;

/** Rules for programs that a text may run, indexed so that few of them are compared. */
export class CodeRules {
  readonly #named = new Map<string, CommandRule[]>();
  readonly #others: CommandRule[] = [];

  constructor(rules: readonly CommandRule[]) {
    for (const rule of rules) {
      const { name } = rule.pattern;
      if (name === undefined || !/^\w[\w.+-]*$/.test(name)) this.#others.push(rule);
      else this.#named.set(name, [...(this.#named.get(name) ?? []), rule]);
    }
  }

  /** The rules that match a text. */
  *in(code: CodeText): Generator<RuleMention> {
    const plain = code.kind === 'code' ? code.text : code.text.replace(/^--?[\w-]+=/, '');
    const texts = [...readings(plain), ...attachedValues(plain)];
    const tried = new Set<string>();
    for (const text of texts) {
      for (const [word] of text.matchAll(/\w[\w.+-]*/g)) {
        const name = trimEnd(word, /[.+-]/);
        if (tried.has(name) || !this.#named.has(name)) continue;
        tried.add(name);
        for (const one of this.#named.get(name) ?? []) yield* mentionOf(one, texts, code.kind);
      }
    }
    for (const one of this.#others) yield* mentionOf(one, texts, code.kind);
  }
}

/** The value of a short option in the same word, possibly after others: `-lOtouch`. */
function attachedValues(text: string): string[] {
  const letters = /^-[A-Za-z]{1,6}/.exec(text)?.[0].length ?? 0;
  return Array.from({ length: Math.max(0, letters - 1) }, (_, index) => text.slice(index + 2));
}

function* mentionOf(
  { rule, pattern }: CommandRule,
  texts: readonly string[],
  kind: CodeText['kind'],
): Generator<RuleMention> {
  const { name } = pattern;
  if (pattern.any) return;
  if (name === undefined) {
    if (kind !== 'text' && texts.some((text) => matchGlob(`*${pattern.text}*`, text)))
      yield { rule, name: pattern.text, certainty: 'maybe' };
    return;
  }
  const found = texts.map((text) => placeOf(text, pattern, name));
  const isStart = found.includes('start');
  if (!isStart && (kind === 'text' || !found.includes('word'))) return;
  const isCertain =
    (kind === 'code' || (kind === 'option' && isStart)) && texts.some((text) => hasOptions(text, pattern));
  yield { rule, name, certainty: isCertain ? 'hit' : 'maybe' };
}

/** The position of a rule's program and subcommands in a text: at a possible command start, or anywhere. */
function placeOf(text: string, pattern: CommandPattern, name: string): 'start' | 'word' | undefined {
  const [, ...others] = pattern.text
    .split(' ')
    .filter((word) => !word.includes('*') && !word.startsWith('-'));
  let found: 'word' | undefined;
  let looked = 0;
  for (let at = wordIndex(text, name, 0); at !== -1; at = wordIndex(text, name, at + 1)) {
    let from = at + name.length;
    const isWhole = others.every((word) => {
      const next = wordIndex(text, word, from);
      from = next + word.length;
      return next !== -1;
    });
    if (!isWhole) return found;
    looked += 1;
    if (looked > maximumPlaces || isCommandStart(text, at)) return 'start';
    found = 'word';
  }
  return found;
}

function hasOptions(text: string, pattern: CommandPattern): boolean {
  return pattern.text
    .split(' ')
    .every((word) => !word.startsWith('-') || word.includes('*') || text.includes(word));
}

/** The position of a whole word that is not an option or a member of an object. */
function wordIndex(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    if (isFreeBefore(text, at) && isFreeAfter(text, at + word.length)) return at;
  }
  return -1;
}

function isFreeBefore(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  const further = text[at - 2] ?? '';
  // A make recipe starts with `-` if its failure is ignored.
  if (before === '-') return /[;:@+\n]\s{0,8}$/.test(text.slice(Math.max(0, at - 10), at - 1));
  if (before === '.') return !/[\w)\]"'`]/.test(further);
  return !/[\w$]/.test(before);
}

function isFreeAfter(text: string, at: number): boolean {
  const after = text[at] ?? '';
  return after === '.' ? !/\w/.test(text[at + 1] ?? '') : !/[\w/-]/.test(after);
}

/** True if a command may start at a position: after an operator, an assignment or a word that runs its arguments. */
function isCommandStart(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - longestStart, text.lastIndexOf('\n', at - 1) + 1), at);
  const before = trimEnd(trimEnd(line, /[\w.~/-]/, line.endsWith('/')), /[\s"'@-]/);
  if (before === '' || ';&|(){}`!='.includes(before.at(-1) ?? '')) return true;
  const last = before.slice(before.length - wordLength(before));
  return starters.has(last.slice(last.lastIndexOf('/') + 1)) || /^\w+=/.test(last);
}

function trimEnd(text: string, characters: RegExp, isWanted = true): string {
  let end = text.length;
  while (isWanted && end > 0 && characters.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function wordLength(text: string): number {
  return text.length - trimEnd(text, /[^\s"']/).length;
}

/** A text as written, with its escapes decoded, and with quotes and joined strings removed. */
function readings(text: string): string[] {
  const plain = /%[0-9A-Fa-f]{2}/.test(text)
    ? text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 16)),
      )
    : text;
  const decoded = plain.includes('\\') ? decode(plain) : plain;
  const marked = decoded.replaceAll(/["'`\\]+/g, '"');
  const joined = marked.replaceAll(/"\s?(?:\.\.|[.+~])?\s?"/g, '').replaceAll('"', '');
  return [...new Set([text, decoded, joined])];
}

function decode(text: string): string {
  return decodeEscapes(text).replaceAll(/\\[abefnrtv0_]/g, ' ');
}
