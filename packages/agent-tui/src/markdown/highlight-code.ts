import type { RenderStyle } from '../components/render-style.ts';
import { filterEscapes } from '../text/escape-filter.ts';
import { findLanguage, languageOfPath } from './find-language.ts';
import { type CodePart, type CodeState, highlightLine } from './highlight-line.ts';

/** The language of code, by its name or by the path of its file. */
export type CodeOrigin = { readonly language: string } | { readonly path: string };

/** Highlights untrusted code line by line. Code in an unknown language is only made safe to print. */
export function highlightCode(code: string, origin: CodeOrigin, { paint }: RenderStyle): string[] {
  return codeParts(filterEscapes(code), origin).map((parts) => paintParts(parts, paint));
}

/** The parts of each line of code. Together they are the code, to the letter. */
export function codeParts(code: string, origin: CodeOrigin): (readonly CodePart[])[] {
  const language = 'language' in origin ? findLanguage(origin.language) : languageOfPath(origin.path);
  const lines = code.split('\n');
  if (!language) return lines.map((text) => [{ text }]);
  let state: CodeState;
  return lines.map((line) => {
    const highlighted = highlightLine(line, state, language);
    state = highlighted.state;
    return highlighted.parts;
  });
}

/** The parts of a line in colours. */
export function paintParts(parts: readonly CodePart[], paint: RenderStyle['paint']): string {
  return parts.map(({ text, token }) => (token ? paint(token, text) : text)).join('');
}
