const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Milliseconds of a duration such as `90s`, `1h` or `1h 30m`; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const parts =
    text
      .trim()
      .toLowerCase()
      .match(/\d{1,9}(?:\.\d{1,9})?[a-z]{1,2}/g) ?? [];
  if (parts.length === 0 || parts.join('') !== text.toLowerCase().replaceAll(' ', '')) return undefined;
  let total = 0;
  for (const part of parts) {
    const unit = part.replace(/[\d.]+/, '');
    const factor = units.find(([name]) => name === unit)?.[1];
    if (factor === undefined) return undefined;
    total += Number.parseFloat(part) * factor;
  }
  return Number.isInteger(total) && total > 0 ? total : undefined;
}

/** Formats a duration so that `parseDuration` returns the same number. */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  const parts = units.flatMap(([name, factor]) => {
    const count = Math.floor(rest / factor);
    rest -= count * factor;
    return count === 0 ? [] : [`${count}${name}`];
  });
  return parts.join('') || '0s';
}
