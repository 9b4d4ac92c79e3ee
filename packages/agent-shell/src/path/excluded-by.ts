/** The pathspec that git leaves out by another one, `:!x` or `:(exclude)x`; undefined for one that does not exclude. */
export function excludedBy(text: string | undefined): string | undefined {
  const fromTop = /^:(?:[!^]\/|\/[!^]|\((?:top,exclude|exclude,top)\))(.*)$/s.exec(text ?? '')?.[1];
  if (fromTop !== undefined) return `:/${fromTop}`;
  return /^:(?:[!^]|\(exclude\))(.*)$/s.exec(text ?? '')?.[1];
}
