/** A stretch of code and what it is. */
export interface CodePart {
  readonly kind: 'plain' | 'keyword' | 'string' | 'comment' | 'number' | 'added' | 'removed';
  readonly text: string;
}

/** How a family of languages writes comments and texts. */
interface Syntax {
  readonly line: readonly string[];
  readonly block?: readonly [open: string, close: string];
  readonly quotes: string;
}

const cLike: Syntax = { line: ['//'], block: ['/*', '*/'], quotes: `"'\`` };
const hashed: Syntax = { line: ['#'], quotes: `"'` };
const dashed: Syntax = { line: ['--'], block: ['/*', '*/'], quotes: `"'` };
/** Comments of markup must not stand in a page as text of its script. */
const marked: Syntax = { line: [], quotes: `"'` };

const named = (syntax: Syntax, names: string) => names.split(' ').map((name) => [name, syntax] as const);

const syntaxes: ReadonlyMap<string, Syntax> = new Map([
  ...named(
    cLike,
    'c cc cpp cs csharp css dart go h hpp java javascript js json json5 jsonc jsx kotlin kt less',
  ),
  ...named(cLike, 'mjs php proto rs rust scala scss solidity swift ts tsx typescript zig'),
  ...named(
    hashed,
    'bash console dockerfile elixir ex graphql ini make makefile nix perl pl py python r rb ruby',
  ),
  ...named(hashed, 'sh shell tf toml yaml yml zsh'),
  ...named(dashed, 'haskell hs lua sql'),
  ...named(marked, 'html svelte svg vue xml'),
]);

const keywords: ReadonlySet<string> = new Set(
  (
    'abstract and as assert async await begin bool boolean break case catch char class const continue def default defer del ' +
    'delete do done double elif else end enum esac except export extends extern false False fi final finally float fn for from ' +
    'func function global go goto if impl implements import in include inline instanceof int interface is lambda let local ' +
    'loop match mod module mut namespace new nil None not null or package pass private protected pub public raise readonly ' +
    'require return self sizeof static string struct super switch template then this throw trait true True try type typedef ' +
    'typeof undefined union unless unsafe until use using var virtual void when where while with yield ' +
    'SELECT FROM WHERE INSERT INTO UPDATE DELETE CREATE TABLE ALTER DROP JOIN LEFT INNER ON GROUP BY ORDER LIMIT VALUES SET AND OR NOT NULL'
  ).split(' '),
);

/** Longer code stays without colours. */
const longest = 100_000;

/** Code in parts with what each is; together they are the code, to the letter. Of unknown languages nothing is told. */
export function highlightCode(language: string, text: string): readonly CodePart[] {
  const name = language.toLowerCase();
  if (text.length > longest) return [{ kind: 'plain', text }];
  if (name === 'diff' || name === 'patch') return diffParts(text);
  const syntax = syntaxes.get(name);
  return syntax ? new CodeReader(text, syntax).read() : [{ kind: 'plain', text }];
}

function diffParts(text: string): readonly CodePart[] {
  return text.split(/(?<=\n)/).map((line) => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'plain';
    return { kind, text: line };
  });
}

class CodeReader {
  readonly #text: string;
  readonly #syntax: Syntax;
  readonly #parts: CodePart[] = [];
  #at = 0;
  #plainFrom = 0;

  constructor(text: string, syntax: Syntax) {
    this.#text = text;
    this.#syntax = syntax;
  }

  read(): readonly CodePart[] {
    while (this.#at < this.#text.length) {
      const end = this.#commentEnd();
      if (end !== undefined) this.#take('comment', end);
      else if (this.#syntax.quotes.includes(this.#text[this.#at] ?? ''))
        this.#take('string', this.#stringEnd());
      else this.#readWord();
    }
    this.#endPlain();
    return this.#parts;
  }

  #commentEnd(): number | undefined {
    const { line, block } = this.#syntax;
    const text = this.#text;
    if (line.some((sign) => text.startsWith(sign, this.#at)) && this.#mayComment())
      return placeOr(text.indexOf('\n', this.#at), text.length);
    if (!block || !text.startsWith(block[0], this.#at)) return undefined;
    const end = text.indexOf(block[1], this.#at + block[0].length);
    return end < 0 ? text.length : end + block[1].length;
  }

  /** A sign within a word, such as in `$#` or in an address, begins no comment. */
  #mayComment(): boolean {
    return this.#at === 0 || /[\s;,(){}[\]]/.test(this.#text[this.#at - 1] ?? '');
  }

  /** Texts end with their line, except those in backticks; an apostrophe within a word begins none. */
  #stringEnd(): number {
    const quote = this.#text[this.#at] ?? '';
    if (quote === "'" && /\w/.test(this.#text[this.#at - 1] ?? '')) return this.#at;
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const letter = this.#text[at];
      if (letter === '\\') at++;
      else if (letter === quote) return at + 1;
      else if (letter === '\n' && quote !== '`') return at;
    }
    return this.#text.length;
  }

  #readWord(): void {
    const word = /[A-Za-z_$][\w$-]*|\d[\w.]*/y;
    word.lastIndex = this.#at;
    const [found] = word.exec(this.#text) ?? [];
    if (found === undefined) this.#at++;
    else if (/^\d/.test(found)) this.#take('number', this.#at + found.length);
    else if (keywords.has(found)) this.#take('keyword', this.#at + found.length);
    else this.#at += found.length;
  }

  #take(kind: CodePart['kind'], end: number): void {
    if (end === this.#at) {
      this.#at++;
      return;
    }
    this.#endPlain();
    this.#parts.push({ kind, text: this.#text.slice(this.#at, end) });
    this.#at = end;
    this.#plainFrom = end;
  }

  #endPlain(): void {
    if (this.#plainFrom < this.#at)
      this.#parts.push({ kind: 'plain', text: this.#text.slice(this.#plainFrom, this.#at) });
    this.#plainFrom = this.#at;
  }
}

function placeOr(place: number, other: number): number {
  return place < 0 ? other : place;
}
