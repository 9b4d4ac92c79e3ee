import { type FlagSpec, type SettingFlag, settingFlags } from '@robota-sdk/agent-sdk/front-end';

/** An option of the command line. */
export interface OptionSpec extends FlagSpec {
  readonly help: string;
}

/** Options that only make sense for one run, in the order of the help. */
export const runOptions = [
  { name: 'print', short: 'p', help: 'Answer one prompt and exit (also reads standard input)' },
  {
    name: 'effort',
    value: 'LEVEL',
    choices: ['low', 'medium', 'high', 'xhigh', 'max'],
    help: 'The same as --thinking, in the words of other agents',
  },
  {
    name: 'max-thinking-tokens',
    value: 'N',
    help: 'The level of thinking that comes nearest to N tokens; 0 is off',
  },
  {
    name: 'thinking-display',
    value: 'MODE',
    choices: ['summarized'],
    help: 'How thinking is shown; only summarized is supported',
  },
  { name: 'continue', short: 'c', help: 'Resume the last session of this directory' },
  {
    name: 'resume',
    short: 'r',
    value: 'ID',
    optional: true,
    help: 'Resume a session by id, name or words said in it; alone, choose one',
  },
  {
    name: 'worktree',
    short: 'w',
    value: 'NAME',
    optional: true,
    help: 'Work in a git worktree of its own; at the end merge, keep or drop it',
  },
  { name: 'session', value: 'PATH', help: 'Resume a session file, or start one there' },
  {
    name: 'resume-session-at',
    value: 'MESSAGE',
    help: 'With -c, -r or --session: continue after the message with this uuid',
  },
  { name: 'fork', aliases: ['fork-session'], help: 'With -c, -r or --session: continue in a copy' },
  { name: 'no-session', aliases: ['no-session-persistence'], help: 'Keep nothing on disk' },
  { name: 'session-id', value: 'ID', help: 'The id of the new session' },
  {
    name: 'database',
    value: 'URL',
    help: "Use the sessions in a fleet's Postgres; 'fleet': that of ROBOTA_FLEET",
  },
  {
    name: 'dangerously-skip-permissions',
    help: 'The same as --permission-mode bypassPermissions',
  },
  {
    name: 'allow-dangerously-skip-permissions',
    help: 'bypassPermissions may be chosen later: /mode, shift+tab, stream-json',
  },
  { name: 'sandbox-write', value: 'PATH', repeat: true, help: 'Let sandboxed commands write here too' },
  { name: 'sandbox-read', value: 'PATH', repeat: true, help: 'Let sandboxed commands read a hidden place' },
  { name: 'sandbox-host', value: 'HOST', repeat: true, help: 'Let sandboxed commands reach this host' },
  { name: 'trust-project', help: 'Let hooks, rules and variables of the repository count, for this run' },
  {
    name: 'mcp-config',
    value: 'FILE',
    repeat: true,
    more: { kind: 'files' },
    help: 'MCP servers of a file, or given as JSON, for this run',
  },
  { name: 'strict-mcp-config', help: 'Use no other MCP servers than those of --mcp-config' },
  {
    name: 'output-format',
    value: 'FORMAT',
    choices: ['text', 'json', 'stream-json'],
    help: 'With -p: text, json or stream-json',
  },
  {
    name: 'input-format',
    value: 'FORMAT',
    choices: ['text', 'stream-json'],
    help: 'With -p: text, or stream-json for many prompts in one process',
  },
  {
    name: 'permission-prompt-tool',
    value: 'TOOL',
    help: 'With -p: who is asked where a yes is needed: an MCP tool, or stdio',
  },
  {
    name: 'permission-prompts',
    value: 'WAY',
    choices: ['host', 'none'],
    help: 'With stream-json input: none denies what would be asked',
  },
  {
    name: 'await-initialize',
    help: 'With --input-format stream-json: wait for the first line, as by default',
  },
  { name: 'include-partial-messages', help: 'With --input-format stream-json: also the pieces of an answer' },
  { name: 'include-hook-events', help: 'With --input-format stream-json: also the hooks that run' },
  { name: 'replay-user-messages', help: 'With --input-format stream-json: give back what was said' },
  {
    name: 'json-schema',
    value: 'FILE',
    help: 'With -p: the result must conform to this JSON Schema (or JSON itself)',
  },
  {
    name: 'goal',
    value: 'TEXT',
    help: 'With -p: what is to be reached; pinned, and the prompt if none is given',
  },
  {
    name: 'check',
    value: 'COMMAND',
    help: 'With --goal: the command that proves it; the run fails while it fails',
  },
  { name: 'verbose', help: 'With -p: also print thinking, tool calls and results as they happen' },
  {
    name: 'max-cost',
    aliases: ['max-budget-usd'],
    value: 'DOLLARS',
    help: 'Stop when the run has cost this much',
  },
  {
    name: 'task-budget',
    value: 'TOKENS',
    help: 'Tell the model how many tokens it should get by with; nothing is stopped',
  },
  {
    name: 'record',
    value: 'FILE',
    help: 'Write model answers and tool results to a file that can be replayed',
  },
  { name: 'replay', value: 'FILE', help: 'Run a recording again: no network, no commands, no changes' },
  { name: 'cwd', short: 'C', aliases: ['cd'], value: 'DIR', help: 'Work in this directory' },
  { name: 'system-prompt', value: 'TEXT', help: 'Replace the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'Add to the system prompt' },
  { name: 'static-prompt', help: 'Tell directory and date with the first prompt instead' },
  { name: 'betas', value: 'LIST', help: 'Beta features of the Anthropic API, as ANTHROPIC_BETAS' },
  { name: 'system-prompt-file', value: 'FILE', help: 'Replace the system prompt by a file' },
  { name: 'append-system-prompt-file', value: 'FILE', help: 'Add a file to the system prompt' },
  { name: 'settings', value: 'FILE', help: 'Settings above those of all files: a file, or JSON' },
  {
    name: 'managed-settings',
    value: 'JSON',
    help: 'Settings of the program that starts robota, above --settings',
  },
  {
    name: 'setting-sources',
    value: 'OWNERS',
    help: 'Whose files are read: user, project, local; empty for none',
  },
  { name: 'agents', value: 'JSON', help: 'Agents for this run: {"name": {"description": …, "prompt": …}}' },
  { name: 'agent', value: 'NAME', help: 'Work as this agent: with its instructions, tools and model' },
  { name: 'plugin-dir', value: 'DIR', repeat: true, help: 'Use the plugin in this folder, for this run' },
  { name: 'no-context-files', aliases: ['nc'], help: 'Do not read AGENTS.md and CLAUDE.md (also -nc)' },
  { name: 'no-tools', help: 'No tools at all' },
  { name: 'no-builtin-tools', help: 'Only the tools of extensions' },
  { name: 'no-extensions', help: 'Neither built-in tools nor extensions' },
  { name: 'api-key', value: 'KEY', help: "The vendor's key (better: its environment variable)" },
  { name: 'base-url', value: 'URL', help: 'Where the vendor is reached' },
  { name: 'plain', help: 'Line mode, for screen readers and simple terminals' },
  { name: 'no-animation', help: 'Nothing moves on the screen while something is waited for' },
  { name: 'reset', help: 'Delete your settings file and, after a yes, stored keys; then exit' },
  { name: 'yes', help: 'With --reset: delete stored keys without asking' },
  { name: 'debug', help: 'Say where the log of the session is, and more about internal errors' },
  { name: 'debug-file', value: 'FILE', help: 'Write the log of the session to this file, too' },
  { name: 'version', short: 'V', shorts: ['v'], help: 'Print the version' },
  { name: 'help', short: 'h', help: 'Print this help' },
] as const satisfies readonly OptionSpec[];

/** Every option of `robota`: those of a run, then those that are settings too. */
export const optionSpecs: readonly OptionSpec[] = [...runOptions, ...settingFlags()];

export type OptionName = (typeof runOptions)[number]['name'] | SettingFlag;
