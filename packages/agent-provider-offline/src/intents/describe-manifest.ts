import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@robota-sdk/agent-core';

/** Descriptions of a project by its manifest, for each name of such a file. */
export const manifestDescriptions: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> =
  {
    'package.json': describePackage,
    'pyproject.toml': (lines) => describeToml('pyproject.toml', lines),
    'Cargo.toml': (lines) => describeToml('Cargo.toml', lines),
    'go.mod': describeGoModule,
    Makefile: describeMakefile,
    'composer.json': describeComposer,
    Gemfile: describeGemfile,
  };

/** An object of JSON; nothing if it is no such text. */
export function jsonIn(lines: readonly string[]): JsonObject | undefined {
  const value = parseJson(lines.join('\n'));
  return isJsonObject(value) ? value : undefined;
}

const mostDependencies = 15;

function listRow(title: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length > mostDependencies ? ', …' : '';
  return [`- ${title}: ${names.slice(0, mostDependencies).join(', ')}${more}`];
}

function describePackage(lines: readonly string[]): readonly string[] {
  const value = jsonIn(lines);
  if (value === undefined) return ['`package.json` is not valid JSON.'];
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : undefined);
  const fact = (key: string) => (text(key) === undefined ? [] : [`- ${key}: ${text(key)}`]);
  const entries = entriesOf(value);
  return [
    `\`package.json\`: ${[text('name'), text('version')].filter(Boolean).join(' ')}`,
    ...(text('description') === undefined ? [] : [`- ${text('description')}`]),
    ...(entries.length === 0 ? [] : [`- entry points: ${entries.join(', ')}`]),
    ...fact('license'),
    ...(keysOf(value, 'scripts').length === 0 ? [] : [`- scripts: ${keysOf(value, 'scripts').join(', ')}`]),
    ...['dependencies', 'devDependencies'].flatMap((kind) => listRow(kind, keysOf(value, kind))),
  ];
}

/** The commands and the main module of a package. */
function entriesOf({ bin, main, module, exports, name }: JsonObject): readonly string[] {
  const commands = isJsonObject(bin) ? Object.entries(bin) : bin === undefined ? [] : [[name, bin] as const];
  const named = commands.flatMap(([command, file]) =>
    typeof file === 'string' ? [`\`${file}\` (command \`${String(command)}\`)`] : [],
  );
  const root = isJsonObject(exports) ? (exports['.'] ?? exports) : exports;
  const files = [main, module, exportedFile(root)].filter((file) => typeof file === 'string');
  return [...named, ...[...new Set(files)].map((file) => `\`${file}\``)];
}

/** The file of an entry of `exports`, whatever its conditions are; types are no program. */
function exportedFile(entry: JsonValue | undefined): string | undefined {
  if (!isJsonObject(entry)) return typeof entry === 'string' ? entry : undefined;
  const conditions = ['import', 'node', 'default', 'require'].map((key) => entry[key]);
  return conditions.map(exportedFile).find((file) => file !== undefined);
}

function keysOf(value: JsonObject, key: string): readonly string[] {
  const entry = value[key];
  return isJsonObject(entry) ? Object.keys(entry) : [];
}

/** A package of Rust or Python. */
function describeToml(path: string, lines: readonly string[]): readonly string[] {
  const entries = tomlEntries(lines);
  const own = entries.filter(({ table }) =>
    /^(?:package|project|tool\.poetry|workspace\.package)$/.test(table),
  );
  const text = (key: string) => own.find((entry) => entry.key === key && entry.texts.length === 1)?.texts[0];
  const fact = (key: string) => (text(key) === undefined ? [] : [`- ${key}: ${text(key)}`]);
  const inTable = (pattern: RegExp) => entries.filter(({ table }) => pattern.test(table));
  const commands = [
    ...inTable(/^(?:project\.scripts|tool\.poetry\.scripts)$/),
    ...inTable(/^bin$/).filter(({ key }) => key === 'name'),
  ];
  const listed = own.find(({ key }) => key === 'dependencies')?.texts ?? [];
  return [
    `\`${path}\`: ${[text('name'), text('version')].filter(Boolean).join(' ')}`.trimEnd(),
    ...(text('description') === undefined ? [] : [`- ${text('description')}`]),
    ...listRow(
      'commands',
      commands.map(({ key, texts }) => (key === 'name' ? (texts[0] ?? key) : key)),
    ),
    ...['license', 'edition', 'requires-python'].flatMap(fact),
    ...listRow('dependencies', [
      ...listed.flatMap((each) => /^[\w.-]+/.exec(each)?.[0] ?? []),
      ...inTable(/^(?:tool\.poetry\.)?dependencies$/).flatMap(({ key }) => (key === 'python' ? [] : [key])),
    ]),
    ...listRow(
      'dev-dependencies',
      inTable(/^dev-dependencies$/).map(({ key }) => key),
    ),
  ];
}

interface TomlEntry {
  readonly table: string;
  readonly key: string;
  /** Its texts: one, or those of a list. */
  readonly texts: readonly string[];
}

/** The entries of a file in TOML whose values are short texts or lists of them; others have no texts. */
function tomlEntries(lines: readonly string[]): readonly TomlEntry[] {
  const entries: (TomlEntry & { texts: string[] })[] = [];
  let table = '';
  let isInList = false;
  for (const line of lines.map((each) => each.trim())) {
    const [, key, value = ''] = /^([\w"-][\w."-]*)[ \t]*=(.*)$/.exec(line) ?? [];
    const header = /^\[\[?([^[\]]+)\]/.exec(line)?.[1];
    if (!isInList && header !== undefined) table = header.trim();
    else if (isInList) entries.at(-1)?.texts.push(...quotedTexts(line));
    else if (key !== undefined) entries.push({ table, key, texts: textsOf(value.trim()) });
    if (!isInList && key !== undefined) isInList = value.trim().startsWith('[');
    if (line.split(' #')[0]?.trimEnd().endsWith(']')) isInList = false;
  }
  return entries;
}

function textsOf(value: string): string[] {
  if (value.startsWith('{') || /^(?:"""|''')/.test(value)) return [];
  return value.startsWith('[') ? quotedTexts(value) : quotedTexts(value).slice(0, 1);
}

function quotedTexts(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '');
}

function describeGoModule(lines: readonly string[]): readonly string[] {
  const value = (word: string) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  const required = lines.filter((line) => !line.includes('// indirect'));
  return [
    `\`go.mod\`: ${value('module') ?? ''}`.trimEnd(),
    ...(value('go') === undefined ? [] : [`- go: ${value('go')}`]),
    ...listRow(
      'dependencies',
      required.flatMap((line) => /^(?:\t|require )([^\s"()]+) v\d/.exec(line)?.[1] ?? []),
    ),
  ];
}

function describeMakefile(lines: readonly string[]): readonly string[] {
  const targets = lines.flatMap((line) => /^([\w-]+):(?!=)/.exec(line)?.[1] ?? []);
  return [`\`Makefile\` targets: ${targets.slice(0, 20).join(', ') || 'none'}`];
}

function describeComposer(lines: readonly string[]): readonly string[] {
  const value = jsonIn(lines);
  if (value === undefined) return ['`composer.json` is not valid JSON.'];
  const { name, description, license } = value;
  return [
    `\`composer.json\`: ${typeof name === 'string' ? name : ''}`.trimEnd(),
    ...(typeof description === 'string' ? [`- ${description}`] : []),
    ...(typeof license === 'string' ? [`- license: ${license}`] : []),
    ...listRow('dependencies', keysOf(value, 'require')),
  ];
}

function describeGemfile(lines: readonly string[]): readonly string[] {
  const gems = lines.flatMap((line) => /^[ \t]*gem ["']([\w-]+)["']/.exec(line)?.[1] ?? []);
  return ['`Gemfile`:', ...listRow('dependencies', gems)];
}
