import { isAbsolute, relative, resolve, sep } from 'node:path';
import { oneLine, textWidth, truncateMiddle } from '@robota-sdk/agent-tui';
import type { ItemFormat } from './item-view.ts';

/** A path as users read it: relative inside the workspace, `~/…` in their home, absolute elsewhere. */
export function displayPath(path: string, { cwd, home }: Pick<ItemFormat, 'cwd' | 'home'> = {}): string {
  if (cwd === undefined || path === '') return path;
  const absolute = isAbsolute(path) ? path : resolve(cwd, path);
  if (absolute === cwd) return '.';
  if (absolute.startsWith(cwd + sep)) return relative(cwd, absolute);
  if (home !== undefined && absolute.startsWith(home + sep)) return `~${absolute.slice(home.length)}`;
  return absolute;
}

/** Cuts a path in its middle; the name of the file stays whole where it fits. */
export function cutPath(path: string, width: number, mark: string): string {
  const plain = oneLine(path);
  if (textWidth(plain) <= width) return plain;
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  const room = width - textWidth(name) - textWidth(mark) - 1;
  if (room < 1 || name === plain)
    return truncateMiddle(plain, width, { endWidth: Math.floor(width / 2), mark });
  const head = plain.slice(0, plain.length - name.length - 1);
  return `${head.slice(0, room)}${mark}/${name}`;
}
