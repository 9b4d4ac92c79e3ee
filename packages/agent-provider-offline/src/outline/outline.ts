import { fileNameOf } from '../language/paths.ts';
import { outlineCode } from './outline-code.ts';
import { outlineJson } from './outline-json.ts';
import { outlineMarkdown } from './outline-markdown.ts';

/** The shape of a file in Markdown rows, by what kind of file it is. */
export function outline(path: string, lines: readonly string[]): readonly string[] {
  const name = fileNameOf(path).toLowerCase();
  if (/\.(md|markdown|mdx)$/.test(name)) return outlineMarkdown(lines);
  if (/\.(json|jsonc|webmanifest)$/.test(name)) return outlineJson(lines);
  return outlineCode(lines);
}
