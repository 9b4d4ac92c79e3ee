/** Turns a line written with the model's indentation into one with the file's. */
export type IndentMapper = (line: string) => string;

/** Finds how indentation differs between requested and found lines; undefined if inconsistent. */
export function indentMapper(
  pairs: readonly (readonly [asked: string, found: string])[],
): IndentMapper | undefined {
  const indents = pairs
    .filter(([asked]) => asked.trim() !== '')
    .map(([asked, found]) => [indentOf(asked), indentOf(found)] as const);
  for (const mapping of [sameIndent, deeperIndent, shallowerIndent, tabsForSpaces, spacesForTabs]) {
    const map = mapping(indents);
    if (map) return (line) => (line.trim() === '' ? line : map(indentOf(line)) + line.trimStart());
  }
  return undefined;
}

type Indents = readonly (readonly [asked: string, found: string])[];
type Mapping = ((indent: string) => string) | undefined;

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function sameIndent(indents: Indents): Mapping {
  return indents.every(([asked, found]) => asked === found) ? (indent) => indent : undefined;
}

function deeperIndent(indents: Indents): Mapping {
  const [asked = '', found = ''] = indents[0] ?? [];
  if (!found.endsWith(asked)) return undefined;
  const more = found.slice(0, found.length - asked.length);
  return indents.every((pair) => pair[1] === more + pair[0]) ? (indent) => more + indent : undefined;
}

function shallowerIndent(indents: Indents): Mapping {
  const [asked = '', found = ''] = indents[0] ?? [];
  if (!asked.endsWith(found)) return undefined;
  const extra = asked.slice(0, asked.length - found.length);
  if (!indents.every((pair) => pair[0] === extra + pair[1])) return undefined;
  return (indent) => (indent.startsWith(extra) ? indent.slice(extra.length) : '');
}

function tabsForSpaces(indents: Indents): Mapping {
  const width = unitWidth(indents);
  if (width === undefined) return undefined;
  return (indent) => '\t'.repeat(Math.floor(indent.length / width)) + ' '.repeat(indent.length % width);
}

function spacesForTabs(indents: Indents): Mapping {
  const width = unitWidth(indents.map(([asked, found]) => [found, asked] as const));
  if (width === undefined) return undefined;
  return (indent) => indent.replaceAll('\t', ' '.repeat(width));
}

/** Number of spaces per tab, if the first of each pair has only spaces and the second only tabs. */
function unitWidth(pairs: Indents): number | undefined {
  const [spaces = '', tabs = ''] = pairs.find(([, second]) => second !== '') ?? [];
  const width = spaces.length / tabs.length;
  if (!Number.isInteger(width) || width === 0) return undefined;
  const fits = pairs.every(
    ([first, second]) => first === ' '.repeat(second.length * width) && /^\t*$/.test(second),
  );
  return fits ? width : undefined;
}
