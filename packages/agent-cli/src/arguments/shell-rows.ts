import { type CommandRow, isOn, promptRows } from '@robota-sdk/agent-sdk/front-end';
import { adviceFor } from './advice.ts';
import { fleetCommandRows } from './fleet-command-rows.ts';
import { withProgram } from './program-name.ts';
import { programRows } from './program-rows.ts';
import { webRow } from './web-row.ts';

const json = { name: 'json', description: 'Print JSON' } as const;
const cwd = { name: 'cwd', value: 'DIR', description: 'Use the project in DIR' } as const;
const shell: Pick<CommandRow, 'needs' | 'during' | 'where'> = { needs: [], during: 'idle', where: ['shell'] };

/** `robota sessions`. */
export const sessionsRow: CommandRow = {
  ...shell,
  name: 'sessions',
  description: 'Find and manage stored sessions',
  subcommands: [
    { name: 'list', description: 'List the sessions in this directory, newest first' },
    { name: 'show', argumentHint: 'ID', description: 'Print a session' },
    {
      name: 'search',
      argumentHint: 'WORDS',
      description: 'Search sessions for all the words and print matching lines',
    },
    {
      name: 'name',
      argumentHint: 'ID "NAME"',
      description: 'Name a session; an empty name removes it',
    },
    { name: 'delete', argumentHint: 'ID…', description: 'Delete sessions and their files' },
    {
      name: 'export',
      argumentHint: 'ID',
      description: 'Export a session as .html (a self-contained page), .md or .jsonl',
    },
    {
      name: 'import',
      argumentHint: 'PATH…',
      description: 'Import session files or directories of other agents',
      variants: [
        {
          argumentHint: '--from PROGRAM',
          description: "Import this directory's sessions from another program",
        },
      ],
    },
  ],
  options: [
    { name: 'all', description: 'Include sessions of all directories' },
    { name: 'cwd', value: 'DIR', description: 'Use the sessions of DIR' },
    {
      name: 'database',
      value: 'URL',
      description: 'Use the Postgres of a fleet; fleet: the one in ROBOTA_FLEET',
      of: ['list', 'show', 'search', 'name', 'delete', 'export'],
    },
    { ...json, of: ['list', 'show', 'search', 'name', 'delete', 'import'] },
    {
      name: 'limit',
      value: 'N',
      description: 'Print at most N; 0 prints all (default: 20, all with --json)',
      of: ['list', 'search'],
    },
    {
      name: 'since',
      value: 'WHEN',
      description: 'Only sessions used since a date (2026-01-31) or within a time (12h, 7d, 2w)',
      of: ['list', 'search'],
    },
    {
      name: 'role',
      value: 'ROLE',
      choices: ['user', 'assistant', 'tool'],
      description: 'Only messages of this role: user, assistant or tool',
      of: ['search'],
    },
    { name: 'tool', value: 'NAME', description: 'Only calls and results of this tool', of: ['search'] },
    { name: 'full', description: 'Do not truncate output', of: ['show'] },
    { name: 'follow', description: 'Keep printing as the session grows', of: ['show'] },
    { name: 'yes', description: 'Skip confirmation', of: ['delete'] },
    {
      name: 'from',
      value: 'PROGRAM',
      choices: ['claude', 'codex', 'opencode', 'gemini', 'pi', 'rab', 'eidolon'],
      description: 'Program to import from: claude, codex, opencode, gemini, pi, rab or eidolon',
      of: ['import'],
    },
    { name: 'dry-run', description: 'Print what would be imported, without importing', of: ['import'] },
    { name: 'again', description: 'Import sessions again that were imported before', of: ['import'] },
    {
      name: 'output',
      value: 'FILE',
      description: 'Output file; its extension selects the format, - is standard output',
      of: ['export'],
    },
    {
      name: 'format',
      value: 'FORMAT',
      choices: ['html', 'md', 'jsonl'],
      description: 'Output format: html (default), md or jsonl',
      of: ['export'],
    },
    {
      name: 'all-branches',
      description: 'Include every branch in Markdown; html and jsonl always do',
      of: ['export'],
    },
    { name: 'raw', description: 'Do not redact secrets in JSONL', of: ['export'] },
    { name: 'force', description: 'Overwrite an existing file', of: ['export'] },
  ],
  notes: `ID is an id, a name, a prefix of one, a session file, or (except for delete) text that only one session contains.
Searches ignore case and match parts of words. Quote a phrase: search '"not found" config'.`,
};

/** `robota login`. */
export const loginRow: CommandRow = {
  ...shell,
  name: 'login',
  description: 'Store the API key of a vendor in ~/.robota/auth.json, readable only by you',
  argumentHint: '[VENDOR]',
  options: [
    { name: 'list', description: 'List the vendors and the source of each key' },
    { name: 'key-from-stdin', description: 'Read the key from standard input' },
    { name: 'no-check', description: 'Store the key without testing it' },
    { ...json, description: 'Print JSON (with --list)' },
  ],
  notes:
    'A key is tested with one small request before it is stored. Browser login (OAuth) is not supported.',
};

/** `robota doctor`. */
export const doctorRow: CommandRow = {
  ...shell,
  name: 'doctor',
  description: 'Check the setup and print how to fix problems',
  options: [
    { name: 'model', value: 'MODEL', description: 'Test this model only, with three small requests' },
    { name: 'fix', description: 'Apply the recommended settings and test again (with --model)' },
    cwd,
    { name: 'no-network', description: 'Do not contact servers' },
    json,
  ],
  notes: `Checks versions, models, settings, trust, tools, MCP servers, storage, terminal and startup.
Exits with 1 if a problem prevents Robota from working.`,
};

/** `robota usage`. */
const usageRow: CommandRow = {
  ...shell,
  name: 'usage',
  description: 'Show tokens and cost by day, project, model, agent and tool',
  options: [
    { name: 'since', value: 'WHEN', description: 'First day: a date (2026-01-31) or a time ago (7d, 2w)' },
    { name: 'until', value: 'WHEN', description: 'Last day' },
    { name: 'project', value: 'DIR', description: 'Only sessions in DIR and its subdirectories' },
    {
      name: 'by',
      value: 'WHAT',
      choices: ['day', 'project', 'model', 'agent', 'tool', 'purpose', 'cache-break'],
      description: 'Print one full table: day, project, model, agent, tool, purpose, cache-break',
    },
    json,
    { name: 'csv', description: 'Print comma-separated values' },
    {
      name: 'database',
      value: 'URL',
      description: 'Use the Postgres of a fleet; fleet: the one in ROBOTA_FLEET',
    },
  ],
  notes: `Includes answers, subagents, summaries, titles, hooks and side questions of all stored sessions and the local fleet.
Days are in local time.`,
};

/** Everything that can follow `robota`. */
export const shellRows: readonly CommandRow[] = [
  ...promptRows.filter((row) => isOn(row, 'shell')),
  sessionsRow,
  usageRow,
  loginRow,
  {
    ...shell,
    name: 'logout',
    description: 'Remove the API key of a vendor from ~/.robota/auth.json',
    argumentHint: 'VENDOR',
  },
  doctorRow,
  {
    ...shell,
    name: 'local',
    description: 'Start a session with a model of a server that runs on this machine',
    argumentHint: '[MODEL] [OPTIONS]',
    notes: `MODEL is a model of Ollama, llama.cpp or LM Studio (default: from the settings, or the only one).
OPTIONS are session options such as -p PROMPT.`,
  },
  {
    ...shell,
    name: 'demo',
    description: 'Take a two-minute tour with a scripted model: no key, no network',
    options: [{ name: 'keep', description: 'Keep the directory of the tour' }],
    notes: 'The tour runs in a temporary directory. Press Esc to leave at any time.',
  },
  {
    ...shell,
    name: 'schema',
    description: 'Print the JSON Schemas of input and output formats',
    argumentHint: '[NAME]',
    options: [{ name: 'list', description: 'List the schemas with a description' }],
    notes: 'Without NAME, prints all schemas under "$defs".',
  },
  {
    ...shell,
    name: 'completion',
    description: 'Print a shell completion script',
    argumentHint: 'bash|zsh|fish',
    notes: `bash: add  source <(robota completion bash)  to ~/.bashrc
zsh:  add  source <(robota completion zsh)  to ~/.zshrc
fish: robota completion fish > ~/.config/fish/completions/robota.fish`,
  },
  {
    ...shell,
    name: 'man',
    description: 'Print the manual page; view it with: robota man | man -l -',
  },
  {
    ...shell,
    name: 'acp',
    description: 'Run as an agent for editors: Zed, JetBrains, Neovim (docs/acp.md)',
    argumentHint: '[options]',
    notes: `Editors start this command and use the Agent Client Protocol. It accepts session options such as --model, --permission-mode,
--allow, --deny, --sandbox, --thinking and --trust-project. The editor chooses directories and sessions.`,
  },
  webRow,
  ...programRows,
  ...fleetCommandRows,
];

/** The row of a command by its name. */
export function findShellRow(name: string): CommandRow | undefined {
  return shellRows.find((row) => row.name === name);
}

/** The replacement for a slash command that is unknown here: a command of the shell, or of another agent. */
export function commandAdvice(name: string): string | undefined {
  const row = findShellRow(name);
  if (row === undefined) return adviceFor(`/${name}`);
  return withProgram(`{program} ${name}, outside of a session: ${row.description}.`);
}
