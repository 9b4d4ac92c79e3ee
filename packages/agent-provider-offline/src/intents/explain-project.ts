import { isJsonObject } from '@robota-sdk/agent-core';
import { countFiles, type FileCounts } from '../engine/count-files.ts';
import { explainFailure } from '../engine/explain-failure.ts';
import { countText } from '../engine/folder-summary.ts';
import { failed, makeCall, type Plan, type PlannedCall, type Steps } from '../engine/plan.ts';
import { parseFile, parsePaths } from '../engine/tool-output.ts';
import { declaredNames } from '../outline/outline-code.ts';
import { outlineMarkdown } from '../outline/outline-markdown.ts';
import { jsonIn, manifestDescriptions } from './describe-manifest.ts';
import type { Intent, IntentContext } from './intent.ts';

const project = '(project|repo|repository|codebase|code base|app|application|program|package|workspace|code)';
const manifests = Object.keys(manifestDescriptions);

/** "what is this project". */
export const explainProjectIntent: Intent = {
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
    `[(explain|describe|show|give|what is|what's)] [me] [overview of] architecture [of ${project}]`,
    `how (do|can|should) (i|we|you) (run|start|use|install|launch|set up) [(${project}|this|it)]`,
    `(what is|what's|where is|where's|find|show) [main] (entry point|entry points|entrypoint|entry) [(of|in) ${project}]`,
    '(what|which) [programming] (language|languages|dependencies|libraries|framework|frameworks|license|licence) (is|are|does|do) {rest:text}',
    "(what is|what's|show|list) (version|language|languages|dependencies|license|licence|tech stack)",
    '(what|which) version is (this|it)',
  ],
  plan: (_captures, context) => describeProject(context),
};

/** Files that programs usually begin with, at the root, in its source folder, or where Go, Python and Rust have them. */
const entryNames = '{index,main,cli,app,server,lib,mod}.{js,mjs,cjs,jsx,ts,tsx,py,go,rs,rb,php}';
const entryPatterns = [
  entryNames,
  `src/${entryNames}`,
  '{cmd/*/main.go,{*,src/*}/__main__.py,src/*/{app,cli,main}.py,crates/*/{src/main,main}.rs}',
];
/** The same for a package of a workspace, with the files of commands. */
const memberNames = '{bin,cli,main,server,app,index}.{js,mjs,cjs,ts,tsx}';
const mostEntries = 3;
const mostMembers = 8;
const mostNames = 6;

function* describeProject({ tools }: IntentContext): Plan {
  const listing = yield* makeCall('Glob', { pattern: '**/*' });
  if (listing.isError) return failed(explainFailure('Glob', listing));
  const top = yield* makeCall('Glob', { pattern: '*' });
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
  const manifest = results[wanted.indexOf('package.json')];
  const members = manifest && !manifest.isError ? workspacesIn(parseFile(manifest).lines) : [];
  const entries = yield* describeEntries(members);
  const counts = yield* countFiles(all, { tools });
  return { text: [...rows, ...entries, ...describeFiles(counts)].join('\n') };
}

/** The first files of a program, with the names that they declare. */
function* describeEntries(workspaces: readonly string[]): Steps<readonly string[]> {
  const patterns = [
    ...entryPatterns,
    ...workspaces.flatMap((folder) => [`${folder}/src/${memberNames}`, `${folder}/${memberNames}`]),
  ];
  const found = yield { calls: patterns.map((pattern) => ({ tool: 'Glob', input: { pattern } })) };
  const paths = found.map((result) => (result.isError ? [] : parsePaths(result).paths));
  const own = paths.slice(0, entryPatterns.length).flat().slice(0, mostEntries);
  // Commands say more of a workspace than the many modules that others import.
  const members = paths.slice(entryPatterns.length).flat().sort(byKind);
  const all = [...new Set([...own, ...members])];
  const read = all.slice(0, workspaces.length === 0 ? mostEntries : mostMembers);
  if (read.length === 0) return [];
  const files = yield {
    calls: read.map((path): PlannedCall => ({ tool: 'Read', input: { file_path: path } })),
  };
  const rows = read.map((path, index) => {
    const file = files[index];
    const names = file && !file.isError ? declaredNames(parseFile(file).lines) : [];
    const more = names.length > mostNames ? ', …' : '';
    const declared = names.slice(0, mostNames).map((name) => `\`${name}\``);
    return `- \`${path}\`${names.length === 0 ? '' : ` declares ${declared.join(', ')}${more}`}`;
  });
  const rest = all.length - read.length;
  return ['Entry points:', ...rows, ...(rest > 0 ? [`- ${countText(rest, 'more file')}`] : []), ''];
}

function byKind(one: string, other: string): number {
  const isModule = (path: string) => Number(/(?:^|\/)index\.\w+$/.test(path));
  return isModule(one) - isModule(other);
}

/** The folders of a workspace of npm, as patterns. */
function workspacesIn(lines: readonly string[]): readonly string[] {
  const { workspaces } = jsonIn(lines) ?? {};
  const list = isJsonObject(workspaces) ? workspaces.packages : workspaces;
  if (!Array.isArray(list)) return [];
  return list.flatMap((each) =>
    typeof each === 'string' && !each.startsWith('!') ? [each.replace(/^\.\//, '')] : [],
  );
}

function isReadme(path: string): boolean {
  return /^readme(\.(md|markdown|txt|rst))?$/i.test(path);
}

function describeFile(path: string, lines: readonly string[]): readonly string[] {
  if (isReadme(path)) return describeReadme(path, lines);
  return manifestDescriptions[path]?.(lines) ?? [`\`${path}\``];
}

function describeReadme(path: string, lines: readonly string[]): readonly string[] {
  const paragraphs = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((text) => text.trim().replace(/^[^\n]+\n(?:=+|-+)(?:\n|$)/, ''));
  const prose = paragraphs.find((text) => /^[\p{L}*_`"“]/u.test(text));
  const outline = outlineMarkdown(lines).slice(0, 20);
  if (prose === undefined) return outline.length === 0 ? [] : [`\`${path}\`:`, ...outline];
  const quotation = prose
    .split('\n')
    .map((line) => `> ${line}`)
    .slice(0, 8);
  return [`\`${path}\` begins:`, ...quotation, '', ...outline];
}

function describeFiles({ total, listed, folders: counts, kinds }: FileCounts): readonly string[] {
  const common = [...kinds]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 6)
    .map(([kind, count]) => `${count.toLocaleString('en-US')} .${kind}`);
  const folders = [...counts].map(([folder, count]) => `- ${folder}: ${countText(count, 'file')}`);
  const part = total > listed ? `; the first ${listed.toLocaleString('en-US')} by folder` : '';
  const ofKinds = common.length === 0 ? '' : ` (${common.join(', ')})`;
  return [`${countText(total, 'file')}${part}${ofKinds}:`, ...folders];
}
