/** A command, option or subcommand, and what it does. */
export type HelpRow = readonly [syntax: string, description: string];

/** Rows of a help in two columns; a wide first column gets a separate line. */
export function helpRows(rows: readonly HelpRow[], indent = ''): string {
  const width = Math.min(widest, Math.max(0, ...rows.map(([syntax]) => syntax.length)));
  return rows
    .map(([syntax, description]) =>
      syntax.length > width
        ? `${indent}${syntax}\n${indent}${' '.repeat(width)}  ${description}`
        : `${indent}${syntax.padEnd(width)}  ${description}`.trimEnd(),
    )
    .join('\n');
}

const widest = 40;
