import { basename } from 'node:path';
import { oneLine, textWidth, truncateText } from '@robota-sdk/agent-tui';
import type { AppKeybindings } from '../keys/app-actions.ts';
import type { AppStyle } from '../theme/app-tokens.ts';
import type { SessionLocation } from './render-footer.ts';

/** The first line: what this is and where, and on the right the keys to begin with. */
export function renderHeader(
  { cwd, branch, version }: SessionLocation & { readonly version: string },
  look: AppStyle,
  keys: AppKeybindings,
): (columns: number) => string[] {
  const separator = ` ${look.glyphs.separator} `;
  const place = [oneLine(basename(cwd) || cwd), ...(branch === undefined ? [] : [oneLine(branch)])];
  const name = `${look.paint('accent', 'robota')} ${version}`;
  const left = ` ${name}${look.paint('dim', [``, ...place].join(separator))}`;
  const lookBack = keys.keysOf('app.tools.expand')[0] ?? 'ctrl+o';
  const right = look.paint('dim', ['/help', '? keys', `${lookBack} history`].join(separator));
  return (columns) => {
    const gap = columns - textWidth(left) - textWidth(right) - 1;
    if (gap < 2) return [truncateText(left, columns, look.glyphs.ellipsis)];
    return [left + ' '.repeat(gap) + right];
  };
}
