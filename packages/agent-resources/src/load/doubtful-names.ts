import {
  builtInToolNames,
  didYouMean,
  nearest,
  orElse,
  type Problem,
  readRegularFileSync,
  resolveModel,
  warning,
} from '@robota-sdk/agent-core';
import type { NamesInFile } from '../files/names-in-file.ts';
import { ourToolName } from '../skills/skill-rules.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';

/** The names that exist. */
export interface KnownNames {
  readonly tools: readonly string[];
  readonly agents: readonly string[];
  readonly config: Pick<LoadedConfig, 'catalogue' | 'profiles'>;
}

/** One problem for each file with unknown names, at the line of the first: most are typing errors. */
export function doubtfulNames(files: readonly NamesInFile[], known: KnownNames): Problem[] {
  return files.flatMap((file) => {
    const doubts = [
      ...toolDoubts(file.tools, known),
      modelDoubt(file.model, known),
      agentDoubt(file.agent, known),
    ].filter((doubt) => doubt !== undefined);
    const text = doubts.length === 0 ? '' : readText(file.path);
    const [first, ...others] = doubts.map((doubt) => ({ ...doubt, line: lineOf(doubt.name, text) }));
    if (!first) return [];
    const rest = others.map((other) =>
      other.line === first.line ? ` ${other.text}` : ` Line ${other.line}: ${other.text}`,
    );
    const source = { file: file.path, line: first.line };
    return [warning('name.unknown', `${first.text}${rest.join('')}`, { subject: first.name, source })];
  });
}

/** Several unknown tools of one file share one warning. */
function toolDoubts(rules: readonly string[], known: KnownNames): readonly Doubt[] {
  const doubts = rules.map((rule) => toolDoubt(rule, known)).filter((doubt) => doubt !== undefined);
  const unique = doubts.filter(({ name }, index) => doubts.findIndex((each) => each.name === name) === index);
  const unknown = unique.filter(({ near }) => near === undefined);
  if (unknown.length < 2) return unique;
  const names = unknown.map(({ name }) => `"${name}"`).join(', ');
  const [{ name } = { name: '' }] = unknown;
  const joined = { name, text: `Unknown tools ${names}. They apply once something adds them.` };
  return [...unique.filter(({ near }) => near !== undefined), joined];
}

interface Doubt {
  readonly name: string;
  readonly text: string;
  /** The closest existing name. */
  readonly near?: string | undefined;
}

/** Tools of Claude Code that have no counterpart here: files that are shared with it may name them. */
const foreignTools = new Set(
  (
    'bashoutput killshell killbash exitplanmode enterplanmode todoread taskoutput taskstop taskcreate taskget tasklist ' +
    'taskupdate toolsearch lsp listmcpresources listmcpresourcestool readmcpresource readmcpresourcetool ' +
    'readmcpresourcedir refreshmcptools notebookread sendmessage teamcreate teamdelete workflow croncreate crondelete ' +
    'cronlist schedulewakeup remotetrigger monitor enterworktree exitworktree pushnotification artifact'
  ).split(' '),
);

function toolDoubt(rule: string, { tools }: KnownNames): Doubt | undefined {
  const name = (rule.split('(')[0] ?? '').trim();
  const lower = name.toLowerCase();
  // Servers may be added and removed during a session.
  if (name === '' || name.includes('*') || lower.startsWith('mcp__') || foreignTools.has(lower))
    return undefined;
  if (ourToolName(name) !== undefined || tools.some((tool) => tool.toLowerCase() === lower)) return undefined;
  const [near] = nearest(name, [...tools, ...builtInToolNames]);
  const hint = near === undefined ? 'It applies once something adds it.' : `Did you mean "${near}"?`;
  return { name, near, text: `Unknown tool "${name}". ${hint}` };
}

function modelDoubt(name: string | undefined, { config }: KnownNames): Doubt | undefined {
  if (name === undefined || name === 'inherit' || name === 'default') return undefined;
  const { catalogue, profiles } = config;
  const resolution = resolveModel(name, { catalogue, profiles });
  if (resolution.ok) return undefined;
  return { name, text: resolution.error };
}

function agentDoubt(name: string | undefined, { agents }: KnownNames): Doubt | undefined {
  if (name === undefined || agents.includes(name)) return undefined;
  const hint = didYouMean(name, agents, '"') ?? `Available: ${agents.join(', ')}.`;
  return { name, text: `Unknown agent "${name}". ${hint}` };
}

function readText(path: string): string {
  return orElse(() => readRegularFileSync(path).toString(), '');
}

function lineOf(name: string, text: string): number | undefined {
  const index = text.split('\n').findIndex((line) => line.includes(name));
  return index < 0 ? undefined : index + 1;
}
