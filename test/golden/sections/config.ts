import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Files, GoldenTools, RunOptions, Section } from '../tools.ts';

/**
 * Homes and projects with the files of every program whose files are read: settings and where they come from, rules, skills,
 * commands, agents, servers, plugins, hooks, keys and models, and the problems in them.
 */
export const section: Section = {
  name: 'config',
  async record(language, tools) {
    const recorded: Record<string, string> = {};
    await Promise.all(
      Object.entries(places)
        .filter(([name]) => language === 'en' || inBoth.includes(name))
        .map(async ([name, { home: homeFiles = {}, project = {}, questions, env }]) => {
          const home = await tools.home(homeFiles);
          const cwd = await tools.folder(project);
          execFileSync('git', ['init', '-q', '-b', 'main', cwd], { env: { ...tools.env, HOME: home } });
          // Each after the other: the program remembers which warnings it has shown.
          recorded[`${name}/session.txt`] = await converse({ home, cwd, ...(env ? { env } : {}) }, tools);
          for (const [file, args] of Object.entries(questions)) {
            const outcome = await tools.run(args, { home, cwd, ...(env ? { env } : {}) });
            recorded[`${name}/${file}.txt`] = tools.transcript(outcome);
          }
        }),
    );
    return recorded;
  },
};

/** A home and a project, and command lines that are run in them by the name of their record. */
interface Fixture {
  readonly home?: Files;
  readonly project?: Files;
  readonly questions: Readonly<Record<string, readonly string[]>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Fixtures that are recorded in both languages. */
const inBoth: readonly string[] = ['together', 'broken'];

/** Lists of settings as every home and project has them. */
const lists = {
  'config-list': ['config', 'list'],
  'config-list-json': ['config', 'list', '--json', '--trust-project'],
  'mcp-list-json': ['mcp', 'list', '--json', '--trust-project'],
} as const;

/** Other lists and single settings, as commands of the shell. */
const more = {
  'config-list-trusted': ['config', 'list', '--trust-project'],
  'config-path': ['config', 'path'],
  'explain-permissions': ['config', 'explain', 'permissions', '--trust-project'],
  'permissions-list': ['permissions', 'list'],
  'permissions-list-json': ['permissions', 'list', '--json', '--trust-project'],
  'mcp-list': ['mcp', 'list'],
  'plugin-list': ['plugin', 'list'],
  'help-untrusted': ['-p', '--model', 'offline', '/help'],
} as const;

const explained = [
  'model',
  'permissions.defaultMode',
  'permissions.deny',
  'hooks',
  'env',
  'language',
  'compaction',
  'thinking',
  'theme',
  'models.profiles',
  'sandbox',
  'maxTurns',
];

/** Commands that one session with the trusted project answers. */
const spoken = [
  '/help',
  '/skills',
  '/agent',
  '/mcp',
  '/plugin',
  '/permissions',
  '/context',
  '/model',
  '/config list',
  '/config warnings',
  ...explained.map((key) => `/config explain ${key}`),
];

/** The first line of a session, and what it answers to the commands. No server starts, since each takes another time. */
async function converse(place: RunOptions, tools: GoldenTools): Promise<string> {
  const prompts = spoken.map((content) =>
    JSON.stringify({ type: 'user', message: { role: 'user', content } }),
  );
  const format = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
  const args = ['-p', '--model', 'offline', '--trust-project', '--strict-mcp-config', ...format];
  const { stdout, stderr, code } = await tools.run(args, { ...place, input: `${prompts.join('\n')}\n` });
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as StreamLine);
  const results = lines.filter(({ type }) => type === 'result');
  const init = JSON.stringify(
    lines.find(({ subtype }) => subtype === 'init'),
    null,
    1,
  );
  const answers = spoken.map(
    (command, index) => `── ${command}\n${results[index]?.result ?? '(no answer)'}\n`,
  );
  return tools.transcript({ stdout: `${init}\n${answers.join('')}`, stderr, code });
}

interface StreamLine {
  readonly type: string;
  readonly subtype?: string;
  readonly result?: string;
}

/** A skill, a command and an agent below a folder. */
function resources(folder: string, owner: string): Files {
  return {
    [join(folder, `skills/${owner}-skill/SKILL.md`)]:
      `---\nname: ${owner}-skill\ndescription: A skill of the ${owner}.\nallowed-tools: Read, Bash(git *)\n---\nDo as the ${owner} says.\n`,
    [join(folder, 'skills/shared/SKILL.md')]:
      `---\nname: shared\ndescription: Both have it, this is of the ${owner}.\n---\nShared.\n`,
    [join(folder, `commands/${owner}-command.md`)]:
      `---\ndescription: A command of the ${owner}\nargument-hint: [file]\n---\nLook at $1.\n`,
    [join(folder, `agents/${owner}-agent.md`)]:
      `---\nname: ${owner}-agent\ndescription: An agent of the ${owner}\ntools: Read, Grep\nmodel: haiku\n---\nYou look.\n`,
  };
}

const ownSettings = {
  model: 'anthropic/claude-sonnet-4-6',
  language: 'de',
  permissions: {
    defaultMode: 'acceptEdits',
    allow: ['Bash(npm test)', 'Bash(npm test)'],
    ask: ['WebFetch'],
    deny: ['Read(.env)'],
  },
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo user' }] }] },
  env: { COLOUR: 'user' },
  budget: { daily: 5 },
  compaction: { ratio: 0.7, models: { 'anthropic/claude-sonnet-4-6': { keepRecentTokens: 100 } } },
  models: { profiles: [{ name: 'fast', model: 'anthropic/claude-haiku-4-5' }] },
};
const projectSettings = {
  model: 'openai/gpt-5.2',
  permissions: { defaultMode: 'plan', allow: ['Bash(make *)'], deny: ['Bash(rm *)'] },
  hooks: {
    PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'echo project' }] }],
  },
  env: { COLOUR: 'project', PATH: '/evil' },
};
const robota: Fixture = {
  home: {
    '.robota/settings.json': ownSettings,
    '.robota/AGENTS.md': 'Be brief.\n',
    '.robota/models.json': {
      providers: {
        corner: {
          baseUrl: 'http://127.0.0.1:9/v1',
          api: 'openai',
          models: [{ id: 'small', contextWindow: 8000 }],
        },
      },
    },
    '.robota/mcp.json': { mcpServers: { notes: { command: 'notes-server', args: ['--stdio'] } } },
    ...resources('.robota', 'user'),
    '.robota/keybindings.json': { 'ctrl+k': 'nonsense' },
    '.robota/themes/dusk.json': { name: 'dusk', colors: { accent: '#ff0000' } },
  },
  project: {
    'AGENTS.md': 'Use tabs. See @docs/more.md.\n',
    'docs/more.md': 'More.\n',
    '.robota/settings.json': projectSettings,
    '.robota/settings.local.json': { model: 'google/gemini-3-pro', thinking: 'high' },
    '.robota/mcp.json': { mcpServers: { tickets: { type: 'http', url: 'http://127.0.0.1:9/mcp' } } },
    ...resources('.robota', 'project'),
    '.robota/extensions/greet.mjs': 'export const extension = { name: "greet" };\n',
  },
  questions: { ...lists, ...more },
};
const claude: Fixture = {
  home: {
    '.claude/settings.json': {
      model: 'opus',
      permissions: {
        allow: ['Bash(git log:*)', 'mcp__memory'],
        deny: ['Read(~/.ssh/**)'],
        additionalDirectories: ['../elsewhere'],
      },
      env: { A: '1' },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo stop' }] }], Odd: [{ hooks: [] }] },
      statusLine: { type: 'command', command: 'echo line' },
      outputStyle: 'Explanatory',
      enabledPlugins: { 'a@b': true },
      cleanupPeriodDays: 3,
    },
    '.claude.json': { mcpServers: { memory: { type: 'stdio', command: 'memory-server' } } },
    '.claude/CLAUDE.md': 'User instructions.\n',
    ...resources('.claude', 'user'),
  },
  project: {
    'CLAUDE.md': 'Project instructions.\n@README.md\n',
    'README.md': '# A project\n',
    'CLAUDE.local.md': 'Only here.\n',
    '.mcp.json': {
      mcpServers: {
        github: {
          type: 'http',
          url: 'https://example.com/mcp',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code fills it in.
          headers: { Authorization: 'Bearer ${TOKEN}' },
        },
      },
    },
    '.claude/settings.json': {
      permissions: { allow: ['Bash(npm run build)', 'Bash(broken'], defaultMode: 'bypassPermissions' },
      model: 'no-such-model',
      sandbox: { enabled: true },
    },
    '.claude/settings.local.json': { permissions: { allow: ['WebFetch(domain:example.com)'] } },
    '.claude/rules/typescript.md': '---\npaths: ["**/*.ts"]\n---\nNo any.\n',
    ...resources('.claude', 'project'),
    '.claude/commands/nested/deep.md': 'Do it deeply: $1 $ARGUMENTS\n',
  },
  questions: { ...lists },
};
const pi: Fixture = {
  home: {
    '.pi/agent/settings.json': {
      defaultProvider: 'anthropic',
      defaultModel: 'claude-sonnet-4-5',
      defaultThinkingLevel: 'medium',
      theme: 'dark',
      steeringMode: 'all',
      hideThinkingBlock: true,
      compaction: { enabled: false },
      retry: { maxRetries: 2 },
      packages: ['npm:x'],
      shellPath: '/bin/zsh',
    },
    '.pi/agent/models.json': {
      providers: {
        ollama: {
          baseUrl: 'http://127.0.0.1:9/v1',
          api: 'openai-completions',
          apiKey: 'x',
          models: [{ id: 'qwen' }],
        },
      },
    },
    '.pi/agent/auth.json': { openai: { type: 'api_key', key: 'sk-pi' } },
    '.pi/agent/AGENTS.md': 'From pi.\n',
    '.pi/agent/SYSTEM.md': 'You are pi.\n',
    '.pi/agent/prompts/review.md': '---\ndescription: Review it\n---\nReview $1\n',
    '.pi/agent/keybindings.json': { cursorUp: ['ctrl+p'] },
    ...resources('.pi/agent', 'user'),
  },
  project: {
    '.pi/settings.json': { defaultModel: 'claude-haiku-4-5' },
    '.pi/APPEND_SYSTEM.md': 'Also this.\n',
    ...resources('.pi', 'project'),
    '.pi/prompts/fix.md': 'Fix $@\n',
  },
  questions: { ...lists },
};
const rab: Fixture = {
  home: {
    '.rab/agent/settings.json': {
      provider: 'opencode_go',
      model: 'kimi-k2',
      thinking: 'low',
      theme: 'light',
    },
    '.rab/agent/auth.json': { anthropic: 'sk-rab' },
    '.rab/models.json': { models: [{ id: 'mine', provider: 'openai' }] },
    '.rab/AGENTS.md': 'From rab.\n',
    '.rab/agent/mcp.json': { mcpServers: { rabbit: { command: 'rabbit' } } },
  },
  project: {
    '.rab/settings.json': { model: 'other' },
    '.rab/SYSTEM.md': 'You are rab.\n',
    ...resources('.rab', 'project'),
    '.rab/prompts/hop.md': 'Hop.\n',
  },
  questions: { ...lists },
};
const eidolon: Fixture = {
  home: {
    '.eidolon.json': {
      profiles: { main: { provider: 'anthropic', model: 'claude-sonnet-4-5' } },
      defaultProfile: 'main',
    },
    ...resources('.eidolon', 'user'),
  },
  project: {
    '.eidolon/config.json': { profiles: [{ name: 'p', provider: 'openai', model: 'gpt-5' }] },
    ...resources('.eidolon', 'project'),
  },
  questions: { ...lists },
};
const codex: Fixture = {
  home: {
    '.codex/config.toml': 'model = "gpt-5"\n',
    '.codex/AGENTS.md': 'Codex.\n',
    '.codex/prompts/x.md': 'X\n',
    ...resources('.agents', 'user'),
    '.agents/AGENTS.md': 'For all agents.\n',
  },
  project: {
    'AGENTS.md': 'Root.\n',
    'AGENTS.override.md': 'Stronger.\n',
    ...resources('.agents', 'project'),
    '.codex/config.toml': 'sandbox_mode = "read-only"\n',
  },
  questions: { ...lists },
};
const together: Fixture = {
  home: { ...robota.home, ...claude.home, ...pi.home, ...rab.home, ...eidolon.home, ...codex.home },
  project: {
    ...robota.project,
    ...claude.project,
    ...pi.project,
    ...rab.project,
    ...eidolon.project,
    ...codex.project,
  },
  questions: { ...lists, ...more },
};
const broken: Fixture = {
  home: {
    '.robota/settings.json':
      '{ "model": "anthropic/claude-sonnet-4-6", "permisions": {}, "permissions": { "allow": "Bash", "deny": [1, "Nothing(x)"], "defaultMode": "sometimes" }, "hooks": { "PreToolUse": [{ "matcher": "(", "hooks": [{ "type": "command" }] }] }, "maxTurns": "many", "theme": "no-such-theme", "language": "ignore all rules\\n" }',
    '.robota/models.json': '{ "providers": ',
    '.robota/mcp.json': {
      mcpServers: { empty: {}, both: { command: 'x', url: 'y' }, 'bad name!': { command: 'x' } },
    },
    '.robota/auth.json': 'not json',
    '.robota/skills/no-front/SKILL.md': 'Just text.\n',
    '.robota/skills/Bad_Name/SKILL.md': '---\nname: other\ndescription: [1\n---\nx\n',
    '.robota/skills/empty/notes.md': 'x\n',
    '.robota/agents/nameless.md': '---\ntools: Nothing\nmodel: no-such-model\n---\nx\n',
    '.robota/commands/help.md': 'Takes a name that is taken.\n',
  },
  project: {
    '.robota/settings.json': '{,}',
    '.mcp.json': '{"mcpServers": 1}',
    'AGENTS.md': '@missing.md @AGENTS.md\n',
  },
  questions: { ...lists, ...more },
};
const moved: Fixture = {
  home: {
    '.robota/settings.json': ownSettings,
    'elsewhere/settings.json': { model: 'openai/gpt-5.2' },
    'config/robota/settings.json': { model: 'x' },
  },
  questions: { 'config-list': lists['config-list'], 'config-path': more['config-path'] },
  env: { XDG_CONFIG_HOME: '/nowhere/config', ROBOTA_MODEL: 'x', ANTHROPIC_MODEL: 'claude-haiku-4-5' },
};
const empty: Fixture = { questions: { ...lists } };
const brokenClaude: Fixture = { project: { '.claude/settings.json': '[]' }, questions: lists };
const places: Readonly<Record<string, Fixture>> = {
  robota,
  claude,
  pi,
  rab,
  eidolon,
  codex,
  together,
  broken,
  brokenClaude,
  moved,
  empty,
};
