/** Words that are no prompt, though no command of ours: what to do instead. */
const advice: Readonly<Record<string, string>> = {
  upgrade: 'Update Robota the way you installed it.',
  update: 'Update Robota the way you installed it; robota plugin update updates plugins.',
  install: 'Robota is installed already. robota plugin install NAME installs plugins.',
  uninstall: 'Remove Robota the way you installed it; ~/.robota holds your settings and sessions.',
  completion: 'Shell completion is not available yet.',
  completions: 'Shell completion is not available yet.',
  man: 'See robota --help, robota help COMMAND and the folder docs.',
  docs: 'See robota --help, robota help COMMAND and the folder docs.',
  init: 'Use robota -p /init to write AGENTS.md.',
  serve: 'Use robota mcp serve for MCP clients, or robota acp for editors.',
  server: 'Use robota mcp serve for MCP clients, or robota acp for editors.',
  'mcp-server': 'Use robota mcp serve.',
  'app-server': 'Use robota -p --input-format stream-json --output-format stream-json.',
  auth: 'Use robota login VENDOR or robota logout VENDOR; robota doctor shows which keys are found.',
  'setup-token': 'Use robota login VENDOR.',
  models: 'Use robota -p /model to list models.',
  model: 'Use robota -p /model to list models, or robota config set model NAME.',
  agents: 'Use robota -p "/agent list" to list agents.',
  agent: 'Use robota -p "/agent list" to list agents.',
  tools: 'Use robota doctor; --tools chooses those of a session.',
  skills: 'Use robota -p /skills to list skills.',
  hooks: 'Use robota config get hooks.',
  settings: 'Use robota config.',
  stats: 'Use robota -p /cost with -c, or robota sessions.',
  usage: 'Use robota -p /cost with -c, or robota sessions.',
  status: 'Use robota doctor.',
  session: 'Use robota sessions.',
  history: 'Use robota sessions.',
  export: 'Use robota sessions export ID.',
  import: 'Use robota sessions import.',
  plugins: 'Use robota plugin.',
  marketplace: 'Use robota plugin marketplace.',
  extensions: 'Use robota plugin.',
  chat: 'Use robota alone to start a conversation.',
  tui: 'Use robota alone to start a conversation.',
  continue: 'Use robota -c.',
  fork: 'Use robota -c --fork.',
  cloud: 'Robota works on this machine only.',
  apply: 'Robota changes files itself; see git diff.',
  sandbox: 'Use --sandbox required.',
  features: 'Use robota --help.',
  debug: 'Use robota doctor.',
  github: 'Use robota -p in your workflow; see docs/headless.md.',
  web: 'Robota works in the terminal and in editors: robota acp.',
  attach: 'Use robota -r ID; a session in use can be watched.',
};

/** The words that stand for options of ours: what the command line means without them. */
const meanings: Readonly<Record<string, (rest: readonly string[]) => readonly string[]>> = {
  version: (rest) => ['--version', ...rest],
  exec: (rest) => ['--print', ...rest],
  run: (rest) => ['--print', ...rest],
  resume: ([id, ...rest]) =>
    id === '--last' ? ['--continue', ...rest] : ['--resume', ...(id === undefined ? [] : [id]), ...rest],
};

/** The advice for a command word of other programs; undefined if the word is free. */
export function reservedWord(word: string): string | undefined {
  return Object.hasOwn(advice, word) ? advice[word] : undefined;
}

/** The command line with a word such as `resume` or `exec` in our words; as it is where it begins with none. */
export function translateWord(argv: readonly string[]): readonly string[] {
  const [word = '', ...rest] = argv;
  return (Object.hasOwn(meanings, word) ? meanings[word]?.(rest) : undefined) ?? argv;
}
