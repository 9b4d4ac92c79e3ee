import type { Files, Section } from '../tools.ts';

/** Command lines, good and bad, with what they print and their exit codes. */
export const section: Section = {
  name: 'exit-codes',
  async record(language, tools) {
    const recorded: Record<string, string> = {};
    await Promise.all(
      Object.entries(cases)
        .filter(([name]) => language === 'en' || inBoth.includes(name))
        .map(async ([name, { args, files = {}, settings, input, env }]) => {
          const home = await tools.home(settings === undefined ? {} : { '.robota/settings.json': settings });
          const cwd = await tools.folder(files);
          const outcome = await tools.run(args, {
            home,
            cwd,
            ...(input === undefined ? {} : { input }),
            env: { ...withoutServers, ...env },
          });
          recorded[`${name}.txt`] =
            `$ robota ${args.map((word) => JSON.stringify(word)).join(' ')}\n${tools.transcript(outcome)}`;
        }),
    );
    return recorded;
  },
};

/** Cases that are recorded in both languages: an answer, and errors from different parts of the program. */
const inBoth: readonly string[] = [
  'answer',
  'no-model',
  'unknown-option',
  'bad-number',
  'broken-settings',
  'unknown-session',
  'mistyped-slash-command',
  'mistyped-subcommand',
  'permissions-check',
  'http-elsewhere',
];

/** No server on this machine is found. */
const withoutServers = { OLLAMA_HOST: '127.0.0.1:9' };

interface Case {
  readonly args: readonly string[];
  readonly files?: Files;
  /** The user's settings. */
  readonly settings?: string | object;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const offline = ['--model', 'offline', '-p'] as const;

const cases: Readonly<Record<string, Case>> = {
  version: { args: ['--version'] },
  'version-json-unknown': { args: ['version', '--nothing'] },
  answer: { args: [...offline, 'hi'] },
  'answer-json': { args: [...offline, '--output-format', 'json', 'hi'] },
  'prompt-from-input': { args: [...offline], input: 'hi\n' },
  'prompt-and-input': { args: [...offline, 'hi'], input: 'from a pipe\n' },
  'no-prompt': { args: [...offline] },
  'empty-prompt': { args: [...offline, ''] },
  'no-model': { args: ['-p', 'hi'] },
  'no-key': { args: ['--model', 'anthropic/claude-sonnet-4-6', '-p', 'hi'] },
  'unknown-model': { args: ['--model', 'no-such-model', '-p', 'hi'] },
  'unknown-vendor': { args: ['--model', 'nobody/model', '-p', 'hi'] },
  'unknown-option': { args: ['--no-such-option', '-p', 'hi'] },
  'mistyped-option': { args: ['--modle', 'offline', '-p', 'hi'] },
  'missing-value': { args: ['-p', 'hi', '--model'] },
  'unexpected-value': { args: ['--print=yes', 'hi'] },
  'bad-number': { args: [...offline, 'hi', '--max-turns', 'many'] },
  'bad-cost': { args: [...offline, 'hi', '--max-cost', '-1'] },
  'bad-mode': { args: [...offline, 'hi', '--permission-mode', 'everything'] },
  'bad-thinking': { args: [...offline, 'hi', '--thinking', 'much'] },
  'bad-format': { args: [...offline, 'hi', '--output-format', 'xml'] },
  'bad-rule': { args: [...offline, 'hi', '--allow', 'Bash('] },
  'unknown-tool-in-rule': { args: [...offline, 'hi', '--deny', 'Nothing(x)'] },
  'bad-tools': { args: [...offline, 'hi', '--tools', 'Nothing'] },
  'bad-agents': { args: [...offline, 'hi', '--agents', '{'] },
  'unknown-agent': { args: [...offline, 'hi', '--agent', 'nobody'] },
  'bad-wait': { args: [...offline, 'hi', '--wait-for-limit', 'soon'] },
  'bad-schema': { args: [...offline, 'hi', '--json-schema', '{"type": 1}'] },
  'missing-schema': { args: [...offline, 'hi', '--json-schema', 'no-such.json'] },
  'missing-directory': { args: [...offline, 'hi', '--cwd', 'no/such/folder'] },
  'directory-is-a-file': { args: [...offline, 'hi', '--cwd', 'file.txt'], files: { 'file.txt': 'x' } },
  'missing-settings': { args: [...offline, 'hi', '--settings', 'no-such.json'] },
  'broken-settings-option': { args: [...offline, 'hi', '--settings', '{'] },
  'broken-settings': { args: [...offline, 'hi'], settings: '{ "model": ' },
  'mistyped-settings': { args: [...offline, 'hi'], settings: { permisions: { deny: ['Read'] } } },
  'wrong-settings': { args: [...offline, 'hi'], settings: { maxTurns: 'many' } },
  'broken-project-settings': { args: [...offline, 'hi'], files: { '.robota/settings.json': '{,}' } },
  'missing-mcp-config': { args: [...offline, 'hi', '--mcp-config', 'no-such.json'] },
  'broken-mcp-config': { args: [...offline, 'hi', '--mcp-config', '{"mcpServers": 1}'] },
  'missing-plugin': { args: [...offline, 'hi', '--plugin-dir', 'no/such'] },
  'missing-prompt-file': { args: [...offline, 'hi', '--system-prompt-file', 'no-such.md'] },
  'two-prompts-files': { args: [...offline, 'hi', '--system-prompt', 'a', '--system-prompt-file', 'b'] },
  'unknown-session': { args: [...offline, '-r', 'nothing-like-it', 'hi'] },
  'nothing-to-continue': { args: [...offline, '-c', 'hi'] },
  'bad-session-file': {
    args: [...offline, '--session', 'file.txt', 'hi'],
    files: { 'file.txt': 'no session\n' },
  },
  'bad-session-id': { args: [...offline, '--session-id', 'no id', 'hi'] },
  'two-sessions': { args: [...offline, '-c', '-r', 'x', 'hi'] },
  'fork-of-nothing': { args: [...offline, '--fork', 'hi'] },
  'no-terminal': { args: ['--model', 'offline'] },
  'plain-without-terminal': { args: ['--model', 'offline', '--plain'], input: '/exit\n' },
  'unknown-slash-command': { args: [...offline, '/nothing-like-it'] },
  'mistyped-slash-command': { args: [...offline, '/hepl'] },
  'screen-only-command': { args: [...offline, '/theme'] },
  'goal-without-print': { args: ['--goal', 'x'] },
  'check-without-goal': { args: [...offline, '--check', 'true', 'hi'] },
  'partial-without-stream': { args: [...offline, '--include-partial-messages', 'hi'] },
  'channel-without-input': { args: [...offline, '--permission-prompt-tool', 'stdio', 'hi'] },
  'sandbox-required': { args: [...offline, '--sandbox', 'sometimes', 'hi'] },
  'worktree-outside-git': { args: [...offline, '-w', 'x', 'hi'] },
  'bad-worktree-name': { args: [...offline, '-w', '../x', 'hi'] },
  'missing-replay': { args: ['--replay', 'no-such.json', '-p', 'hi'] },
  'resume-word-of-codex': { args: ['exec', 'hi'] },
  'mistyped-subcommand': { args: ['sesions', 'list'] },
  'unknown-verb': { args: ['sessions', 'lst'] },
  'option-of-another': { args: ['sessions', 'list', '--model', 'x'] },
  'config-get-unknown': { args: ['config', 'get', 'no.such.key'] },
  'config-get-unset': { args: ['config', 'get', 'model'] },
  'config-set-bad': { args: ['config', 'set', 'maxTurns', 'many'] },
  'config-set': { args: ['config', 'set', 'language', 'de'] },
  'config-unset-absent': { args: ['config', 'unset', 'language'] },
  'permissions-check': { args: ['permissions', 'check', 'rm -rf /'] },
  'permissions-check-nothing': { args: ['permissions', 'check'] },
  'mcp-get-unknown': { args: ['mcp', 'get', 'nothing'] },
  'mcp-add-bad': { args: ['mcp', 'add', 'x'] },
  'plugin-install-missing': { args: ['plugin', 'install', './no-such'] },
  'plugin-validate-missing': { args: ['plugin', 'validate', 'no-such'] },
  'login-without-terminal': { args: ['login', 'anthropic'] },
  'logout-unknown': { args: ['logout', 'nobody'] },
  'completion-unknown': { args: ['completion', 'tcsh'] },
  'import-missing': { args: ['sessions', 'import', 'no-such'] },
  'import-unknown-program': { args: ['sessions', 'import', '--from', 'nobody'] },
  'usage-bad-date': { args: ['usage', '--since', 'someday'] },
  'fleet-empty': { args: ['fleet', 'list'] },
  'fleet-show-unknown': { args: ['fleet', 'show', '99'] },
  'run-missing': { args: ['run', 'no-such.md'] },
  'reset-nothing': { args: ['--reset'] },
  'uninstall-dry': { args: ['uninstall', '--dry-run', '--json'] },
  'web-bad-port': { args: ['web', 'serve', '--port', 'x'] },
  'acp-unknown-option': { args: ['acp', '--nothing'] },
  'key-in-option': {
    args: [
      '--model',
      'anthropic/claude-sonnet-4-6',
      '--api-key',
      'sk-secret-0123456789',
      '--base-url',
      'http://127.0.0.1:9',
      '-p',
      'hi',
    ],
    settings: { retry: { maxRetries: 0 } },
  },
  'http-elsewhere': {
    args: [
      '--model',
      'anthropic/claude-sonnet-4-6',
      '--api-key',
      'sk',
      '--base-url',
      'http://example.invalid',
      '-p',
      'hi',
    ],
  },
};
