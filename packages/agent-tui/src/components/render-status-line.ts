import { textWidth } from '../text/styled-text.ts';
import { truncateText } from '../text/truncate-text.ts';
import type { RenderStyle } from './render-style.ts';

/** A part of a line that may be left out where there is no room for it. */
export interface StatusField {
  /** May be styled; must be safe to show. */
  readonly text: string;
  /** Lower ones are left out first; among equals the later one. */
  readonly priority: number;
}

/** The line of a program's state: fields with a separator, without those that there is no room for. */
export function renderStatusLine(fields: readonly StatusField[], width: number, look: RenderStyle): string {
  const separator = ` ${look.glyphs.separator} `;
  const kept = fitFields(
    fields.filter(({ text }) => text !== ''),
    width,
    separator,
  );
  const line = kept.map(({ text }) => text).join(look.paint('dim', separator));
  return truncateText(line, width, look.glyphs.ellipsis);
}

/** The fields that fit into a width together; the most important one always stays. */
function fitFields(fields: readonly StatusField[], width: number, separator: string): readonly StatusField[] {
  const kept = [...fields];
  let taken = kept.reduce((sum, { text }) => sum + textWidth(text) + separator.length, -separator.length);
  while (taken > width && kept.length > 1) {
    const least = kept.reduce(
      (index, field, other) => (field.priority <= (kept[index]?.priority ?? 0) ? other : index),
      0,
    );
    const [dropped] = kept.splice(least, 1);
    taken -= textWidth(dropped?.text ?? '') + separator.length;
  }
  return kept;
}

/**
 * A line of keys and what they do. Where it is narrow, the last ones are left out, but not those that are kept, nor the way
 * out, which is the last.
 */
export function renderKeyHints(
  hints: readonly { readonly keys: string; readonly text: string; readonly isKept?: boolean }[],
  width: number,
  look: RenderStyle,
): string {
  const isExit = ({ keys }: { readonly keys: string }) => keys === 'esc';
  const ordered = [...hints.filter((hint) => !isExit(hint)), ...hints.filter(isExit)];
  const fields = ordered.map((hint, index) => ({
    text: `${hint.keys} ${look.paint('dim', hint.text)}`,
    priority:
      index === 0
        ? Number.POSITIVE_INFINITY
        : hint.isKept || isExit(hint)
          ? hints.length
          : hints.length - index,
  }));
  return renderStatusLine(fields, width, look);
}
