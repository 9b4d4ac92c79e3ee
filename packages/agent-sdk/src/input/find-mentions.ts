/** A file or an agent that a text names with an `@`. */
export interface Mention {
  readonly kind: 'file' | 'agent';
  /** The path or the name, without quotes and range. */
  readonly name: string;
  /** The same with the range, which may be part of a file's name. */
  readonly written: string;
  /** True for `@file:` or `@agent:`; otherwise it is a mention only if such a file exists. */
  readonly isExplicit: boolean;
  /** Lines of a text or pages of a PDF. */
  readonly range?: MentionRange;
}

/** From `:10`, `:10-20`, `:10-` or `:10:5` (a line and a column), or with `#L` instead of the first colon. */
export interface MentionRange {
  readonly first: number;
  /** Absent for a range without an end. */
  readonly last?: number;
}

/** An `@` at the start of a word, then a quoted text or a word; a backslash escapes it. */
const mention = /(?<![\w@\\/.:$&%+-])@(file:|agent:)?(?:"([^"\n]+)"|([^\s"'`<>|*]+))/g;

/** Finds mentions in a text, in order. E-mail addresses are not mentions; files are not checked. */
export function findMentions(text: string): Mention[] {
  return Array.from(text.matchAll(mention), ([, prefix, quoted, word = '']) => {
    const written = quoted ?? word;
    if (prefix === 'agent:')
      return { kind: 'agent', name: withoutEnd(written), written, isExplicit: true } as const;
    const isExplicit = prefix === 'file:';
    const [, name, first, rest = ''] =
      /^(.+?)(?:#L|:)(\d{1,9})(-(?:L?\d{1,9})?|:\d{1,9})?$/.exec(withoutEnd(written)) ?? [];
    if (name === undefined) return { kind: 'file', name: written, written, isExplicit } as const;
    return { kind: 'file', name, written, isExplicit, range: rangeOf(Number(first), rest) } as const;
  });
}

function rangeOf(first: number, rest: string): MentionRange {
  if (rest === '-') return { first };
  return { first, last: rest.startsWith('-') ? Number(rest.replace(/^-L?/, '')) : first };
}

/** A name without the punctuation of its sentence. */
export function withoutEnd(name: string): string {
  return name.replace(/(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/, '');
}
