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
    if (heading?.[1] && title)
      rows.push(`${'  '.repeat(heading[1].length - 1)}- ${title} (line ${index + 1})`);
  }
  return rows.length > 0 ? ['Headings:', ...rows] : ['No headings.'];
}
