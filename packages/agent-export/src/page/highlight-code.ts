import { codeParts, type CodePart as SourcePart } from '@robota-sdk/agent-tui';

/** A piece of code and what it is. */
export interface CodePart {
  readonly kind:
    | 'plain'
    | 'keyword'
    | 'function'
    | 'string'
    | 'comment'
    | 'number'
    | 'type'
    | 'added'
    | 'removed';
  readonly text: string;
}

const kinds: Readonly<Partial<Record<NonNullable<SourcePart['token']>, CodePart['kind']>>> = {
  syntaxKeyword: 'keyword',
  syntaxFunction: 'function',
  syntaxString: 'string',
  syntaxComment: 'comment',
  syntaxNumber: 'number',
  syntaxType: 'type',
  diffAdded: 'added',
  diffRemoved: 'removed',
};

/** Longer code is not highlighted. */
const longest = 100_000;

/** The parts of code, with the grammars of the screen. Together they are the code, to the letter. */
export function highlightCode(language: string, text: string): readonly CodePart[] {
  if (text.length > longest) return [{ kind: 'plain', text }];
  const parts: CodePart[] = [];
  for (const [index, line] of codeParts(text, { language }).entries()) {
    if (index > 0) add(parts, 'plain', '\n');
    for (const part of line) add(parts, kindOfToken(part.token), part.text);
  }
  return parts;
}

/** The kind of code that a token of the screen stands for. */
export function kindOfToken(token: SourcePart['token']): CodePart['kind'] {
  return (token && kinds[token]) ?? 'plain';
}

/** Joins neighbours of the same kind, so that the page has fewer elements. */
function add(parts: CodePart[], kind: CodePart['kind'], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
  else if (text !== '') parts.push({ kind, text });
}
