import { type FlagSpec, type SettingFlag, settingFlags } from '@robota-sdk/agent-sdk/front-end';

/** A way to talk to Robota: one prompt, a program, a user, an editor or an MCP client. */
export type FrontEnd = 'print' | 'stream' | 'terminal' | 'acp' | 'mcp';

/** An option of the command line. */
export interface OptionSpec extends FlagSpec {
  readonly help: string;
  /** The front ends in which it has an effect; the others refuse it. All unless given. */
  readonly only?: readonly FrontEnd[];
  /** Advice for a session in which it is refused. */
  readonly instead?: string;
  /** A switch that has a value in other agents: `--name=value` is the switch. */
  readonly ignoresValue?: true;
}

/** `-p`, for one prompt or for a program. */
const printed = ['print', 'stream'] as const;
/** A program at standard input. */
const program = ['stream'] as const;
/** Sessions that the command line chooses, not a client. */
const own = ['print', 'stream', 'terminal'] as const;

/** Options that only make sense for one run, in the order of the help. */
export const runOptions = [
  {
    name: 'print',
    only: printed,
    short: 'p',
    help: 'Print the answer to one prompt and exit; also reads standard input',
  },
  { name: 'continue', only: own, short: 'c', help: 'Continue the most recent session in this directory' },
  {
    name: 'resume',
    only: own,
    short: 'r',
    value: 'ID',
    optional: true,
    help: 'Resume a session by ID, name or text; without a value, choose from a list',
  },
  {
    name: 'worktree',
    only: own,
    short: 'w',
    value: 'NAME',
    optional: true,
    help: 'Work in a new git worktree; merge, keep or remove it at the end',
  },
  { name: 'session', only: own, value: 'PATH', help: 'Resume the session file at PATH, or create it' },
  {
    name: 'resume-session-at',
    only: own,
    value: 'MESSAGE',
    help: 'Resume after the message with this UUID (with -c, -r or --session)',
  },
  {
    name: 'fork',
    only: own,
    aliases: ['fork-session'],
    help: 'Resume in a copy of the session (with -c, -r or --session)',
  },
  { name: 'no-session', aliases: ['no-session-persistence'], help: 'Do not save the session' },
  { name: 'name', only: own, short: 'n', value: 'NAME', help: 'Name the session' },
  { name: 'session-id', only: own, value: 'ID', help: 'Use this ID for the new session' },
  {
    name: 'database',
    only: own,
    value: 'URL',
    help: "Use the sessions of a fleet's Postgres; fleet: the one in ROBOTA_FLEET",
  },
  {
    name: 'dangerously-skip-permissions',
    help: 'Skip permission checks; same as --permission-mode bypassPermissions',
  },
  {
    name: 'allow-dangerously-skip-permissions',
    only: [...own, 'acp'],
    help: 'Allow switching to bypassPermissions later in the session',
  },
  { name: 'sandbox-write', value: 'PATH', repeat: true, help: 'Allow sandboxed commands to write to PATH' },
  {
    name: 'sandbox-read',
    value: 'PATH',
    repeat: true,
    help: 'Allow sandboxed commands to read PATH where it is hidden',
  },
  { name: 'sandbox-host', value: 'HOST', repeat: true, help: 'Allow sandboxed commands to connect to HOST' },
  { name: 'trust-project', help: 'Trust hooks, rules and variables of the repository for this run' },
  {
    name: 'mcp-config',
    value: 'FILE',
    repeat: true,
    more: { kind: 'files' },
    help: 'Load MCP servers from a JSON file or string',
  },
  { name: 'strict-mcp-config', help: 'Use only the MCP servers from --mcp-config' },
  {
    name: 'output-format',
    only: printed,
    value: 'FORMAT',
    choices: ['text', 'json', 'stream-json'],
    help: 'Output format: text, json or stream-json (with -p)',
  },
  {
    name: 'input-format',
    only: printed,
    value: 'FORMAT',
    choices: ['text', 'stream-json'],
    help: 'Input format: text, or stream-json for several prompts (with -p)',
  },
  {
    name: 'permission-prompt-tool',
    only: printed,
    value: 'TOOL',
    help: 'MCP tool that answers permission prompts, or stdio (with -p)',
  },
  {
    name: 'permission-prompts',
    only: printed,
    value: 'WAY',
    choices: ['host', 'none'],
    help: 'Permission prompts: host, or none to deny them (with stream-json input)',
  },
  {
    name: 'await-initialize',
    only: program,
    help: 'Wait for the first line; the default (with stream-json input)',
  },
  {
    name: 'include-partial-messages',
    only: printed,
    help: 'Include partial messages as they arrive (with stream-json)',
  },
  { name: 'include-hook-events', only: program, help: 'Include hook events (with stream-json input)' },
  {
    name: 'replay-user-messages',
    only: program,
    help: 'Echo user messages to the output (with stream-json input)',
  },
  {
    name: 'json-schema',
    only: printed,
    value: 'FILE',
    help: 'JSON Schema of the result, as a file or string (with -p)',
  },
  {
    name: 'goal',
    only: ['print'],
    instead: 'In a session, use /goal TEXT --check COMMAND.',
    value: 'TEXT',
    help: 'Goal to work towards; also the prompt if none is given (with -p)',
  },
  {
    name: 'check',
    only: ['print'],
    instead: 'In a session, use /goal TEXT --check COMMAND.',
    value: 'COMMAND',
    help: 'Command that must succeed for the goal to be reached (with --goal)',
  },
  { name: 'verbose', only: own, help: 'Print thinking, tool calls and results as they happen (with -p)' },
  {
    name: 'max-cost',
    aliases: ['max-budget-usd'],
    value: 'DOLLARS',
    help: 'Stop when the run has cost this much',
  },
  {
    name: 'task-budget',
    value: 'TOKENS',
    help: 'Tell the model to finish within TOKENS tokens; not enforced',
  },
  {
    name: 'effort',
    value: 'LEVEL',
    choices: ['low', 'medium', 'high', 'xhigh', 'max'],
    help: 'Alias of --thinking: low, medium, high, xhigh or max',
  },
  {
    name: 'max-thinking-tokens',
    value: 'N',
    help: 'Use the thinking level closest to N tokens; 0 disables thinking',
  },
  {
    name: 'thinking-display',
    only: program,
    value: 'MODE',
    choices: ['summarized', 'omitted'],
    help: 'With stream-json input: print thinking (summarized) or not (omitted)',
  },
  {
    name: 'record',
    only: ['print', 'terminal'],
    value: 'FILE',
    help: 'Record model answers and tool results to FILE',
  },
  {
    name: 'replay',
    only: ['print'],
    value: 'FILE',
    help: 'Replay a recording: no network, no commands, no changes',
  },
  {
    name: 'cwd',
    only: ['print', 'stream', 'terminal', 'mcp'],
    short: 'C',
    aliases: ['cd'],
    value: 'DIR',
    help: 'Work in DIR',
  },
  { name: 'system-prompt', value: 'TEXT', help: 'Replace the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'Append to the system prompt' },
  { name: 'static-prompt', help: 'Move directory and date from the system prompt to the first prompt' },
  { name: 'betas', value: 'LIST', help: 'Beta features of the Anthropic API, separated by commas' },
  { name: 'system-prompt-file', value: 'FILE', help: 'Replace the system prompt with a file' },
  { name: 'append-system-prompt-file', value: 'FILE', help: 'Append a file to the system prompt' },
  {
    name: 'settings',
    value: 'FILE',
    help: 'Load settings from a JSON file or string; overrides all settings files',
  },
  {
    name: 'managed-settings',
    value: 'JSON',
    help: 'Settings of the program that starts robota; overrides --settings',
  },
  {
    name: 'setting-sources',
    value: 'OWNERS',
    help: 'Settings files to load: user, project, local; empty for none',
  },
  { name: 'agents', value: 'JSON', help: 'Define agents: {"name": {"description": "…", "prompt": "…"}}' },
  { name: 'agent', value: 'NAME', help: 'Use the instructions, tools and model of this agent' },
  { name: 'plugin-dir', value: 'DIR', repeat: true, help: 'Load the plugin in DIR for this run' },
  { name: 'no-context-files', aliases: ['nc'], help: 'Do not load AGENTS.md and CLAUDE.md (also -nc)' },
  { name: 'no-tools', help: 'Disable all tools' },
  { name: 'no-builtin-tools', help: 'Disable built-in tools' },
  { name: 'no-extensions', help: 'Disable built-in tools and extensions' },
  { name: 'api-key', value: 'KEY', help: 'API key of the vendor; prefer its environment variable' },
  { name: 'base-url', value: 'URL', help: 'Base URL of the vendor' },
  { name: 'plain', only: own, help: 'Use line mode, for screen readers and simple terminals' },
  { name: 'no-animation', only: own, help: 'Disable animations' },
  { name: 'reset', only: own, help: 'Delete your settings file and, if confirmed, stored keys; then exit' },
  { name: 'yes', only: [], help: 'Delete stored keys without confirmation (with --reset)' },
  {
    name: 'debug',
    only: own,
    aliases: ['debug-to-stderr'],
    ignoresValue: true,
    help: 'Print the path of the session log and details of internal errors',
  },
  { name: 'debug-file', value: 'FILE', help: 'Also write the session log to FILE' },
  { name: 'version', only: own, short: 'v', shorts: ['V'], help: 'Print the version' },
  { name: 'help', short: 'h', help: 'Print this help' },
] as const satisfies readonly OptionSpec[];

/** Every option of `robota`: those of a run, then those that are settings too. */
export const optionSpecs: readonly OptionSpec[] = [...runOptions, ...settingFlags()];

export type OptionName = (typeof runOptions)[number]['name'] | SettingFlag;
