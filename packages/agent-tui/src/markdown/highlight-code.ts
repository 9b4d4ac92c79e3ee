import type { RenderStyle } from '../components/render-style.ts';
import { filterEscapes } from '../text/escape-filter.ts';
import { findLanguage, languageOfPath } from './find-language.ts';
import { type CodeState, highlightLine } from './highlight-line.ts';

/** What code is coloured by: the name of its language, or the path of its file. */
export type CodeOrigin = { readonly language: string } | { readonly path: string };

/** Colours code of any origin, line by line; of a language that is not known it is only made safe to show. */
export function highlightCode(code: string, origin: CodeOrigin, { paint }: RenderStyle): string[] {
  const language = 'language' in origin ? findLanguage(origin.language) : languageOfPath(origin.path);
  const lines = filterEscapes(code).split('\n');
  if (!language) return lines;
  let state: CodeState;
  return lines.map((line) => {
    const highlighted = highlightLine(line, state, { language, paint });
    state = highlighted.state;
    return highlighted.text;
  });
}
