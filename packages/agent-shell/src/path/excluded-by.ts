/** The pathspec that `:!x` or `:(exclude)x` excludes; undefined if it does not exclude. */
export function excludedBy(text: string | undefined): string | undefined {
  const fromTop = /^:(?:[!^]\/|\/[!^]|\((?:top,exclude|exclude,top)\))(.*)$/s.exec(text ?? '')?.[1];
  if (fromTop !== undefined) return `:/${fromTop}`;
  return /^:(?:[!^]|\(exclude\))(.*)$/s.exec(text ?? '')?.[1];
}
