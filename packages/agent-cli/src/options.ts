/** How a command-line option is written. */
export interface OptionSpec {
  readonly name: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  /** The name of its value in the help; absent for a switch. */
  readonly value?: string;
  /** The value may be left out; it is empty then. */
  readonly optional?: true;
  readonly repeat?: boolean;
  readonly choices?: readonly string[];
  readonly help: string;
}

/** Every option of `robota`, in the order of the help. */
export const optionSpecs = [
  { name: 'print', short: 'p', help: 'Answer one prompt and exit (also reads standard input)' },
  { name: 'model', value: 'MODEL', help: 'vendor/id, a model id, or a profile; "offline" needs no key' },
  {
    name: 'fallback-model',
    value: 'MODEL',
    repeat: true,
    help: 'Goes on with this model when the first one fails',
  },
  {
    name: 'thinking',
    value: 'LEVEL',
    choices: ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    help: 'How much the model thinks: off, minimal, low, medium, high, xhigh',
  },
  { name: 'continue', short: 'c', help: 'Go on with the last session of this directory' },
  {
    name: 'resume',
    short: 'r',
    value: 'ID',
    optional: true,
    help: 'Go on with a session: its id, name or words said in it; alone, choose from a list',
  },
  { name: 'session', value: 'PATH', help: 'Go on with a session file, or start one there' },
  { name: 'fork', help: 'With -c, -r or --session: go on in a copy' },
  { name: 'no-session', help: 'Keep nothing on disk' },
  {
    name: 'permission-mode',
    value: 'MODE',
    choices: ['plan', 'default', 'acceptEdits', 'bypassPermissions'],
    help: 'plan, default, acceptEdits or bypassPermissions',
  },
  {
    name: 'allow',
    aliases: ['allowedTools', 'allowed-tools'],
    value: 'RULE',
    repeat: true,
    help: 'Allow, such as "Bash(npm test)"',
  },
  { name: 'ask', value: 'RULE', repeat: true, help: 'Ask before such calls' },
  {
    name: 'deny',
    aliases: ['disallowedTools', 'disallowed-tools'],
    value: 'RULE',
    repeat: true,
    help: 'Never allow; deny always wins',
  },
  { name: 'add-dir', value: 'DIR', repeat: true, help: 'Another directory the agent may work in' },
  {
    name: 'sandbox',
    value: 'MODE',
    choices: ['off', 'auto', 'required'],
    help: 'Run commands in a sandbox: off, auto (where there is one) or required',
  },
  { name: 'sandbox-write', value: 'PATH', repeat: true, help: 'Let sandboxed commands write here too' },
  { name: 'sandbox-read', value: 'PATH', repeat: true, help: 'Let sandboxed commands read a hidden place' },
  { name: 'sandbox-host', value: 'HOST', repeat: true, help: 'Let sandboxed commands reach this host' },
  { name: 'trust-project', help: 'Let hooks, rules and variables of the repository count, for this run' },
  {
    name: 'mcp-config',
    value: 'FILE',
    repeat: true,
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
    value: 'WAY',
    choices: ['stdio'],
    help: 'With --input-format stream-json: stdio asks the program where a yes is needed',
  },
  { name: 'include-partial-messages', help: 'With --input-format stream-json: also the pieces of an answer' },
  { name: 'replay-user-messages', help: 'With --input-format stream-json: give back what was said' },
  {
    name: 'json-schema',
    value: 'FILE',
    help: 'With -p: the result must conform to this JSON Schema, or the run fails',
  },
  { name: 'verbose', help: 'With -p: also print thinking, tool calls and results as they happen' },
  { name: 'max-turns', value: 'N', help: 'Stop after N model calls' },
  { name: 'max-cost', value: 'DOLLARS', help: 'Stop when the run has cost this much' },
  {
    name: 'record',
    value: 'FILE',
    help: 'Write model answers and tool results to a file that can be replayed',
  },
  { name: 'replay', value: 'FILE', help: 'Run a recording again: no network, no commands, no changes' },
  { name: 'cwd', value: 'DIR', help: 'Work in this directory' },
  { name: 'system-prompt', value: 'TEXT', help: 'Replace the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'Add to the system prompt' },
  { name: 'no-context-files', aliases: ['nc'], help: 'Do not read AGENTS.md and CLAUDE.md (also -nc)' },
  { name: 'tools', value: 'NAMES', help: 'Only these tools, separated by commas' },
  { name: 'exclude-tools', value: 'NAMES', help: 'All tools but these' },
  { name: 'no-tools', help: 'No tools at all' },
  { name: 'no-builtin-tools', help: 'Only the tools of extensions' },
  { name: 'no-extensions', help: 'Neither built-in tools nor extensions' },
  { name: 'language', value: 'LANGUAGE', help: 'The language of the answers: en, ko, ja, zh, …' },
  { name: 'api-key', value: 'KEY', help: "The vendor's key (better: its environment variable)" },
  { name: 'base-url', value: 'URL', help: 'Where the vendor is reached' },
  { name: 'allow-insecure-http', help: 'Allow plain http to a server that is not this machine' },
  { name: 'plain', help: 'Line mode, for screen readers and simple terminals' },
  { name: 'no-animation', help: 'Nothing moves on the screen while something is waited for' },
  { name: 'reset', help: 'Return to the first run: delete your settings file and, after a yes, stored keys' },
  { name: 'yes', help: 'With --reset: delete stored keys without asking' },
  { name: 'version', short: 'V', help: 'Print the version' },
  { name: 'help', short: 'h', help: 'Print this help' },
] as const satisfies readonly OptionSpec[];

export type OptionName = (typeof optionSpecs)[number]['name'];
