import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { explainFailure } from '../engine/explain-failure.ts';
import { countByFolder, countOf } from '../engine/folder-summary.ts';
import { callTool, failed, type Plan, type PlannedCall } from '../engine/plan.ts';
import { type FoundPaths, parseFile, parsePaths } from '../engine/tool-output.ts';
import { outlineMarkdown } from '../outline/outline-markdown.ts';
import type { Intent } from './intent.ts';

const project = '(project|repo|repository|codebase|code base|app|application|program|package|workspace|code)';
const manifests = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'Makefile',
  'composer.json',
  'Gemfile',
  'pom.xml',
];

/** "what is this project". */
export const explainProject: Intent = {
  name: 'explain the project',
  examples: ['what is this project', 'explain this repo'],
  patterns: [
    `(explain|describe|summarize|summarise|outline|analyze|analyse|introduce) ${project} [to me]`,
    `(what is|what's|whats) ${project} [about]`,
    `what does ${project} do`,
    'what (does this do|is this|is this about|is here)',
    `(give|show|get) [me] (overview|summary) [(of|about) ${project}]`,
    `tell me about ${project}`,
    'overview',
    `(explain|describe) structure [of ${project}]`,
    `how is ${project} (organized|organised|structured)`,
  ],
  plan: describeProject,
};

function* describeProject(): Plan {
  const listing = yield* callTool('Glob', { pattern: '**/*' });
  if (listing.isError) return failed(explainFailure('Glob', listing));
  const top = yield* callTool('Glob', { pattern: '*' });
  const all = parsePaths(listing);
  const topFiles = parsePaths(top).paths;
  const wanted = [
    ...topFiles.filter(isReadme).slice(0, 1),
    ...manifests.filter((name) => topFiles.includes(name)),
  ];
  const calls = wanted.map((path): PlannedCall => ({ tool: 'Read', input: { file_path: path } }));
  const results = calls.length > 0 ? yield { calls } : [];
  const rows = results.flatMap((result, index) => {
    const path = wanted[index] ?? '';
    if (result.isError) return [explainFailure(`Reading ${path}`, result), ''];
    return [...describeFile(path, parseFile(result).lines), ''];
  });
  if (all.paths.length === 0) return { text: 'This folder holds no files (apart from ignored ones).' };
  return { text: [...rows, ...describeFiles(all)].join('\n') };
}

function isReadme(path: string): boolean {
  return /^readme(\.(md|markdown|txt|rst))?$/i.test(path);
}

function describeFile(path: string, lines: readonly string[]): readonly string[] {
  if (isReadme(path)) return describeReadme(path, lines);
  if (path === 'package.json') return describePackage(lines);
  if (path === 'Makefile') return describeMakefile(lines);
  const facts = lines.filter((line) =>
    /^(name|version|description|module|edition|requires-python)\b/.test(line.trim()),
  );
  return [`\`${path}\`:`, ...facts.slice(0, 6).map((line) => `- ${line.trim()}`)];
}

function describeReadme(path: string, lines: readonly string[]): readonly string[] {
  const paragraphs = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((text) => text.trim());
  const prose = paragraphs.find((text) => /^[\p{L}*_`"“]/u.test(text));
  const outline = outlineMarkdown(lines).slice(0, 20);
  if (prose === undefined) return outline.length === 0 ? [] : [`\`${path}\`:`, ...outline];
  const quotation = prose
    .split('\n')
    .map((line) => `> ${line}`)
    .slice(0, 8);
  return [`\`${path}\` begins:`, ...quotation, '', ...outline];
}

function describePackage(lines: readonly string[]): readonly string[] {
  let value: JsonValue;
  try {
    value = JSON.parse(lines.join('\n')) as JsonValue;
  } catch {
    return ['`package.json` is not valid JSON.'];
  }
  if (!isJsonObject(value)) return [];
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : undefined);
  const rows = [`\`package.json\`: ${[text('name'), text('version')].filter(Boolean).join(' ')}`];
  if (text('description') !== undefined) rows.push(`- ${text('description')}`);
  const scripts = keysOf(value, 'scripts');
  if (scripts.length > 0) rows.push(`- scripts: ${scripts.join(', ')}`);
  for (const kind of ['dependencies', 'devDependencies']) {
    const names = keysOf(value, kind);
    if (names.length > 0)
      rows.push(`- ${kind}: ${names.slice(0, 15).join(', ')}${names.length > 15 ? ', …' : ''}`);
  }
  return rows;
}

function keysOf(value: JsonObject, key: string): readonly string[] {
  const entry = value[key];
  return isJsonObject(entry) ? Object.keys(entry) : [];
}

function describeMakefile(lines: readonly string[]): readonly string[] {
  const targets = lines.flatMap((line) => /^([\w-]+):(?!=)/.exec(line)?.[1] ?? []);
  return [`\`Makefile\` targets: ${targets.slice(0, 20).join(', ') || 'none'}`];
}

function describeFiles({ paths, total }: FoundPaths): readonly string[] {
  const kinds = new Map<string, number>();
  for (const path of paths) {
    const kind = /[^/]\.([a-z\d]+)$/i.exec(path)?.[1];
    if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const common = [...kinds]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([kind, count]) => `${count} .${kind}`);
  const folders = [...countByFolder(paths)].map(
    ([folder, count]) => `- ${folder}: ${countOf(count, 'file')}`,
  );
  const part = total > paths.length ? `; the first ${paths.length.toLocaleString('en-US')} by folder` : '';
  return [`${countOf(total, 'file')} (${common.join(', ')})${part}:`, ...folders];
}
