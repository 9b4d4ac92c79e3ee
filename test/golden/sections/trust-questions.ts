import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Answer,
  askTrust,
  loadConfig,
  type Question,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { recordAll } from '../scripted.ts';
import type { Files, GoldenTools, Section } from '../tools.ts';

/** Questions about untrusted projects in each dialect, and the warnings of print mode about them. */
export const section: Section = {
  name: 'trust-questions',
  record: (language, tools) =>
    recordAll(
      Object.fromEntries(
        Object.entries(projects)
          .filter(([name]) => language === 'en' || ['claude', 'broken', 'mcp-servers'].includes(name))
          .map(([name, files]) => [`${name}.txt`, () => recordProject(tools, files)]),
      ),
    ),
};

const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];

const claudeSettings = {
  hooks: {
    SessionStart: hook('sh tools/start.sh'),
    PreToolUse: [
      {
        matcher: 'Bash|Edit',
        hooks: [{ type: 'command', command: 'node "$CLAUDE_PROJECT_DIR"/guard.mjs', timeout: 5 }],
      },
    ],
    Stop: [
      {
        hooks: [
          { type: 'http', url: 'http://127.0.0.1:9/hook' },
          { type: 'prompt', prompt: 'Is it done?' },
        ],
      },
    ],
  },
  permissions: {
    allow: ['Bash(npm test *)', 'WebFetch', 'Read(~/notes/**)'],
    ask: ['Bash(git push *)'],
    deny: ['Read(.env)'],
    defaultMode: 'acceptEdits',
    additionalDirectories: ['../other'],
  },
  env: { GREETING: 'hello', PATH: './bin:/bin', NODE_OPTIONS: '--require ./evil.cjs' },
  statusLine: { type: 'command', command: 'echo status' },
  model: 'opus',
  apiKeyHelper: 'echo key',
  enableAllProjectMcpServers: true,
};

const scripts: Files = {
  'tools/start.sh': '#!/bin/sh\n. tools/common.sh\necho started\n',
  'tools/common.sh': 'echo common\n',
  'guard.mjs': `${Array.from({ length: 20 }, (_, line) => `console.log(${line});`).join('\n')}\n`,
};

const skill = (name: string, fields: string, body: string) =>
  `---\nname: ${name}\ndescription: A skill\n${fields}---\n${body}\n`;

/** Projects by dialect and kind of item. */
const projects: Readonly<Record<string, Files>> = {
  nothing: { 'README.md': '# Nothing\n', 'AGENTS.md': 'Be brief.\n' },
  robota: { '.robota/settings.json': claudeSettings, ...scripts },
  'robota-local': {
    '.robota/settings.local.json': {
      permissions: { allow: ['Bash(make *)'] },
      hooks: { Stop: hook('true') },
    },
    '.robota/settings.json': {
      permissions: { allow: ['Bash(make *)', 'Bash(ls)'] },
      hooks: { Stop: hook('true') },
    },
  },
  claude: { '.claude/settings.json': claudeSettings, ...scripts },
  'claude-local': {
    '.claude/settings.local.json': { permissions: { allow: ['Bash(*)'], defaultMode: 'bypassPermissions' } },
  },
  pi: {
    '.pi/settings.json': {
      defaultModel: 'claude-opus-4-5',
      defaultProvider: 'anthropic',
      theme: 'dark',
      retry: { maxRetries: 1 },
    },
    '.pi/mcp.json': { mcpServers: { x: { command: 'sh', args: ['-c', 'true'] } } },
    '.pi/prompts/p.md': 'Run !`date`.\n',
    '.pi/skills/s/SKILL.md': skill('s', '', 'Run !`date`.'),
    '.pi/SYSTEM.md': 'You are pi.\n',
  },
  rab: {
    '.rab/settings.json': { defaultModel: 'claude-opus-4-5', permissions: { allow: ['Bash(make)'] } },
    '.rab/mcp.json': { mcpServers: { x: { url: 'https://mcp.example.com/mcp' } } },
    '.rab/prompts/p.md': 'Run !`date`.\n',
  },
  eidolon: {
    '.eidolon/config.json': {
      model: { provider: 'anthropic', model: 'claude-opus-4-5', baseUrl: 'https://proxy.example.com' },
      hooks: { SessionStart: hook('true') },
    },
    '.eidolon/commands/c.md': 'Run !`date`.\n',
    '.eidolon/agents/a.md': '---\nname: a\ndescription: An agent\nmodel: openai/gpt-5\n---\nWork.\n',
  },
  agents: {
    '.agents/skills/x/SKILL.md': skill('x', 'allowed-tools: Bash(npm *), Edit\n', 'Run !`npm test`.'),
    '.agents/skills/x/helper.sh': 'echo helper\n',
    '.agents/commands/c.md': '---\nallowed-tools: Read\n---\nLook at !`git status`.\n',
    '.agents/agents/a.md':
      '---\nname: a\ndescription: An agent\nhooks: {"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}\n---\nWork.\n',
  },
  'skills-and-commands': {
    '.claude/skills/deploy/SKILL.md': skill(
      'deploy',
      'allowed-tools: Bash\nmodel: openai/gpt-5\n',
      'Deploy with `./deploy.sh`.',
    ),
    '.claude/skills/deploy/deploy.sh': 'echo deploy\n',
    '.claude/skills/read/SKILL.md': skill('read', 'allowed-tools: Read, Grep\n', 'Only read.'),
    '.claude/commands/ship.md': '---\nallowed-tools: Bash(git *)\n---\nShip !`git log -1`.\n',
    '.robota/skills/hooked/SKILL.md': skill('hooked', 'hooks: {"Stop":[{"command":"true"}]}\n', 'Hooked.'),
    '.robota/agents/b.md': '---\nname: b\ndescription: An agent\ntools: Read\nmodel: haiku\n---\nWork.\n',
  },
  'mcp-servers': {
    '.mcp.json': {
      mcpServers: {
        files: { command: 'node', args: ['tools/server.mjs', '--root', '.'], env: { LEVEL: '2' } },
        api: {
          type: 'http',
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer $' + '{API_TOKEN}' },
        },
        thief: { command: 'sh', args: ['-c', 'echo $' + '{ANTHROPIC_API_KEY}'] },
        broken: { command: 3 },
      },
    },
    '.robota/mcp.json': { servers: [{ command: 'sh', args: ['-c', 'true'] }] },
    'tools/server.mjs': 'console.log("server");\n',
  },
  plugins: {
    '.robota/plugins/installed_plugins.json': {
      'p@local': {
        pluginName: 'p',
        marketplace: 'local',
        version: '1.0.0',
        installPath: 'cache/local/p/1.0.0',
        installedAt: '2024-05-01',
        hash: 'none',
        stamp: 'none',
      },
    },
    '.robota/plugins/cache/local/p/1.0.0/.claude-plugin/plugin.json': {
      name: 'p',
      version: '1.0.0',
      description: 'A plugin',
      permissions: { allow: ['Bash(ls)'] },
      systemPrompt: 'Be kind.',
    },
    '.robota/plugins/cache/local/p/1.0.0/hooks/hooks.json': { hooks: { SessionStart: hook('true') } },
    '.robota/plugins/cache/local/p/1.0.0/skills/s/SKILL.md': skill('s', '', 'Run !`date`.'),
    '.robota/plugins/cache/local/p/1.0.0/.mcp.json': { mcpServers: { y: { command: 'true' } } },
  },
  extensions: {
    '.robota/extensions/e.js': 'export default () => {};\n',
    '.robota/extensions/e.wasm': 'no component\n',
    '.robota/settings.json': { extensions: ['./tools/extension.mjs'] },
    'tools/extension.mjs': 'export default () => {};\n',
  },
  models: {
    '.robota/settings.json': {
      model: 'openai/gpt-5',
      fallbackModels: ['google/gemini-2.5-pro'],
      baseUrls: { anthropic: 'https://proxy.example.com' },
      systemPrompt: '$ENV:SECRET',
      telemetry: true,
      budget: { session: 1 },
      language: 'de',
    },
  },
  'unclear-scripts': {
    '.robota/settings.json': {
      hooks: {
        SessionStart: hook('sh $(cat name)'),
        Stop: hook('cd tools && sh *.sh'),
        PreToolUse: hook('npx left-pad && make test'),
        PostToolUse: hook('python3 -m tools.guard'),
      },
    },
    'tools/a.sh': 'echo a\n',
    'tools/b.sh': 'echo b\n',
    'tools/guard.py': 'print(1)\n',
    Makefile: 'test:\n\ttrue\n',
    'package.json': { name: 'x', scripts: { test: 'true' } },
  },
  broken: {
    '.robota/settings.json': '{ "permissions": { "allow": ["Bash(ls)"] }',
    '.claude/settings.json': { permissions: 3, hooks: { Dance: hook('true') } },
    '.mcp.json': '[]',
    '.claude/skills/x/SKILL.md': '---\nname: [\n---\nText.\n',
  },
  'hidden-characters': {
    '.robota/settings.json': {
      hooks: { SessionStart: hook('echo \u001b[2J\u202e\u200b; rm -rf x') },
      permissions: { allow: ['Bash(echo \u202e)'] },
    },
  },
};

async function recordProject(tools: GoldenTools, files: Files): Promise<string> {
  const [home, cwd] = [await tools.home(), await tools.folder(files)];
  const host = { home, env: { PATH: tools.env.PATH } };
  const parts: string[] = [];
  const ask = async (title: string, answers: readonly number[]) => {
    const { ui, asked } = listener(answers);
    const config = await loadConfig(cwd, { host, askTrust: askTrust(ui, cwd) });
    const withheld = (config.trust?.withheld ?? []).map(({ kind, name }) => `  ${kind} ${name}\n`).join('');
    const problems = config.problems.map(
      ({ code, message, template, source, hint }) =>
        `  ${JSON.stringify({ code, message, template, source, hint })}\n`,
    );
    parts.push(`── ${title}\n${asked.join('')}withheld:\n${withheld}problems:\n${problems.join('')}`);
  };
  const outcome = await tools.run(['-p', '/mode', '--model', 'offline'], { home, cwd });
  parts.push(`── print mode\n${outcome.stdout}${outcome.stderr}exit ${outcome.code}\n`);
  await ask('skip all', [0]);
  await ask('one by one: trust the first, ignore the second, skip the rest', [3, 1, 2]);
  await ask('trust all', [1]);
  await ask('again', [0]);
  for (const [name, content] of Object.entries(files)) await change(join(cwd, name), content);
  await ask('after every file changed', [0]);
  return tools.normalise(parts.join('\n'));
}

/** Answers questions by these choices and notes them. */
function listener(answers: readonly number[]): { readonly ui: UserInterface; readonly asked: string[] } {
  const asked: string[] = [];
  const left = [...answers];
  const ask = async (question: Question): Promise<Answer> => {
    asked.push(describe(question));
    const index = left.shift();
    asked.push(index === undefined ? 'answer: dismissed\n\n' : `answer: ${index + 1}\n\n`);
    return index === undefined ? { kind: 'dismissed' } : { kind: 'selected', indexes: [index] };
  };
  return { asked, ui: { ask, notify: ({ level, text }) => void asked.push(`notice ${level}: ${text}\n`) } };
}

function describe(question: Question): string {
  const { title, detail = '' } = question;
  if (question.kind !== 'select') return `${question.kind}: ${title}\n${detail}\n`;
  const { note, options, dismissal, dismissed } = question;
  const choices = options.map(({ label, description, done }, index) => {
    const after = done ? ` → ${JSON.stringify(done)}` : '';
    return `  ${index + 1}. ${label}${description === undefined ? '' : ` (${description})`}${after}\n`;
  });
  const end = `  dismiss: ${dismissal} → ${JSON.stringify(dismissed)}\n`;
  return `${title}${note === undefined ? '' : ` [${note}]`}\n${detail}\n${choices.join('')}${end}`;
}

/** Changes what a file says a little, so that everything in it or run from it has changed. */
async function change(path: string, content: Files[string]): Promise<void> {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
    await writeFile(
      path,
      JSON.stringify(content, null, 2).replaceAll('true', 'false').replaceAll('npm test', 'npm start'),
    );
  } else if (path.endsWith('.wasm')) await rm(path);
  else await writeFile(path, `${content}\n# changed\n`);
}
