/** A file or an agent that a text names with an `@`. */
export interface Mention {
  readonly kind: 'file' | 'agent';
  /** The path or the name, without quotes. */
  readonly name: string;
  /** It says `@file:` or `@agent:`; otherwise it is only a mention if there is such a file. */
  readonly isExplicit: boolean;
  /** Lines of the file, from `#L10` or `#L10-20`. */
  readonly lines?: { readonly first: number; readonly last: number };
}

/** An `@` that begins a word, then a quoted text or a word; a backslash before it makes it ordinary. */
const mention = /(?<![\w@\\/.:$&%+-])@(file:|agent:)?(?:"([^"\n]+)"|([^\s"'`<>|*]+))/g;

/** Finds what a text mentions, in order. E-mail addresses are none; whether a file exists is not looked at. */
export function findMentions(text: string): Mention[] {
  return Array.from(text.matchAll(mention), ([, prefix, quoted, word = '']) => {
    const written = quoted ?? word;
    if (prefix === 'agent:') return { kind: 'agent', name: withoutEnd(written), isExplicit: true } as const;
    const [, path = written, first, last] = /^(.+)#L(\d+)(?:-L?(\d+))?$/.exec(written) ?? [];
    const range = first === undefined ? {} : { lines: { first: Number(first), last: Number(last ?? first) } };
    return { kind: 'file', name: path, isExplicit: prefix === 'file:', ...range } as const;
  });
}

/** A name without the punctuation of the sentence it stands in. */
export function withoutEnd(name: string): string {
  return name.replace(/(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/, '');
}
