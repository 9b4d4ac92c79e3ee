/** Text as a fenced block that nothing inside can end. */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Markdown whose last fence is closed, so that what follows is not taken for code. */
export function closedFences(text: string): string {
  let open: { readonly sign: string; readonly length: number } | undefined;
  for (const line of text.split('\n')) {
    const [, run = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
    const sign = run[0];
    if (sign === undefined) continue;
    if (!open && !(sign === '`' && rest.includes('`'))) open = { sign, length: run.length };
    else if (open && sign === open.sign && run.length >= open.length && rest.trim() === '') open = undefined;
  }
  return open ? `${text}${text.endsWith('\n') ? '' : '\n'}${open.sign.repeat(open.length)}` : text;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
