import { type Frame, type Run, type RunStyle, rowText, type ScreenRow, sameStyle } from './screen-row.ts';

/** Parts of a row that differ from run to run, and what a recording shows in their place. */
const masks: readonly (readonly [RegExp, string])[] = [
  // A release changes no screen but this row.
  [/(?<=^Robota) \d+\.\d+\.\d+\S*$/g, ''],
  // The line with the id and the folder of a session is as long as the temporary directory is.
  [/^[\da-f]{8}-[\da-f-]{27} · .*$/g, '01989f3e-5c1a-7b42-9d06-3f5a8e2c7b14 · /tmp/robota-tour-Xa7Qe2/shop'],
  [/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '01989f3e-5c1a-7b42-9d06-3f5a8e2c7b14'],
  [/\/\S*\/robota-tour-\w{6}/g, '/tmp/robota-tour-Xa7Qe2'],
  [/\b20\d\d-\d\d-\d\d\b/g, '2026-01-31'],
  [/\b\d\d:\d\d\b/g, '10:24'],
  [/\b(?:now|\d+[smh] ago) +(?=(?:no|\d+) (?:file|message)s?\b)/g, 'now   '],
  // Seconds count only while something runs, and quick commands show no time.
  [/(?<=^⟳ .*) \d+s(?= |$)/g, ''],
  [/(?<=^ {2,3}[✓✗⟳] .*) · \d+(?:\.\d+)?s(?= ·|$)/g, ''],
  [/(?<=^ {2}\d+ calls? · )\d+(?:\.\d+)?s/g, '2.4s'],
  // Git is asked some time after a run whether there are changes.
  [/(?= shop · main\* )/g, ' '],
  [/(?<= shop · main)\*(?= )/g, ''],
];

/** A frame without what differs from run to run: times, ids, versions and temporary folders. */
export function normalizeFrame({ rows, cursor }: Frame): Frame {
  return { rows: rows.map(normalizeRow), cursor };
}

function normalizeRow(row: ScreenRow): ScreenRow {
  const masked = masks.reduce((rest, [pattern, shown]) => replaceIn(rest, pattern, shown), row);
  const last = masked.at(-1);
  if (last?.ground === undefined || masked === row) return masked;
  // A coloured row ends where it did.
  const missing = rowText(row).length - rowText(masked).length;
  const length = Math.max(last.text.trimEnd().length, last.text.length + missing);
  return [...masked.slice(0, -1), { ...last, text: last.text.trimEnd().padEnd(length) }];
}

/** Replaces parts of the text of a row, whatever styles they have; the new text has the style of the first character. */
function replaceIn(row: ScreenRow, pattern: RegExp, shown: string): ScreenRow {
  const text = rowText(row);
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return row;
  const characters = row.flatMap(({ text: of, ...style }) =>
    of.split('').map((character) => ({ character, style })),
  );
  for (const match of matches.toReversed()) {
    const style = characters[match.index]?.style ?? {};
    const replaced = shown.split('').map((character) => ({ character, style }));
    characters.splice(match.index, match[0].length, ...replaced);
  }
  return joinCharacters(characters);
}

function joinCharacters(
  characters: readonly { readonly character: string; readonly style: RunStyle }[],
): ScreenRow {
  const runs: Run[] = [];
  for (const { character, style } of characters) {
    const last = runs.at(-1);
    if (last && sameStyle(last, style)) runs[runs.length - 1] = { ...last, text: last.text + character };
    else runs.push({ text: character, ...style });
  }
  return runs;
}
