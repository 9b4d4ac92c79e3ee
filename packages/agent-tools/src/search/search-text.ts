/** Time limit of a search in milliseconds. */
export const searchTimeout = 30_000;

// Leaves space for remarks within the limit of a tool's output.
const characterLimit = 29_000;

/** As many whole lines from the beginning as fit. */
export function fitLines(lines: readonly string[]): readonly string[] {
  let room = characterLimit;
  const end = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** Remarks about the limits of a search. */
export function searchRemarks(end: { readonly unreadable: number; readonly isTimedOut: boolean }): string[] {
  const remarks: string[] = [];
  if (end.isTimedOut)
    remarks.push(`stopped after ${searchTimeout / 1000} s, so there may be more: narrow path or pattern`);
  if (end.unreadable > 0) remarks.push(`${end.unreadable} places could not be read`);
  return remarks;
}
