/** The headings of a document, with their lines. */
export function outlineMarkdown(lines: readonly string[]): readonly string[] {
  const rows: string[] = [];
  let inCode = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode;
    const heading = inCode ? null : /^(#{1,6})\s+(\S.*)$/s.exec(line);
    const title = heading?.[2]
      ?.trimEnd()
      .replace(/(?<!#)#+$/, '')
      .trimEnd();
    const underline = inCode ? null : /^(?:(=+)|-{3,})\s*$/.exec(line);
    const underlined = /^[\p{L}\p{N}*_`"“].*/u.exec(lines[index - 1]?.trim() ?? '')?.[0];
    if (underline && underlined && (lines[index - 2] ?? '').trim() === '')
      rows.push(`${underline[1] === undefined ? '  ' : ''}- ${underlined} (line ${index})`);
    if (heading?.[1] && title)
      rows.push(`${'  '.repeat(heading[1].length - 1)}- ${title} (line ${index + 1})`);
  }
  return rows.length > 0 ? ['Headings:', ...rows] : ['No headings.'];
}
