/** How long a search may take. */
export const searchTimeout = 30_000;

// Room for remarks within the limit of a tool's output.
const characterLimit = 29_000;

/** As many whole lines from the beginning as the model may get. */
export function fitLines(lines: readonly string[]): readonly string[] {
  let room = characterLimit;
  const end = lines.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

/** Remarks on what a search could not do. */
export function searchRemarks(end: { readonly unreadable: number; readonly isTimedOut: boolean }): string[] {
  const remarks: string[] = [];
  if (end.isTimedOut)
    remarks.push(`stopped after ${searchTimeout / 1000} s, so there may be more: narrow path or pattern`);
  if (end.unreadable > 0) remarks.push(`${end.unreadable} places could not be read`);
  return remarks;
}
