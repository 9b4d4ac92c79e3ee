/** An option of another agent that means the same as options of ours. */
export interface TranslatedOption {
  /** With their dashes. */
  readonly names: readonly string[];
  readonly agents: string;
  /** The placeholder of its value; absent for a switch. */
  readonly value?: string;
  /** The same in our options; undefined for a value that has no counterpart. */
  readonly means: (value: string) => readonly string[] | undefined;
}

const without = (): readonly string[] => [];

/** Picks our options by the value of theirs. */
function byValue(
  table: Readonly<Record<string, readonly string[]>>,
): (value: string) => readonly string[] | undefined {
  return (value) => (Object.hasOwn(table, value) ? table[value] : undefined);
}

const sandboxModes = byValue({
  'workspace-write': ['--sandbox', 'required'],
  'danger-full-access': ['--sandbox', 'off'],
});

/** Options that people type out of habit and that need no other word from them. */
export const translatedOptions: readonly TranslatedOption[] = [
  { names: ['--yolo'], agents: 'Gemini CLI, Codex', means: () => ['--dangerously-skip-permissions'] },
  {
    names: ['--dangerously-bypass-approvals-and-sandbox'],
    agents: 'Codex',
    means: () => ['--dangerously-skip-permissions', '--sandbox', 'off'],
  },
  {
    names: ['--approval-mode'],
    agents: 'Gemini CLI',
    value: 'MODE',
    means: byValue({
      default: ['--permission-mode', 'default'],
      suggest: ['--permission-mode', 'default'],
      auto_edit: ['--permission-mode', 'acceptEdits'],
      'auto-edit': ['--permission-mode', 'acceptEdits'],
      plan: ['--permission-mode', 'plan'],
      yolo: ['--permission-mode', 'bypassPermissions'],
    }),
  },
  {
    names: ['--ask-for-approval', '-a'],
    agents: 'Codex',
    value: 'POLICY',
    means: byValue({
      untrusted: ['--permission-mode', 'default'],
      never: ['--permission-mode', 'dontAsk'],
    }),
  },
  { names: ['--sandbox', '-s'], agents: 'Codex', value: 'MODE', means: sandboxModes },
  { names: ['--prompt'], agents: 'Gemini CLI', value: 'TEXT', means: (text) => ['--print', text] },
  { names: ['--prompt-interactive'], agents: 'Gemini CLI', value: 'TEXT', means: (text) => [text] },
  {
    names: ['-o'],
    agents: 'Gemini CLI',
    value: 'FORMAT',
    means: byValue({
      text: ['--output-format', 'text'],
      json: ['--output-format', 'json'],
      'stream-json': ['--output-format', 'stream-json'],
    }),
  },
  {
    names: ['--include-directories'],
    agents: 'Gemini CLI',
    value: 'DIRS',
    means: (value) => value.split(',').flatMap((directory) => ['--add-dir', directory.trim()]),
  },
  { names: ['--resume'], agents: 'Gemini CLI', value: 'ID', means: byValue({ latest: ['--continue'] }) },
  { names: ['--skip-trust'], agents: 'Gemini CLI', means: () => ['--trust-project'] },
  { names: ['--ephemeral'], agents: 'Codex', means: () => ['--no-session'] },
  { names: ['--output-schema'], agents: 'Codex', value: 'FILE', means: (file) => ['--json-schema', file] },
  { names: ['--experimental-json'], agents: 'Codex', means: () => ['--output-format', 'stream-json'] },
  {
    names: ['--skip-git-repo-check', '--no-alt-screen', '--include-plan-tool', '--search'],
    agents: 'Codex',
    means: without,
  },
  { names: ['--no-chrome'], agents: 'Claude Code', means: without },
  {
    names: ['--prompt-suggestions'],
    agents: 'Claude Code',
    value: 'ON',
    means: byValue({ false: [], off: [], 0: [] }),
  },
  {
    names: ['--system-prompt-snapshot', '--autocompact'],
    agents: 'Claude Code',
    value: 'WHEN',
    means: byValue({ off: [], auto: [] }),
  },
  { names: ['--checkpointing'], agents: 'Gemini CLI', means: without },
  {
    names: ['--screen-reader', '--ax-screen-reader'],
    agents: 'Gemini CLI, Claude Code',
    means: () => ['--plain'],
  },
  {
    names: ['--exclude-dynamic-system-prompt-sections'],
    agents: 'Claude Code',
    means: () => ['--static-prompt'],
  },
  {
    names: ['--mode'],
    agents: 'pi',
    value: 'MODE',
    means: byValue({
      text: ['--output-format', 'text'],
      json: ['--print', '--output-format', 'stream-json'],
    }),
  },
  { names: ['-nt'], agents: 'pi', means: () => ['--no-tools'] },
  { names: ['-nbt'], agents: 'pi', means: () => ['--no-builtin-tools'] },
  { names: ['-ne'], agents: 'pi', means: () => ['--no-extensions'] },
  { names: ['-t'], agents: 'pi', value: 'TOOLS', means: (tools) => ['--tools', tools] },
  {
    names: ['--format'],
    agents: 'opencode',
    value: 'FORMAT',
    means: byValue({ default: [], json: ['--output-format', 'stream-json'] }),
  },
  { names: ['--dir'], agents: 'opencode', value: 'DIR', means: (directory) => ['--cwd', directory] },
];

/** The command line with options of other agents in ours; what has no counterpart stays, and is explained later. */
export function translateOptions(argv: readonly string[]): readonly string[] {
  const translated: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') return [...translated, ...argv.slice(index)];
    const [name = '', inline] = split(word);
    const option = translatedOptions.find(({ names }) => names.includes(name));
    const next = option?.value === undefined ? undefined : argv[index + 1];
    const given = inline ?? next;
    const isWhole =
      option !== undefined && (option.value === undefined ? inline === undefined : given !== undefined);
    const ours = isWhole ? option.means(given ?? '') : undefined;
    if (ours === undefined) {
      translated.push(word);
      continue;
    }
    translated.push(...ours);
    if (option?.value !== undefined && inline === undefined) index++;
  }
  return translated;
}

/** The words that stand for options or commands of ours: what the command line means without them. */
const meanings: Readonly<Record<string, (rest: readonly string[]) => readonly string[]>> = {
  upgrade: (rest) => ['update', ...rest],
  'self-update': (rest) => ['update', ...rest],
  run: (rest) =>
    rest.some(isTaskFile) || rest.every((word) => word.startsWith('-'))
      ? ['run', ...rest]
      : ['--print', ...rest],
  resume: ([id, ...rest]) =>
    id === '--last' ? ['--continue', ...rest] : ['--resume', ...(id === undefined ? [] : [id]), ...rest],
  // With more words they begin a prompt.
  chat: (rest) => (isAlone(rest) ? rest : ['chat', ...rest]),
  tui: (rest) => (isAlone(rest) ? rest : ['tui', ...rest]),
  continue: (rest) => (isAlone(rest) ? ['--continue', ...rest] : ['continue', ...rest]),
};

function isAlone([next = '-']: readonly string[]): boolean {
  return next.startsWith('-');
}

function isTaskFile(word: string): boolean {
  return /^\S+\.(?:md|markdown)$/i.test(word);
}

/** The command line with a word such as `resume` in our words; as it is where it begins with none. */
export function translateWord(argv: readonly string[]): readonly string[] {
  const [word = '', ...rest] = argv;
  return (Object.hasOwn(meanings, word) ? meanings[word]?.(rest) : undefined) ?? argv;
}

function split(word: string): readonly [name: string, value?: string] {
  const equals = word.indexOf('=');
  return word.startsWith('-') && equals > 0 ? [word.slice(0, equals), word.slice(equals + 1)] : [word];
}
