import { type CommandRow, isOn, promptRows } from '@robota-sdk/agent-sdk/front-end';
import { fleetRows } from './fleet-rows.ts';
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
    { name: 'list', description: 'List the sessions of this directory, newest first' },
    { name: 'show', argumentHint: 'ID', description: 'Print a session; --follow waits for more' },
    {
      name: 'search',
      argumentHint: 'WORDS',
      description: 'Find sessions that contain all the words, with the matching lines',
    },
    {
      name: 'name',
      argumentHint: 'ID "NAME"',
      description: 'Name a session; an empty name removes it',
    },
    { name: 'delete', argumentHint: 'ID…', description: 'Delete sessions with all their files' },
    {
      name: 'export',
      argumentHint: 'ID',
      description: 'Write a session as .html (a self-contained page), .md or .jsonl',
    },
    {
      name: 'import',
      argumentHint: 'PATH…',
      description: 'Import files of other agents, or all in a directory',
      variants: [
        {
          argumentHint: '--from PROGRAM',
          description: "Import from the program's own folder, for this directory; --all for every one",
        },
      ],
    },
  ],
  options: [
    { name: 'all', description: 'Use the sessions of every directory' },
    { name: 'cwd', value: 'DIR', description: 'Use the sessions of DIR' },
    {
      name: 'database',
      value: 'URL',
      description: "Use a fleet's Postgres; 'fleet' is the one of ROBOTA_FLEET",
      of: ['list', 'show', 'search', 'name', 'delete', 'export'],
    },
    { ...json, of: ['list', 'show', 'search', 'name', 'delete', 'import'] },
    {
      name: 'limit',
      value: 'N',
      description: 'Print at most N; 0 is all (default 20, all with --json)',
      of: ['list', 'search'],
    },
    {
      name: 'since',
      value: 'WHEN',
      description: 'Used since a date (2026-01-31) or for so long (12h, 7d, 2w)',
      of: ['list', 'search'],
    },
    {
      name: 'role',
      value: 'ROLE',
      description: "Only what the user, the assistant or a tool said; calls count as the tool's",
      of: ['search'],
    },
    { name: 'tool', value: 'NAME', description: 'Only calls and results of this tool', of: ['search'] },
    { name: 'full', description: 'Shorten nothing', of: ['show'] },
    { name: 'follow', description: 'Wait for more', of: ['show'] },
    { name: 'yes', description: 'Do not ask', of: ['delete'] },
    { name: 'from', value: 'PROGRAM', description: 'pi, rab, claude or eidolon', of: ['import'] },
    { name: 'dry-run', description: 'Only print what would be imported', of: ['import'] },
    { name: 'again', description: 'Also what was imported before', of: ['import'] },
    {
      name: 'output',
      value: 'FILE',
      description: 'Target; its extension selects the format, - is standard output',
      of: ['export'],
    },
    { name: 'format', value: 'FORMAT', description: 'html (the default), md or jsonl', of: ['export'] },
    {
      name: 'all-branches',
      description: 'Markdown with every branch; html and jsonl always have them',
      of: ['export'],
    },
    { name: 'raw', description: 'JSONL with its secrets, which are hidden otherwise', of: ['export'] },
    { name: 'force', description: 'Replace an existing file', of: ['export'] },
  ],
  notes: `ID is an id or name or its beginning, the path of a session, or (except for delete) words that only one contains.
Words match inside longer ones, in any case; a phrase has quotes of its own: search '"not found" config'.`,
};

/** `robota login`. */
export const loginRow: CommandRow = {
  ...shell,
  name: 'login',
  description: 'Store the key of a vendor in ~/.robota/auth.json, readable only by you',
  argumentHint: '[VENDOR]',
  options: [
    { name: 'list', description: 'Print where the key of each vendor comes from' },
    { name: 'key-from-stdin', description: 'Read the key from standard input' },
    { name: 'no-check', description: 'Store the key without trying it' },
    { ...json, description: 'With --list: print JSON' },
  ],
  notes:
    'A key is tried with one small request before it is stored. Signing in with a browser (OAuth) is not supported.',
};

/** `robota doctor`. */
export const doctorRow: CommandRow = {
  ...shell,
  name: 'doctor',
  description: 'Check the setup and report how to fix it',
  options: [
    { name: 'model', value: 'MODEL', description: 'Only try this model, with three small requests' },
    { name: 'fix', description: 'With --model: apply the settings that are recommended, and try again' },
    cwd,
    { name: 'no-network', description: 'Do not ask servers whether they answer' },
    json,
  ],
  notes: `Checks versions, models, settings, trust, tools, MCP servers, storage, terminal and start-up.
Exit code 1 if something broken prevents work.`,
};

/** `robota usage`. */
const usageRow: CommandRow = {
  ...shell,
  name: 'usage',
  description: 'Show tokens and cost by day, project, model, agent and tool',
  options: [
    { name: 'since', value: 'WHEN', description: 'From this day on: a date (2026-01-31), or 7d, 2w ago' },
    { name: 'until', value: 'WHEN', description: 'Up to this day' },
    { name: 'project', value: 'DIR', description: 'Only sessions in DIR and below it' },
    {
      name: 'by',
      value: 'WHAT',
      description: 'Only, and whole: day, project, model, agent, tool, purpose, cache-break',
    },
    json,
    { name: 'csv', description: 'Print comma-separated values' },
    {
      name: 'database',
      value: 'URL',
      description: "Count sessions in a fleet's Postgres; 'fleet' is the one of ROBOTA_FLEET",
    },
  ],
  notes: `It counts answers, subagents, summaries, titles, hooks and side questions of all stored sessions, those of a local fleet
included. Days are whole, in local time.`,
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
    description: 'Remove the key of a vendor from ~/.robota/auth.json',
    argumentHint: 'VENDOR',
  },
  doctorRow,
  {
    ...shell,
    name: 'local',
    description: 'Start a session with a model on this machine, and its server where none runs',
    argumentHint: '[MODEL] [OPTIONS]',
    notes: `MODEL is a name of Ollama, a GGUF file or a repository of Hugging Face; by default that of the settings or the only one.
A server that it starts (ollama, llama-server) ends with the session. OPTIONS are those of a session, such as -p PROMPT.`,
  },
  {
    ...shell,
    name: 'demo',
    description: 'Take a two-minute tour with a scripted model: no key, no network',
    options: [{ name: 'keep', description: 'Keep the folder of the tour' }],
    notes: `It works in a throw-away folder, which is removed at the end. Esc leaves at any time.`,
  },
  {
    ...shell,
    name: 'schema',
    description: 'Print what programs read and write as JSON Schema',
    argumentHint: '[NAME]',
    options: [{ name: 'list', description: 'Print the names, with a line on each' }],
    notes: 'Without NAME: every schema, by its name under "$defs".',
  },
  {
    ...shell,
    name: 'completion',
    description: 'Print a script that completes commands and options in a shell',
    argumentHint: 'bash|zsh|fish',
    notes: `bash: add  source <(robota completion bash)  to ~/.bashrc
zsh:  add  source <(robota completion zsh)  to ~/.zshrc
fish: robota completion fish > ~/.config/fish/completions/robota.fish`,
  },
  {
    ...shell,
    name: 'man',
    description: 'Print the manual page; robota man | man -l - shows it',
  },
  {
    ...shell,
    name: 'acp',
    description: 'Run in an editor: Zed, JetBrains, Neovim (docs/acp.md)',
    argumentHint: '[options]',
    notes: `The editor starts it and talks to it by the Agent Client Protocol. It takes the options of robota --help that start a
session, such as --model, --permission-mode, --allow, --deny, --sandbox, --thinking and --trust-project; the editor chooses
directories and sessions.`,
  },
  webRow,
  ...programRows,
  ...fleetRows,
];

/** The row of a command by its name. */
export function findShellRow(name: string): CommandRow | undefined {
  return shellRows.find((row) => row.name === name);
}
