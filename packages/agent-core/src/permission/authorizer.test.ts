import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import type { AuthorizationRequest } from '../loop/agent-run.ts';
import type { Display } from '../message/display.ts';
import { jsonSchema } from '../shape/json-schema.ts';
import type { Access } from '../tool/access.ts';
import { textOutput } from '../tool/tool.ts';
import type { Answer, Question, UserInterface } from '../tool/user-interface.ts';
import { type Approval, Authorizer, type AuthorizerOptions } from './authorizer.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import type { PermissionMode } from './policy/mode.ts';

type Select = Extract<Question, { kind: 'select' }>;

/** Questions that wait until the test answers them. */
function slowPerson() {
  const open: { question: Select; answer(label: RegExp, text?: string): void }[] = [];
  const ui: UserInterface = {
    notify: () => {},
    ask: (question) =>
      new Promise<Answer>((resolve) => {
        if (question.kind !== 'select') return resolve({ kind: 'dismissed' });
        open.push({
          question,
          answer: (label, text) => {
            const index = question.options.findIndex((option) => label.test(option.label));
            resolve({ kind: 'selected', indexes: [index], ...(text === undefined ? {} : { text }) });
          },
        });
      }),
  };
  /** Waits until so many questions were asked, and gives the last of them. */
  const asked = async (count: number) => {
    await vi.waitFor(() => expect(open.length).toBeGreaterThanOrEqual(count));
    return open[count - 1] ?? fail();
  };
  return { ui, open, asked };
}

function fail(): never {
  throw new Error('There is no such question.');
}

const workspace = { cwd: '/ws', additional: [], home: '/home/u' };
const { signal } = new AbortController();

function requestOf(name: string, access: readonly Access[], input: object = {}): AuthorizationRequest {
  const tool = {
    name,
    description: '',
    input: jsonSchema({ type: 'object' }),
    access: () => access,
    execute: async () => textOutput(''),
  };
  const call = { type: 'tool-call', id: 'call-1', name, input: { ...input } } as const;
  return { tool, call, input, access, hook: undefined };
}

const run = (command: string) => requestOf('Bash', [{ kind: 'run', command, cwd: '/ws' }], { command });
const write = (path: string) => requestOf('Edit', [{ kind: 'write', path, real: path }], { file_path: path });

function authorizerOf(options: Partial<AuthorizerOptions> & { rules?: RuleTexts; mode?: PermissionMode }) {
  const { rules = {}, mode = 'default', ...rest } = options;
  const policy = { mode, rules: parseRules(rules, { source: 'test' }).rules, workspace };
  return new Authorizer({ policy: () => policy, ui: slowPerson().ui, ...rest });
}

describe('Authorizer', () => {
  it('says in a question that a command is dangerous, and why', async () => {
    proves('C-104');
    const { ui, asked } = slowPerson();
    void authorizerOf({ ui }).authorize(run('rm -rf ~/notes && git push -f'), signal);
    const { question } = await asked(1);
    expect(question.title).toBe('Run a command');
    expect(question.about?.dangers?.map(({ part, effect }) => `${part}: ${effect}`)).toEqual([
      "rm -rf ~/notes: deletes outside the workspace; /rewind can't restore it",
      'git push -f: force-pushes, which can overwrite commits',
    ]);
    expect(question.detail).toContain('! git push -f force-pushes, which can overwrite commits\n');
    expect(question.detail).toContain("Why you're asked: no rule can allow this, only you, once.");
    // No rule is offered.
    expect(question.options.map(({ label }) => label)).toEqual([
      'Allow once',
      'Deny, and say what to do instead',
    ]);
  });

  it('lists the commands of a line with the rule of each, and only rules that the question offers', async () => {
    const { ui, asked } = slowPerson();
    const rules = { allow: ['Bash(npm run *)'], ask: ['Bash(git push *)'] };
    const authorizer = authorizerOf({ ui, rules });
    const partsOf = async (command: string, count: number) => {
      void authorizer.authorize(run(command), signal);
      const { question, answer } = await asked(count);
      answer(/^Deny/);
      return question.about?.commands;
    };
    expect(await partsOf('npm run build && ls | sort; npx tsc -b', 1)).toEqual([
      { text: 'npm run build', isAllowed: true, rule: 'Bash(npm run *)' },
      { text: 'ls', isAllowed: true },
      { text: 'sort', isAllowed: true },
      { text: 'npx tsc -b', isAllowed: false, needs: ['Bash(npx tsc -b)'] },
    ]);
    expect(await partsOf('npm run build && git push origin main', 2)).toEqual([
      { text: 'npm run build', isAllowed: true, rule: 'Bash(npm run *)' },
      { text: 'git push origin main', isAllowed: false, rule: 'Bash(git push *)' },
    ]);
    // No rule is offered for something dangerous.
    expect(await partsOf('ls; rm -rf ~/notes', 3)).toEqual([
      { text: 'ls', isAllowed: true },
      { text: 'rm -rf ~/notes', isAllowed: false },
    ]);
    expect(await partsOf('npx tsc -b', 4)).toBeUndefined();
    // Nothing is split that cannot be read for certain.
    expect(await partsOf('ls && npx "tsc', 5)).toBeUndefined();
  });

  it('says which question of a message this is, and how many calls after it will be asked about', async () => {
    const { ui, asked } = slowPerson();
    const authorizer = authorizerOf({ ui, rules: { allow: ['Bash(ls *)'] } });
    const calls = [run('npm ci'), run('ls -a'), run('npm test'), run('npm start')];
    const places: unknown[] = [];
    const batch = {};
    for (const [index, call] of calls.entries()) {
      const later = async () => calls.slice(index + 1);
      const answer = authorizer.authorize({ ...call, batch: { of: batch, later } }, signal);
      if (index === 1) {
        await answer;
        continue;
      }
      const { question, answer: say } = await asked(places.length + 1);
      places.push([question.about?.asked, question.about?.waiting]);
      say(/Allow once/);
      await answer;
    }
    expect(places).toEqual([
      [undefined, 2],
      [1, 1],
      [2, undefined],
    ]);
  });

  it('names the script, and offers only exactly this one', async () => {
    const { ui, asked } = slowPerson();
    const saveRules = async () => new Map();
    void authorizerOf({ ui, saveRules }).authorize(run("python3 - <<'PY'\nprint(1)\nPY"), signal);
    const { question } = await asked(1);
    expect(question.title).toBe('Run a script with python3');
    expect(question.about?.program).toBe('python3');
    expect(question.options[1]).toMatchObject({
      label: 'Allow exactly this script in this session',
      description: 'any change asks again',
    });
  });

  it.each([
    ['npm test', "`npm test` isn't read-only, and no rule allows it."],
    ['npm publish --access public', "`npm publish --access public` isn't read-only, and no rule allows it."],
    ['while true; do ls; done', 'it contains a loop; only a rule for the exact command can allow it.'],
    ['git push', 'your rule ask Bash(git push) matches.'],
  ])('says why %s is asked', async (command, why) => {
    const { ui, asked } = slowPerson();
    void authorizerOf({ ui, rules: { ask: ['Bash(git push)'] } }).authorize(run(command), signal);
    expect((await asked(1)).question.about?.reason).toBe(why);
  });

  it('says in a few words what else is asked, with paths as a user writes them', async () => {
    const requests = [
      write('/ws/src/cart.js'),
      write('/ws/.git/config'),
      requestOf('Read', [{ kind: 'read', path: '/home/u/notes', real: '/home/u/notes' }]),
      requestOf('WebFetch', [{ kind: 'fetch', url: 'https://docs.example.com/tax' }]),
      requestOf('mcp__github__create_issue', [], { title: 'x' }),
    ];
    const shown: unknown[] = [];
    for (const request of requests) {
      const { ui, asked } = slowPerson();
      void authorizerOf({ ui, saveRules: async () => new Map() }).authorize(request, signal);
      const { question } = await asked(1);
      const project = question.options.find(({ label }) => label.endsWith('in this project'));
      shown.push([question.title, question.about?.reason, project?.label, project?.description]);
    }
    expect(shown).toEqual([
      [
        'Edit src/cart.js',
        'no rule allows edits to src/cart.js.',
        'Allow edits to src/cart.js in this project',
        'saves Edit(src/cart.js)',
      ],
      [
        'Edit .git/config',
        '.git/config is protected.',
        'Allow edits to .git/config in this project',
        'saves Edit(.git/config)',
      ],
      [
        'Read ~/notes (outside the workspace)',
        '~/notes is outside the workspace.',
        'Allow reading /home/u/notes in this project',
        'saves Read(//home/u/notes)',
      ],
      [
        'Fetch a page',
        'no rule allows docs.example.com.',
        'Allow docs.example.com in this project',
        'saves WebFetch(domain:docs.example.com)',
      ],
      [
        'Use github: create_issue',
        'no rule allows github: create_issue.',
        'Allow create_issue in this project',
        'saves mcp__github__create_issue',
      ],
    ]);
  });

  it('asks one question at a time, and an answer settles only its own', async () => {
    proves('C-104', 'R-13');
    const { ui, open, asked } = slowPerson();
    const authorizer = authorizerOf({ ui });
    const answers = ['make a', 'make b'].map((command) => authorizer.authorize(run(command), signal));
    const first = await asked(1);
    expect(first.question.detail).toMatch(/^make a\n/);
    expect(open).toHaveLength(1);
    first.answer(/^Allow once/);
    expect(await answers[0]).toEqual({ allowed: true, permission: { kind: 'once' } });
    const second = await asked(2);
    expect(second.question.detail).toMatch(/^make b\n/);
    second.answer(/^Deny/, 'use the tests');
    expect(await Promise.all(answers)).toMatchObject([
      { allowed: true },
      {
        allowed: false,
        permission: { kind: 'declined', said: 'use the tests' },
        reason: 'The user declined. They said: use the tests',
        wouldAllow: ['Bash(make b)'],
      },
    ]);
  });

  it('an answer for the session settles the questions that wait behind it', async () => {
    proves('R-13');
    const { ui, open, asked } = slowPerson();
    const authorizer = authorizerOf({ ui });
    const answers = ['npm test a', 'npm test a'].map((command) => authorizer.authorize(run(command), signal));
    (await asked(1)).answer(/in this session/);
    expect(await Promise.all(answers)).toEqual([
      { allowed: true, permission: { kind: 'session' } },
      { allowed: true },
    ]);
    expect(open).toHaveLength(1);
    expect(authorizer.sessionRules.map(({ text }) => text)).toEqual(['Bash(npm test a)']);
  });

  it('shows the smallest rule of each part before it saves them for the project', async () => {
    proves('R-13');
    const { ui, asked } = slowPerson();
    const saved: (readonly string[])[] = [];
    const approvals: Approval[] = [];
    const authorizer = authorizerOf({
      ui,
      saveRules: async (rules) => {
        saved.push(rules);
        return new Map();
      },
      onApproval: (approval) => approvals.push(approval),
    });
    const answer = authorizer.authorize(run('npm test && git push origin main | cat'), signal);
    const { question, answer: choose } = await asked(1);
    const option = question.options.find(({ label }) => label.includes('this project'));
    expect(option?.label).toBe('Allow npm test and git push origin main in this project');
    expect(option?.description).toBe('saves 2 rules');
    choose(/this project/);
    expect(await answer).toEqual({ allowed: true, permission: { kind: 'project' } });
    expect(saved).toEqual([['Bash(npm test)', 'Bash(git push origin main)']]);
    expect(approvals).toMatchObject([
      { kind: 'project', rules: ['Bash(npm test)', 'Bash(git push origin main)'] },
    ]);
  });

  it('shows the whole command, however long', async () => {
    const { ui, open, asked } = slowPerson();
    const command = `make ${'x'.repeat(20_000)} && rm -rf dist`;
    void authorizerOf({ ui }).authorize(run(command), signal);
    await asked(1);
    expect(open[0]?.question.detail).toContain(command);
  });

  it('shows the change in question beside the choices', async () => {
    proves('C-90');
    const { ui, open, asked } = slowPerson();
    const diff: Display = {
      kind: 'diff',
      path: 'a.ts',
      lines: [
        { kind: 'removed', text: 'old', line: 1 },
        { kind: 'added', text: 'new', line: 1 },
      ],
    };
    void authorizerOf({ ui, preview: async () => diff }).authorize(write('/ws/a.ts'), signal);
    await asked(1);
    expect(open[0]?.question.title).toBe('Edit a.ts');
    expect(open[0]?.question.detail).toMatch(/^- old\n\+ new\n\nWhy you're asked: /);
  });

  it('a preview that fails leaves the arguments to be seen', async () => {
    const { ui, open, asked } = slowPerson();
    const preview = () => Promise.reject(new Error('no such file'));
    void authorizerOf({ ui, preview }).authorize(write('/ws/a.ts'), signal);
    await asked(1);
    expect(open[0]?.question.detail).toContain('"file_path": "/ws/a.ts"');
  });

  it('does not ask any more once the run was interrupted', async () => {
    const { ui, open, asked } = slowPerson();
    const authorizer = authorizerOf({ ui });
    const controller = new AbortController();
    const answers = ['make a', 'make b'].map((command) =>
      authorizer.authorize(run(command), controller.signal),
    );
    const first = await asked(1);
    controller.abort();
    first.answer(/^Deny/);
    expect(await answers[1]).toMatchObject({ allowed: false, reason: expect.stringMatching(/Interrupted/) });
    expect(open).toHaveLength(1);
  });

  it('a question that became a refusal meanwhile is not asked', async () => {
    const { ui, asked } = slowPerson();
    let mode: PermissionMode = 'default';
    const rules = parseRules({}, { source: 'test' }).rules;
    const authorizer = new Authorizer({ ui, policy: () => ({ mode, rules, workspace }) });
    const answers = [write('/ws/a'), write('/ws/b')].map((request) => authorizer.authorize(request, signal));
    const first = await asked(1);
    mode = 'plan';
    first.answer(/^Allow once/);
    expect(await answers[1]).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/plan mode never writes/),
    });
  });

  it('a deny rule stands above a hook that allows, and an ask rule is still asked', async () => {
    proves('R-10');
    const { ui, open, asked } = slowPerson();
    const authorizer = authorizerOf({ ui, rules: { deny: ['Bash(curl *)'], ask: ['Bash(git push *)'] } });
    const hook = { verdict: 'allow', reason: 'a hook said so' } as const;
    expect(await authorizer.authorize({ ...run('curl x'), hook }, signal)).toMatchObject({ allowed: false });
    expect(await authorizer.authorize({ ...run('make'), hook }, signal)).toEqual({
      allowed: true,
      byPolicy: true,
    });
    void authorizer.authorize({ ...run('git push'), hook }, signal);
    await asked(1);
    // An ask rule is not to be answered away for good.
    expect(open[0]?.question.options.map(({ label }) => label)).toEqual([
      'Allow once',
      'Deny, and say what to do instead',
    ]);
  });

  it('a hook that allows does not spare the question about a protected file', async () => {
    proves('R-10');
    const hook = { verdict: 'allow', reason: 'a hook said so' } as const;
    const requests = [
      write('/ws/.git/config'),
      write('/ws/.github/workflows/ci.yml'),
      run('echo x > .bashrc'),
      run('cp x .git/hooks/pre-commit'),
      run('env tee .vimrc'),
    ];
    for (const request of requests) {
      const { ui, open, asked } = slowPerson();
      const answer = authorizerOf({ ui }).authorize({ ...request, hook }, signal);
      (await asked(1)).answer(/^Deny/);
      expect(await answer).toMatchObject({ allowed: false, reason: 'The user declined.' });
      expect(open).toHaveLength(1);
    }
    const { ui, open } = slowPerson();
    const authorizer = authorizerOf({ ui });
    expect(await authorizer.authorize({ ...write('/ws/a.ts'), hook }, signal)).toEqual({
      allowed: true,
      byPolicy: true,
    });
    expect(await authorizer.authorize({ ...run('cp x y'), hook }, signal)).toEqual({
      allowed: true,
      byPolicy: true,
    });
    expect(open).toHaveLength(0);
  });
});
