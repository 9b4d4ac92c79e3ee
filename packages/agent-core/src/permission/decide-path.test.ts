import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import type { PathProblem } from '../file/path-problem.ts';
import type { Access } from '../tool/access.ts';
import { decide } from './decide.ts';
import { parseRules, type RuleTexts } from './parse-rule.ts';
import { type PermissionMode, permissionModes } from './policy/mode.ts';
import type { PermissionDecision } from './policy/permission.ts';

interface Call {
  readonly rules?: RuleTexts;
  readonly mode?: PermissionMode;
  readonly tool: 'Edit' | 'Glob' | 'Grep' | 'Read' | 'Write';
  readonly path: string;
  readonly real?: string;
  readonly problem?: PathProblem;
}

const kinds = { Edit: 'write', Glob: 'search', Grep: 'search', Read: 'read', Write: 'write' } as const;

function judge(call: Call): Promise<PermissionDecision> {
  const { rules } = parseRules(call.rules ?? {}, { source: 'test' });
  const workspace = { cwd: '/ws', additional: ['/more'], home: '/home/u' };
  const place = { kind: kinds[call.tool], path: call.path, real: call.real ?? call.path };
  const access: Access = call.problem === undefined ? place : { ...place, problem: call.problem };
  return decide({ mode: call.mode ?? 'default', rules, workspace }, { tool: call.tool, access: [access] });
}

async function verdict(call: Call): Promise<string> {
  return (await judge(call)).verdict;
}

describe('reading and writing by mode', () => {
  it('reads in the workspace in every mode', async () => {
    proves('R-11');
    for (const mode of permissionModes) {
      expect(await verdict({ mode, tool: 'Read', path: '/ws/a.ts' })).toBe('allow');
      expect(await verdict({ mode, tool: 'Grep', path: '/more' })).toBe('allow');
    }
  });

  it('asks before it reads outside, except where bypassPermissions asks nothing', async () => {
    proves('R-11', 'E-39');
    const outside = { tool: 'Read', path: '/etc/passwd' } as const;
    expect(await verdict({ ...outside, mode: 'plan' })).toBe('ask');
    expect(await verdict({ ...outside, mode: 'default' })).toBe('ask');
    expect(await verdict({ ...outside, mode: 'acceptEdits' })).toBe('ask');
    expect(await verdict({ ...outside, mode: 'bypassPermissions' })).toBe('allow');
  });

  it('refuses, asks for or allows a write by mode', async () => {
    proves('R-11');
    const write = { tool: 'Write', path: '/ws/a.ts' } as const;
    expect(await verdict({ ...write, mode: 'plan' })).toBe('deny');
    expect(await verdict({ ...write, mode: 'default' })).toBe('ask');
    expect(await verdict({ ...write, mode: 'acceptEdits' })).toBe('allow');
    expect(await verdict({ ...write, mode: 'bypassPermissions' })).toBe('allow');
  });

  it('never writes in plan mode, whatever the rules say', async () => {
    proves('R-11');
    for (const tool of ['Write', 'Edit'] as const) {
      const decision = await judge({
        mode: 'plan',
        rules: { allow: [tool, 'Edit(/a.ts)'] },
        tool,
        path: '/ws/a.ts',
      });
      expect(decision).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('plan mode') });
      expect(decision.wouldAllow).toBeUndefined();
    }
  });

  it('refuses a write outside unless a rule or an added directory allows it', async () => {
    proves('E-39');
    const write = { mode: 'acceptEdits', tool: 'Write', path: '/out/x' } as const;
    expect(await judge(write)).toMatchObject({ verdict: 'deny', wouldAllow: ['Edit(//out/x)'] });
    expect(await verdict({ ...write, rules: { allow: ['Edit(//out/**)'] } })).toBe('allow');
    expect(await verdict({ ...write, path: '/more/x' })).toBe('allow');
    expect(await verdict({ ...write, path: '/ws-evil/x' })).toBe('deny');
  });

  it('judges a link by where it leads', async () => {
    proves('E-39');
    const link = { mode: 'acceptEdits', path: '/ws/link', real: '/out/secret' } as const;
    expect(await judge({ ...link, tool: 'Write' })).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('/out/secret'),
    });
    expect(await verdict({ ...link, tool: 'Read' })).toBe('ask');
    expect(await verdict({ ...link, tool: 'Read', rules: { allow: ['Read(/link)'] } })).toBe('ask');
    expect(await verdict({ ...link, tool: 'Read', rules: { allow: ['Read(//out/**)'] } })).toBe('allow');
    expect(
      await verdict({ ...link, tool: 'Read', rules: { deny: ['Read(//out/**)'], allow: ['Read'] } }),
    ).toBe('deny');
    expect(await verdict({ ...link, real: '/ws/b', tool: 'Read', rules: { deny: ['Read(/link)'] } })).toBe(
      'deny',
    );
  });
});

describe('searching', () => {
  it('does not follow a link out of the workspace', async () => {
    proves('E-39');
    const link = { tool: 'Glob', path: '/ws/evil', real: '/out' } as const;
    expect(await verdict(link)).toBe('deny');
    expect(await verdict({ ...link, rules: { allow: ['Read(//out/**)'] } })).toBe('allow');
    expect(await verdict({ tool: 'Grep', path: '/out' })).toBe('ask');
  });
});

describe('path rules', () => {
  it('puts deny before ask before allow, wherever they stand', async () => {
    proves('R-10');
    const call = { tool: 'Read', path: '/ws/.env' } as const;
    expect(
      await verdict({ ...call, rules: { allow: ['Read(.env)'], ask: ['Read(.env)'], deny: ['Read(.env)'] } }),
    ).toBe('deny');
    expect(await verdict({ ...call, rules: { allow: ['Read(.env)'], ask: ['Read(.env)'] } })).toBe('ask');
    expect(await verdict({ ...call, mode: 'bypassPermissions', rules: { deny: ['Read(.env)'] } })).toBe(
      'deny',
    );
  });

  it('lets a Read deny stop every access to the file', async () => {
    proves('R-12');
    const rules = { deny: ['Read(.env)'] };
    for (const tool of ['Read', 'Edit', 'Write', 'Grep', 'Glob'] as const) {
      const decision = await judge({ rules, mode: 'acceptEdits', tool, path: '/ws/sub/.env' });
      expect(decision).toMatchObject({
        verdict: 'deny',
        rule: { text: 'Read(.env)', origin: { source: 'test' } },
      });
    }
  });

  it('takes Edit and Write rules for the same permission', async () => {
    proves('R-12');
    expect(await verdict({ rules: { allow: ['Edit(src/**)'] }, tool: 'Write', path: '/ws/src/a.ts' })).toBe(
      'allow',
    );
    expect(await verdict({ rules: { allow: ['Write(*)'] }, tool: 'Edit', path: '/ws/src/a.ts' })).toBe(
      'allow',
    );
    expect(
      await verdict({
        rules: { deny: ['Write(src/**)'] },
        mode: 'acceptEdits',
        tool: 'Edit',
        path: '/ws/src/a.ts',
      }),
    ).toBe('deny');
    expect(
      await verdict({ rules: { allow: ['Edit(src/**)'] }, tool: 'Write', path: '/ws/nested/src/x.ts' }),
    ).toBe('ask');
  });

  it('names the smallest rule that would have allowed the call, and it does', async () => {
    proves('R-12');
    for (const path of ['/ws/src/a.ts', '/ws/top.md', '/ws/.vscode/tasks.json', '/ws/.npmrc']) {
      const decision = await judge({ tool: 'Write', path });
      expect(decision.verdict).toBe('ask');
      expect(await verdict({ tool: 'Write', path, rules: { allow: decision.wouldAllow ?? [] } })).toBe(
        'allow',
      );
    }
    expect((await judge({ tool: 'Edit', path: '/ws/src/a.ts' })).wouldAllow).toEqual(['Edit(src/a.ts)']);
    expect((await judge({ tool: 'Read', path: '/etc/hosts' })).wouldAllow).toEqual(['Read(//etc/hosts)']);
  });
});

describe('writes out of the workspace', () => {
  it('a rule for all writing does not reach them, one that names the place does', async () => {
    proves('E-39', 'R-12');
    for (const allow of [['Edit'], ['Write', 'Edit(**)']]) {
      expect(await verdict({ rules: { allow }, tool: 'Edit', path: '/etc/x' })).toBe('deny');
      expect(await verdict({ rules: { allow }, tool: 'Edit', path: '/ws/x' })).toBe('allow');
    }
    expect(await verdict({ rules: { allow: ['Edit(//etc/x)'] }, tool: 'Edit', path: '/etc/x' })).toBe(
      'allow',
    );
  });
});

describe('the rule that is offered for a path', () => {
  it('is none where a rule would read the name as a pattern', async () => {
    proves('R-12');
    for (const path of ['/ws/a*.txt', '/ws/a ', '/etc/*'])
      expect((await judge({ tool: 'Write', path })).wouldAllow, path).toBeUndefined();
    expect((await judge({ tool: 'Write', path: '/ws/a?[b].txt' })).wouldAllow).toEqual(['Edit(/a?[b].txt)']);
  });
});

describe('protected files', () => {
  it.each([
    '/ws/.git/config',
    '/ws/.GIT/config',
    '/ws/.git',
    '/ws/sub/.git/hooks/pre-commit',
    '/ws/.claude/settings.json',
    '/ws/.robota',
    '/ws/.agents/skills/x/SKILL.md',
    '/ws/.vscode/tasks.json',
    '/ws/.idea/workspace.xml',
    '/ws/.gitmodules',
    '/ws/.mcp.json',
    '/ws/.npmrc',
    '/ws/.envrc',
    '/ws/.bashrc',
    '/ws/.git./config',
    '/ws/.github/workflows/ci.yml',
    '/ws/.vimrc',
    '/ws/.nvim.lua',
    '/ws/app.code-workspace',
    '/ws/.cursorrules',
    '/ws/.codex/config.toml',
    '/ws/.aider.conf.yml',
    '/ws/.gitattributes',
    '/ws/.pre-commit-config.yaml',
    '/ws/sub/.hg/hgrc',
    '/ws/.jj/repo/config.toml',
    '/ws/.cargo/config.toml',
    '/ws/mise.toml',
    '/ws/.mise/config.toml',
    '/ws/.tool-versions',
    '/ws/lefthook.yml',
    '/ws/.devcontainer.json',
    '/ws/.roo/mcp.json',
    '/ws/opencode.json',
    '/ws/rust-toolchain.toml',
    '/ws/gradle/wrapper/gradle-wrapper.properties',
    '/ws/.venv/bin/activate',
    '/ws/.bazelrc',
    '/ws/.lldbinit',
    '/ws/.yarn/releases/yarn.cjs',
    '/ws/.gitlab-ci.yml',
    '/ws/.circleci/config.yml',
    '/ws/node_modules/.bin/git',
    '/ws/vendor/lib/HEAD',
  ])('asks before it writes %s in acceptEdits, also under a rule for everything', async (path) => {
    proves('E-39');
    expect(await verdict({ mode: 'acceptEdits', tool: 'Write', path })).toBe('ask');
    expect(
      await verdict({ mode: 'acceptEdits', rules: { allow: ['Write', 'Edit(**)'] }, tool: 'Edit', path }),
    ).toBe('ask');
    expect(await verdict({ mode: 'acceptEdits', tool: 'Read', path })).toBe('allow');
  });

  it('a rule that names the protected part allows it', async () => {
    proves('E-39');
    const allow = ['Edit(.github/workflows/**)', 'Edit(*.code-workspace)'];
    for (const path of ['/ws/.github/workflows/ci.yml', '/ws/app.code-workspace']) {
      expect(await verdict({ rules: { allow }, tool: 'Edit', path })).toBe('allow');
      expect(await verdict({ rules: { allow: ['Edit(.github/**)'] }, tool: 'Edit', path })).toBe('ask');
    }
  });

  it('leaves ordinary names alone', async () => {
    proves('E-39');
    for (const path of [
      '/ws/.gitignore',
      '/ws/git/config',
      '/ws/.github/CODEOWNERS',
      '/ws/workflows/ci.yml',
      '/ws/code-workspace',
      '/ws/vscode.md',
    ]) {
      expect(await verdict({ mode: 'acceptEdits', tool: 'Write', path })).toBe('allow');
    }
  });
});

describe('paths with a problem', () => {
  it('refuses what can never be opened', async () => {
    proves('E-39');
    expect(
      await verdict({
        mode: 'bypassPermissions',
        tool: 'Read',
        path: '/proc/self/environ',
        problem: 'OutsideWorkspace',
      }),
    ).toBe('deny');
    expect(
      await verdict({ mode: 'acceptEdits', tool: 'Write', path: '/ws/\u001b', problem: 'InvalidPath' }),
    ).toBe('deny');
  });

  it('leaves a missing file or a directory to the tool, which explains it better than a question', async () => {
    proves('E-39');
    expect(await verdict({ tool: 'Read', path: '/ws/missing', problem: 'NotFound' })).toBe('allow');
    expect(await verdict({ tool: 'Write', path: '/ws', problem: 'IsDirectory' })).toBe('allow');
    expect(await verdict({ tool: 'Write', path: '/out/missing', problem: 'NotFound' })).toBe('deny');
    expect(
      await verdict({
        rules: { deny: ['Read(missing)'] },
        tool: 'Read',
        path: '/ws/missing',
        problem: 'NotFound',
      }),
    ).toBe('deny');
  });
});
