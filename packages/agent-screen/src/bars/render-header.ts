import { bold, faint, oneLine, truncateText } from '@robota-sdk/agent-tui';
import type { AppStyle } from '../theme/app-tokens.ts';

/** The loaded files of a session, for the second line. */
export interface LoadedFiles {
  /** Such as `CLAUDE.md` and `2 skills`. */
  readonly names: readonly string[];
  /** How many items of the project are not trusted. */
  readonly untrusted: number;
}

/** The first line: what this is. */
export function renderHeader(version: string): (columns: number) => string[] {
  return (columns) => [truncateText(`${bold('Robota')} ${faint(version)}`, columns)];
}

/** The second line: what was loaded; nothing where there is nothing. */
export function renderLoaded(
  { names, untrusted }: LoadedFiles,
  { paint, glyphs }: AppStyle,
): (columns: number) => string[] {
  const loaded = names.length === 0 ? '' : paint('dim', `Loaded ${names.map(oneLine).join(', ')}`);
  const hint = untrusted === 0 ? '' : paint('warning', `${untrusted} not trusted: /trust`);
  const line = [loaded, hint].filter((part) => part !== '').join(paint('dim', ` ${glyphs.separator} `));
  return (columns) => (line === '' ? [] : [truncateText(line, columns, ` ${glyphs.ellipsis}`)]);
}
