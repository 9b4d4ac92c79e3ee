import { recordAll } from '../scripted.ts';
import type { Files, GoldenTools, Section } from '../tools.ts';

/** Output of `robota permissions`: list, check and suggest. */
export const section: Section = {
  name: 'permissions-command',
  record: (language, tools) =>
    recordAll(
      Object.fromEntries(
        Object.entries(groups)
          .filter(
            ([name]) =>
              language === 'en' || ['list-of-nothing', 'check-as-json', 'suggest-of-nothing'].includes(name),
          )
          .map(([name, group]) => [`${name}.txt`, () => recordGroup(tools, group)]),
      ),
    ),
};

interface Group {
  readonly own?: Files;
  readonly project?: Files;
  /** Approvals of the user in the project, the oldest first. */
  readonly approvals?: readonly object[];
  /** Words behind `permissions`, each list a run. */
  readonly runs: readonly (readonly string[])[];
  /** Standard input of the last run. */
  readonly input?: string;
}

async function recordGroup(
  tools: GoldenTools,
  { own = {}, project = {}, approvals = [], runs, input }: Group,
) {
  const cwd = await tools.folder(project);
  const approved = approvals.map(
    (one) => `${JSON.stringify({ time: '2024-05-01T10:00:00.000Z', cwd, ...one })}\n`,
  );
  const home = await tools.home({
    ...own,
    ...(approved.length > 0 ? { '.robota/approvals.jsonl': approved.join('') } : {}),
  });
  const texts: string[] = [];
  for (const [index, words] of runs.entries()) {
    const isLast = index === runs.length - 1;
    const outcome = await tools.run(['permissions', ...words], {
      home,
      cwd,
      ...(isLast && input !== undefined ? { input } : {}),
    });
    texts.push(
      `$ robota permissions ${words.map((word) => JSON.stringify(word)).join(' ')}\n${describe(outcome)}`,
    );
  }
  return tools.normalise(texts.join('\n'));
}

function describe({
  stdout,
  stderr,
  code,
}: {
  stdout: string;
  stderr: string;
  code: number | string;
}): string {
  return `${stdout}${stderr === '' ? '' : `── standard error\n${stderr}`}── exit ${code}\n`;
}

const settings = {
  permissions: {
    defaultMode: 'acceptEdits',
    allow: ['Bash(npm test *)', 'Bash(npm test)', 'Bsh(ls)', 'Read(~/notes/**)', 'Bash(rm *)'],
    ask: ['Bash(git push *)'],
    deny: ['Bash(rm *)', 'Read(.env)', 'WebFetch(domain:evil.example.com)'],
  },
};
const own = { '.robota/settings.json': settings };
const project = {
  '.agentignore': '# not for agents\nsecrets/\n*.pem\n',
  'secrets/a.txt': 'x',
  '.claude/settings.json': { permissions: { allow: ['Bash(make *)'], deny: ['Bash(docker *)'] } },
  '.robota/settings.local.json': { permissions: { allow: ['Bash(ls -la)'] } },
};
const command = (text: string, rules: readonly string[], kind = 'once') => ({
  tool: 'Bash',
  command: text,
  kind,
  rules,
});

const groups: Readonly<Record<string, Group>> = {
  list: {
    own,
    project,
    runs: [
      ['list'],
      ['list', '--trust-project'],
      ['list', '--json'],
      ['list', '--mode', 'plan', '--allow', 'Bash(x)', '--deny', 'Read(y)'],
    ],
  },
  'list-of-nothing': { runs: [['list'], ['list', '--json']] },
  check: {
    own,
    project,
    runs: [
      ['check', 'npm test'],
      ['check', 'npm test && git push origin main'],
      ['check', 'make'],
      ['check', 'git push --force'],
      ['check', 'cat secrets/a.txt'],
      ['check', '--tool', 'Read', '--path', 'secrets/a.txt'],
      ['check', '--tool', 'WebFetch', '--url', 'https://evil.example.com/x'],
    ],
  },
  'check-as-json': {
    own,
    project,
    runs: [
      ['check', '--json', 'npm test'],
      ['check', '--json', 'git push --force'],
      ['check', '--json', 'touch x && curl y'],
      ['check', '--json', '--mode', 'plan', '--allow', 'Bash(make *)', 'make'],
      ['check', '--json', '--tool', 'Write', '--path', '../x'],
    ],
  },
  'check-wrongly': {
    runs: [
      ['check', '--tool', 'Bash', 'ls'],
      ['check', '--tool', 'Dance', '--path', 'x'],
      ['check', '--path', 'x'],
      ['check', '--mode', 'yolo', 'ls'],
      ['check', '--allow', 'Bash(npm', 'npm test'],
      ['check', '--cwd', '/no/such', 'ls'],
      ['check', '--dance', 'ls'],
      ['explain', 'ls'],
    ],
  },
  'check-lines': {
    runs: [['check']],
    input: [
      '{"id": 1, "command": "ls"}',
      '{"id": 2, "rules": {"deny": ["Bash(ls)"]}, "command": "ls -la && ls"}',
      '{"id": 3, "tool": "Read", "path": "src/a.ts"}',
      '{"id": 4, "tool": "WebFetch", "url": "https://example.com"}',
      '{"id": 5, "rules": {"allow": ["Bash(npm"]}, "command": "npm test"}',
      'no json',
      '[]',
      '{"id": 7, "command": 1}',
      '{"rules": {"deny": "x"}, "command": "ls"}',
      '{"mode": "plam", "command": "ls"}',
      '{}',
    ].join('\n'),
  },
  suggest: {
    own,
    project,
    approvals: [
      command('npm run build', ['Bash(npm run build)']),
      command('npm run build', ['Bash(npm run build)']),
      command('npm run lint', ['Bash(npm run lint)']),
      command('npm run lint', ['Bash(npm run lint)'], 'session'),
      command('git commit -m "a"', ['Bash(git commit *)']),
      command('git commit -m "b"', ['Bash(git commit *)']),
      command('git push --force', []),
      command('rm -rf dist', ['Bash(rm -rf dist)']),
      command('rm -rf dist', ['Bash(rm -rf dist)']),
      { tool: 'Write', path: 'src/a.ts', kind: 'once', rules: ['Edit(/src/a.ts)'] },
      { tool: 'Write', path: 'src/b.ts', kind: 'once', rules: ['Edit(/src/b.ts)'] },
      {
        tool: 'WebFetch',
        url: 'https://docs.example.com/',
        kind: 'once',
        rules: ['WebFetch(domain:docs.example.com)'],
      },
      {
        tool: 'WebFetch',
        url: 'https://docs.example.com/',
        kind: 'once',
        rules: ['WebFetch(domain:docs.example.com)'],
      },
    ],
    runs: [['suggest'], ['suggest', '--json'], ['suggest', '--save'], ['suggest']],
  },
  'suggest-of-nothing': { runs: [['suggest'], ['suggest', '--json'], ['suggest', '--save']] },
};
