import { repository, withProgram } from './program-name.ts';

/** Words that are no prompt, though no command of ours: what to do instead. */
export const reservedWords: Readonly<Record<string, string>> = {
  install: 'Robota is already installed. {program} plugin install NAME installs plugins.',
  completions: 'Use {program} completion bash, zsh or fish.',
  docs: `See {program} --help, {program} help COMMAND and ${repository}/docs.`,
  init: 'Use {program} -p /init to write AGENTS.md.',
  tour: 'Use {program} demo to take the tour.',
  tutorial: 'Use {program} demo to take the tour.',
  serve:
    'Use {program} web for a browser, {program} mcp serve for MCP clients, or {program} acp for editors.',
  server:
    'Use {program} web for a browser, {program} mcp serve for MCP clients, or {program} acp for editors.',
  'mcp-server': 'Use {program} mcp serve.',
  'app-server': 'Use {program} -p --input-format stream-json --output-format stream-json.',
  auth: 'Use {program} login VENDOR or {program} logout VENDOR; {program} doctor shows which keys are found.',
  providers: 'Use {program} login list, {program} login VENDOR or {program} logout VENDOR.',
  'setup-token': 'Use {program} login VENDOR.',
  models: 'Use {program} -p /model to list models.',
  model: 'Use {program} -p /model to list models, or {program} config set model NAME.',
  agents: 'Use /agent list in a session to list agents.',
  agent: 'Use /agent list in a session to list agents.',
  'auto-mode': 'Use --permission-mode acceptEdits, with --allow for what else may run.',
  project: 'Use {program} sessions delete, and {program} config path for settings files.',
  proto: 'Use {program} -p --input-format stream-json --output-format stream-json.',
  daemon: 'Use {program} fleet for tasks without a terminal.',
  'exec-server': 'Use {program} -p --input-format stream-json --output-format stream-json.',
  gateway: 'Use --base-url for a gateway of yours.',
  gemma: 'Use {program} local for models on this machine.',
  'remote-control': 'Use {program} web for a browser or phone.',
  ultrareview: 'Use {program} -p /review.',
  pr: 'Use {program} -p "review pull request N" with gh installed.',
  tools: 'Use {program} doctor; --tools chooses those of a session.',
  skills: 'Use {program} -p /skills to list skills.',
  skill: 'Use {program} -p /skills to list skills.',
  hook: 'Use {program} config get hooks.',
  hooks: 'Use {program} config get hooks.',
  settings: 'Use {program} config.',
  stats: 'Use {program} usage.',
  status: 'Use {program} doctor.',
  session: 'Use {program} sessions.',
  history: 'Use {program} sessions.',
  export: 'Use {program} sessions export ID.',
  import: 'Use {program} sessions import.',
  plug: 'Use {program} plugin.',
  plugins: 'Use {program} plugin.',
  marketplace: 'Use {program} plugin marketplace.',
  extension: 'Use {program} plugin.',
  extensions: 'Use {program} plugin.',
  chat: 'Use {program} alone to start a conversation.',
  tui: 'Use {program} alone to start a conversation.',
  continue: 'Use {program} -c.',
  fork: 'Use {program} -c --fork.',
  cloud: 'Use {program} fleet to run tasks on your own machines.',
  apply: 'Robota changes files itself; see git diff.',
  sandbox: 'Use --sandbox required.',
  trust: 'Use /trust in a session, or --trust-project for one run.',
  worktree: 'Use {program} -w NAME.',
  features: 'Use {program} --help.',
  debug: 'Use {program} doctor.',
  github: `Use {program} -p in your workflow; see ${repository}/action.`,
  attach: 'Use {program} -r ID; a session in use can be watched.',
};

/** The words that stand for options of ours: what the command line means without them. */
const meanings: Readonly<Record<string, (rest: readonly string[]) => readonly string[]>> = {
  upgrade: (rest) => ['update', ...rest],
  'self-update': (rest) => ['update', ...rest],
  run: (rest) =>
    rest.some(isTaskFile) || rest.every((word) => word.startsWith('-'))
      ? ['run', ...rest]
      : ['--print', ...rest],
  resume: resumed,
  // With more words they begin a prompt.
  chat: (rest) => (isAlone(rest) ? rest : ['chat', ...rest]),
  tui: (rest) => (isAlone(rest) ? rest : ['tui', ...rest]),
  continue: (rest) => (isAlone(rest) ? ['--continue', ...rest] : ['continue', ...rest]),
};

function resumed([id, ...rest]: readonly string[]): readonly string[] {
  return id === '--last' ? ['--continue', ...rest] : ['--resume', ...(id === undefined ? [] : [id]), ...rest];
}

function isAlone([next = '-']: readonly string[]): boolean {
  return next.startsWith('-');
}

function isTaskFile(word: string): boolean {
  return /^\S+\.(?:md|markdown)$/i.test(word);
}

/** The advice for a command word of other programs; undefined if the word is free. */
export function reservedWord(word: string): string | undefined {
  const text = Object.hasOwn(reservedWords, word) ? reservedWords[word] : undefined;
  return text === undefined ? undefined : withProgram(text);
}

/** The command line with a word such as `resume` or `exec` in our words; as it is where it begins with none. */
export function translateWord(argv: readonly string[]): readonly string[] {
  const [word = '', ...rest] = argv;
  return (Object.hasOwn(meanings, word) ? meanings[word]?.(rest) : undefined) ?? argv;
}
