const longestScript = 4_000;

/** True if a sed script only prints, deletes from the output and substitutes: no `e`, `w`, `r` or files. */
export function isReadingSedScript(script: string): boolean {
  return script.length <= longestScript && new SedScript(script, 'reading').isReading();
}

/** True if a sed script runs and writes nothing: it may also add text, jump and read files. */
export function isTameSedScript(script: string): boolean {
  return script.length <= longestScript && new SedScript(script, 'tame').isReading();
}

/** Reads a script from left to right, each character once. */
class SedScript {
  readonly #text: string;
  readonly #kind: 'reading' | 'tame';
  #at = 0;

  constructor(text: string, kind: 'reading' | 'tame') {
    this.#text = text;
    this.#kind = kind;
  }

  isReading(): boolean {
    let depth = 0;
    let count = 0;
    for (;;) {
      this.#skip(/[\s;]/);
      if (this.#at >= this.#text.length) return depth === 0 && count > 0;
      if (this.#take('}')) {
        depth -= 1;
        if (depth < 0 || !this.#endsCommand()) return false;
        continue;
      }
      if (!this.#readAddresses()) return false;
      if (this.#take('{')) {
        depth += 1;
        continue;
      }
      if (!this.#readCommand() || !this.#endsCommand()) return false;
      count += 1;
    }
  }

  #readAddresses(): boolean {
    if (!this.#isAddress()) return true;
    if (!this.#readAddress()) return false;
    this.#skip(/[ \t]/);
    if (this.#take(',')) {
      this.#skip(/[ \t]/);
      const isOffset = this.#take('+') || this.#take('~');
      if (isOffset ? !this.#skip(/\d/) : !this.#readAddress()) return false;
    }
    this.#skip(/[ \t]/);
    this.#take('!');
    this.#skip(/[ \t]/);
    return true;
  }

  #isAddress(): boolean {
    return /[\d$/\\]/.test(this.#text.charAt(this.#at));
  }

  #readAddress(): boolean {
    if (this.#take('$')) return true;
    if (this.#skip(/\d/)) return !this.#take('~') || this.#skip(/\d/);
    const isEscaped = this.#take('\\');
    if (!isEscaped && this.#text.charAt(this.#at) !== '/') return false;
    const delimiter = this.#delimiter();
    if (delimiter === undefined || !this.#readPattern(delimiter)) return false;
    this.#skip(/[IM]/);
    return true;
  }

  #readCommand(): boolean {
    if (this.#take('s')) return this.#readSubstitution(/[gpiIM\d]/);
    if (this.#take('y')) return this.#readSubstitution(undefined);
    const name = this.#text.charAt(this.#at);
    if (this.#kind === 'tame' && name !== '' && 'aicbtT:rR#'.includes(name)) return this.#readMore(name);
    if (name === '' || !'pdqQlnNGHhgxDPz='.includes(name)) return false;
    this.#at += 1;
    if ('qQl'.includes(name)) {
      this.#skip(/[ \t]/);
      this.#skip(/\d/);
    }
    return true;
  }

  /** Labels end where any version of sed ends them; text, file names and comments take the rest of the line. */
  #readMore(name: string): boolean {
    this.#at += 1;
    if ('btT:'.includes(name)) {
      this.#skip(/[ \t]/);
      this.#skip(/\w/);
      return true;
    }
    while (this.#at < this.#text.length && this.#text.charAt(this.#at) !== '\n')
      this.#at += 'aic'.includes(name) && this.#text.charAt(this.#at) === '\\' ? 2 : 1;
    return true;
  }

  #readSubstitution(flags: RegExp | undefined): boolean {
    const delimiter = this.#delimiter();
    if (delimiter === undefined || !this.#readPattern(delimiter) || !this.#readText(delimiter)) return false;
    if (flags !== undefined) this.#skip(flags);
    return true;
  }

  #delimiter(): string | undefined {
    const delimiter = this.#text.charAt(this.#at);
    this.#at += 1;
    return delimiter !== '' && '/|#,@:!%_~+=&'.includes(delimiter) ? delimiter : undefined;
  }

  /** Reads up to the delimiter; refused if versions of sed disagree whether it ends within brackets. */
  #readPattern(delimiter: string): boolean {
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character === delimiter) return true;
      if (character === '\n') return false;
      if (character === '\\') this.#at += this.#text.charAt(this.#at) === '\n' ? this.#text.length : 1;
      if (character === '[' && !this.#readBrackets(delimiter)) return false;
    }
    return false;
  }

  #readBrackets(delimiter: string): boolean {
    this.#take('^');
    this.#take(']');
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      const next = this.#text.charAt(this.#at + 1);
      this.#at += 1;
      if (character === ']') return true;
      if (character === delimiter || character === '\n') return false;
      if (character === '\\' && !/[\w./-]/.test(next)) return false;
      if (character === '\\') this.#at += 1;
      if (character === '[' && /[.=]/.test(next)) return false;
      if (character === '[' && next === ':') {
        this.#at += 1;
        if (!this.#skip(/[a-z]/) || !this.#take(':') || !this.#take(']')) return false;
      }
    }
    return false;
  }

  #readText(delimiter: string): boolean {
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character === delimiter) return true;
      if (character === '\n') return false;
      if (character === '\\') this.#at += 1;
    }
    return false;
  }

  #endsCommand(): boolean {
    this.#skip(/[ \t]/);
    const next = this.#text.charAt(this.#at);
    return next === '' || next === ';' || next === '\n' || next === '}';
  }

  #take(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Returns true if anything was skipped. */
  #skip(characters: RegExp): boolean {
    const start = this.#at;
    while (this.#at < this.#text.length && characters.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#at > start;
  }
}
