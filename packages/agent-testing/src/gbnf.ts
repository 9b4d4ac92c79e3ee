/** A set of characters as ranges of code points, or all others. */
interface CharacterSet {
  readonly kind: 'set';
  readonly isInverted: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

type Symbol = CharacterSet | { readonly kind: 'rule'; readonly name: string };
type Sequence = readonly Symbol[];

/** The rest of a derivation: the next symbol and what follows it, shared between derivations. */
interface Stack {
  readonly sequence: Sequence;
  readonly at: number;
  readonly below: Stack | undefined;
}

/** A grammar of llama.cpp, to be matched character by character as its server does. Throws where the text is no grammar. */
export class Gbnf {
  readonly #rules = new Map<string, Sequence[]>();
  readonly #shortest = new Map<string, number>();

  constructor(text: string) {
    for (const [name, alternatives] of new GrammarReader(text).read()) this.#rules.set(name, alternatives);
    for (const alternatives of this.#rules.values())
      for (const symbol of alternatives.flat())
        if (symbol.kind === 'rule' && !this.#rules.has(symbol.name))
          throw new Error(`the rule ${symbol.name} does not exist`);
    if (!this.#rules.has('root')) throw new Error('there is no rule root');
    this.#assertNoLeftRecursion();
    this.#measure();
  }

  /** A matcher at the beginning of a text. */
  start(): GbnfMatcher {
    return new GbnfMatcher(this.#rules);
  }

  accepts(text: string): boolean {
    const matcher = this.start();
    for (const character of text) if (!matcher.accept(character)) return false;
    return matcher.canEnd;
  }

  /** A text of a rule, made with random numbers from 0 to 1; ends soon once it has `budget` characters. */
  sample(random: () => number, { budget = 400, rule = 'root' } = {}): string {
    let text = '';
    const stack: Symbol[] = [{ kind: 'rule', name: rule }];
    for (let symbol = stack.pop(); symbol; symbol = stack.pop()) {
      if (symbol.kind === 'set') text += pick(symbol, random);
      else stack.push(...this.#choose(symbol.name, random, text.length > budget).toReversed());
    }
    return text;
  }

  #choose(name: string, random: () => number, isLate: boolean): Sequence {
    const alternatives = this.#rules.get(name) ?? [];
    if (!isLate) return alternatives[Math.floor(random() * alternatives.length)] ?? [];
    const lengths = alternatives.map((sequence) => this.#lengthOf(sequence));
    return alternatives[lengths.indexOf(Math.min(...lengths))] ?? [];
  }

  #lengthOf(sequence: Sequence): number {
    return sequence.reduce(
      (sum, symbol) => sum + (symbol.kind === 'set' ? 1 : (this.#shortest.get(symbol.name) ?? Infinity)),
      0,
    );
  }

  /** The shortest text of each rule. */
  #measure(): void {
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [name, alternatives] of this.#rules) {
        const length = Math.min(...alternatives.map((sequence) => this.#lengthOf(sequence)));
        if (length >= (this.#shortest.get(name) ?? Infinity)) continue;
        this.#shortest.set(name, length);
        isChanged = true;
      }
    }
    const endless = [...this.#rules.keys()].filter((name) => !this.#shortest.has(name));
    if (endless.length > 0) throw new Error(`the rule ${endless[0]} never ends`);
  }

  /** llama.cpp refuses such grammars. */
  #assertNoLeftRecursion(): void {
    const open = new Set<string>();
    const done = new Set<string>();
    const visit = (name: string): boolean => {
      if (open.has(name)) throw new Error(`the rule ${name} is left-recursive`);
      const isEmptyKnown = done.has(name);
      open.add(name);
      let mayBeEmpty = false;
      for (const sequence of this.#rules.get(name) ?? []) {
        let isEmpty = true;
        for (const symbol of sequence) {
          if (symbol.kind === 'set' || !(isEmptyKnown ? this.#mayBeEmpty(symbol.name) : visit(symbol.name))) {
            isEmpty = false;
            break;
          }
        }
        mayBeEmpty ||= isEmpty;
      }
      open.delete(name);
      done.add(name);
      return mayBeEmpty;
    };
    for (const name of this.#rules.keys()) if (!done.has(name)) visit(name);
  }

  #mayBeEmpty(name: string, seen = new Set<string>()): boolean {
    if (seen.has(name)) return false;
    const deeper = new Set(seen).add(name);
    return (this.#rules.get(name) ?? []).some((sequence) =>
      sequence.every((symbol) => symbol.kind === 'rule' && this.#mayBeEmpty(symbol.name, deeper)),
    );
  }
}

/** Follows a text through a grammar. */
class GbnfMatcher {
  readonly #rules: ReadonlyMap<string, readonly Sequence[]>;
  /** Each begins with a character set; undefined is the end. */
  #stacks: readonly (Stack | undefined)[];

  constructor(rules: ReadonlyMap<string, readonly Sequence[]>) {
    this.#rules = rules;
    this.#stacks = this.#advanced([{ sequence: [{ kind: 'rule', name: 'root' }], at: 0, below: undefined }]);
  }

  get canEnd(): boolean {
    return this.#stacks.includes(undefined);
  }

  /** Takes the next character; false where the grammar has none such, and then nothing changes. */
  accept(character: string): boolean {
    const code = character.codePointAt(0) ?? 0;
    const next = this.#stacks.flatMap((stack) => {
      const symbol = stack?.sequence[stack.at];
      return stack && symbol?.kind === 'set' && matches(symbol, code)
        ? [{ sequence: stack.sequence, at: stack.at + 1, below: stack.below }]
        : [];
    });
    if (next.length === 0) return false;
    this.#stacks = this.#advanced(next);
    return true;
  }

  /** Opens rules until each stack begins with a character set or is over. */
  #advanced(stacks: readonly Stack[]): readonly (Stack | undefined)[] {
    const found = new Map<string, Stack | undefined>();
    const seen = new Set<string>();
    const open: (Stack | undefined)[] = [...stacks];
    while (open.length > 0) {
      const stack = trimmed(open.pop());
      const key = keyOf(stack);
      if (seen.has(key)) continue;
      seen.add(key);
      const symbol = stack?.sequence[stack.at];
      if (!stack || symbol?.kind !== 'rule') {
        found.set(key, stack);
        continue;
      }
      const below = trimmed({ sequence: stack.sequence, at: stack.at + 1, below: stack.below });
      for (const sequence of this.#rules.get(symbol.name) ?? []) open.push({ sequence, at: 0, below });
    }
    return [...found.values()];
  }
}

/** Without what is over, so that a rule that ends with itself needs no more room. */
function trimmed(stack: Stack | undefined): Stack | undefined {
  let rest = stack;
  while (rest && rest.at >= rest.sequence.length) rest = rest.below;
  return rest;
}

const sequenceIds = new WeakMap<Sequence, number>();
let nextId = 0;

function keyOf(stack: Stack | undefined): string {
  const parts: string[] = [];
  for (let each = stack; each; each = each.below) {
    const id = sequenceIds.get(each.sequence) ?? nextId++;
    sequenceIds.set(each.sequence, id);
    parts.push(`${id}:${each.at}`);
  }
  return parts.join(' ');
}

function matches({ ranges, isInverted }: CharacterSet, code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last) !== isInverted;
}

/** Characters that are likely to make trouble come often. */
const awkward = [...'<>/#!`$\\{}()[]"\'\n \t.,:;-_=aZ09é\u00a0\u{1f600}'].map(
  (each) => each.codePointAt(0) ?? 0,
);

function pick(set: CharacterSet, random: () => number): string {
  const fitting = awkward.filter((code) => matches(set, code));
  if (fitting.length > 0 && (set.isInverted || random() < 0.5))
    return String.fromCodePoint(fitting[Math.floor(random() * fitting.length)] ?? 32);
  const [first = 97, last = 122] = set.isInverted
    ? []
    : (set.ranges[Math.floor(random() * set.ranges.length)] ?? []);
  return String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
}

type Rules = Map<string, Sequence[]>;

/** Reads the text of a grammar as llama.cpp does, repetitions and groups as rules of their own. */
class GrammarReader {
  readonly #text: string;
  #at = 0;
  #made = 0;
  readonly #rules: Rules = new Map();

  constructor(text: string) {
    this.#text = text;
  }

  read(): Rules {
    for (this.#skip(true); this.#at < this.#text.length; this.#skip(true)) {
      const name = this.#name();
      this.#skip(false);
      if (!this.#text.startsWith('::=', this.#at)) this.#fail('expected ::=');
      this.#at += 3;
      this.#skip(true);
      if (this.#rules.has(name)) this.#fail(`the rule ${name} is there twice`);
      this.#rules.set(name, this.#alternatives(false));
      if (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#fail('expected a new line');
    }
    return this.#rules;
  }

  #alternatives(isNested: boolean): Sequence[] {
    const all = [this.#sequence(isNested)];
    while (this.#text[this.#at] === '|') {
      this.#at++;
      this.#skip(true);
      all.push(this.#sequence(isNested));
    }
    return all;
  }

  #sequence(isNested: boolean): Sequence {
    const symbols: Symbol[] = [];
    /** The symbols of the last item, to which a repetition belongs. */
    let last = 0;
    for (; this.#at < this.#text.length; this.#skip(isNested)) {
      const character = this.#text[this.#at] ?? '';
      const begin = symbols.length;
      if (character === '"') symbols.push(...this.#literal());
      else if (character === '[') symbols.push(this.#set());
      else if (/[a-zA-Z]/.test(character)) symbols.push({ kind: 'rule', name: this.#name() });
      else if (character === '(') symbols.push(this.#group());
      else if (/[*+?{]/.test(character)) {
        this.#repeat(symbols, last);
        continue;
      } else break;
      last = begin;
    }
    return symbols;
  }

  #group(): Symbol {
    this.#at++;
    this.#skip(true);
    const alternatives = this.#alternatives(true);
    if (this.#text[this.#at] !== ')') this.#fail('expected )');
    this.#at++;
    return this.#rule(alternatives);
  }

  #rule(alternatives: Sequence[]): Symbol {
    const name = `made-${this.#made++}`;
    this.#rules.set(name, alternatives);
    return { kind: 'rule', name };
  }

  #repeat(symbols: Symbol[], from: number): void {
    if (from >= symbols.length) this.#fail('there is nothing to repeat');
    const [least, most] = this.#bounds();
    const item = symbols.splice(from);
    for (let count = 0; count < least; count++) symbols.push(...item);
    if (most === Infinity) {
      const name = `made-${this.#made++}`;
      this.#rules.set(name, [[...item, { kind: 'rule', name }], []]);
      symbols.push({ kind: 'rule', name });
      return;
    }
    let rest: Symbol | undefined;
    for (let count = least; count < most; count++)
      rest = this.#rule([[...item, ...(rest ? [rest] : [])], []]);
    if (rest) symbols.push(rest);
  }

  #bounds(): readonly [number, number] {
    const sign = this.#text[this.#at++] ?? '';
    if (sign === '*') return [0, Infinity];
    if (sign === '+') return [1, Infinity];
    if (sign === '?') return [0, 1];
    const found = /^(\d+)\s*(,?)\s*(\d*)\s*\}/.exec(this.#text.slice(this.#at, this.#at + 20));
    if (!found) return this.#fail('expected a repetition');
    this.#at += found[0].length;
    const least = Number(found[1]);
    if (found[2] === '') return [least, least];
    return [least, found[3] === '' ? Infinity : Number(found[3])];
  }

  #literal(): Symbol[] {
    const symbols: Symbol[] = [];
    for (this.#at++; this.#text[this.#at] !== '"'; ) {
      const code = this.#character();
      symbols.push({ kind: 'set', isInverted: false, ranges: [[code, code]] });
    }
    this.#at++;
    return symbols;
  }

  #set(): CharacterSet {
    const ranges: [number, number][] = [];
    this.#at++;
    const isInverted = this.#text[this.#at] === '^';
    if (isInverted) this.#at++;
    while (this.#text[this.#at] !== ']') {
      const first = this.#character();
      const isRange = this.#text[this.#at] === '-' && this.#text[this.#at + 1] !== ']';
      if (isRange) this.#at++;
      ranges.push([first, isRange ? this.#character() : first]);
    }
    this.#at++;
    return { kind: 'set', isInverted, ranges };
  }

  #character(): number {
    if (this.#at >= this.#text.length || this.#text[this.#at] === '\n') this.#fail('a text or a set is open');
    if (this.#text[this.#at] !== '\\') {
      const code = this.#text.codePointAt(this.#at) ?? 0;
      this.#at += code > 0xffff ? 2 : 1;
      return code;
    }
    const letter = this.#text[this.#at + 1] ?? '';
    this.#at += 2;
    const digits = { x: 2, u: 4, U: 8 }[letter];
    if (digits !== undefined) {
      const hex = this.#text.slice(this.#at, this.#at + digits);
      if (!/^[0-9a-fA-F]+$/.test(hex) || hex.length < digits) this.#fail('expected hexadecimal digits');
      this.#at += digits;
      return Number.parseInt(hex, 16);
    }
    const known = { t: 9, r: 13, n: 10 }[letter];
    if (known !== undefined) return known;
    return /^[\\"[\]]$/.test(letter)
      ? (letter.codePointAt(0) ?? 0)
      : this.#fail(`unknown escape \\${letter}`);
  }

  #name(): string {
    const name = /^[a-zA-Z0-9-]+/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    if (name === '') this.#fail('expected a name');
    this.#at += name.length;
    return name;
  }

  /** Blanks and comments; line ends only where the rule continues after them. */
  #skip(withLineEnds: boolean): void {
    const blanks = withLineEnds ? /^(?:[ \t\r\n]|#[^\n]*)+/ : /^(?:[ \t]|#[^\n]*)+/;
    this.#at += blanks.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
  }

  #fail(why: string): never {
    throw new Error(
      `the grammar cannot be read: ${why} at ${JSON.stringify(this.#text.slice(this.#at, this.#at + 40))}`,
    );
  }
}
