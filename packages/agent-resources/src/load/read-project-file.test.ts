import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resourceFolders } from '@robota-sdk/agent-config';
import { describeProblems } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadAgents } from '../agents/load-agents.ts';
import { loadCommandFiles } from '../command-files/load-command-files.ts';
import { loadContext } from '../instructions/load-context.ts';
import { loadSkills } from '../skills/load-skills.ts';
import { loadConfig } from './load-config.ts';

/** Everything that the files of a place say to the model, and what is said about files that were left out. */
async function loadAll(place: TestProject): Promise<{ readonly told: string; readonly warnings: string }> {
  const { cwd, host } = place;
  const folders = (kind: 'agents' | 'skills' | 'commands') => resourceFolders(kind, cwd, host);
  const context = await loadContext(cwd, { host });
  const config = await loadConfig(cwd, { host });
  const agents = await loadAgents(folders('agents'));
  const skills = await loadSkills(folders('skills'));
  const commands = await loadCommandFiles(folders('commands'), { cwd, host });
  const warnings = [context, config, agents, skills, commands].flatMap((each) =>
    describeProblems(each.problems ?? []),
  );
  const told = [context.instructions, context.rules, context.systemPrompt, context.appendSystemPrompt];
  return {
    told: JSON.stringify([told, agents.definitions, skills.skills, commands.extensions.length]),
    warnings: warnings.join('\n'),
  };
}

const suppliedFiles = [
  'AGENTS.md',
  '.claude/rules/r.md',
  '.claude/agents/key.md',
  '.robota/commands/key.md',
  '.claude/skills/sl/SKILL.md',
  '.robota/SYSTEM.md',
  '.robota/APPEND_SYSTEM.md',
];

async function link(place: TestProject, target: string, at: string): Promise<string> {
  const path = join(place.cwd, at);
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
  return path;
}

describe('what a repository supplies', () => {
  it.each(suppliedFiles)('%s is left out and named where it is a link to a file of the user', async (at) => {
    const place = await makeTestProject();
    const secret = await place.put('~/.ssh/id_rsa', 'PRIVATE KEY');
    const path = await link(place, secret, at);
    const { told, warnings } = await loadAll(place);
    expect(told).not.toContain('PRIVATE KEY');
    expect(warnings).toContain(path);
    expect(warnings).toContain(`it leads out of the project, to ${secret}`);
  });

  it.each(suppliedFiles)('%s is left out where it is a link to secrets in the project', async (at) => {
    const place = await makeTestProject();
    const path = await link(place, await place.put('.env', 'TOKEN=PRIVATE'), at);
    const { told, warnings } = await loadAll(place);
    expect(told).not.toContain('PRIVATE');
    expect(warnings).toContain(path);
    expect(warnings).toContain('.env may hold secrets');
  });

  it.each(suppliedFiles)('%s is left out and named where reading it would never end', async (at) => {
    const place = await makeTestProject();
    const path = join(place.cwd, at);
    await mkdir(dirname(path), { recursive: true });
    execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
    const { warnings } = await loadAll(place);
    expect(warnings).toContain(path);
    expect(warnings).toContain('it is not a regular file');
  });

  it.each(['AGENTS.md', '.claude/rules/r.md', '.robota/APPEND_SYSTEM.md'])(
    '%s may be a link to another file of the repository',
    async (at) => {
      const place = await makeTestProject();
      await place.put('.git/HEAD', 'ref: refs/heads/main');
      await link(place, await place.put('docs/notes.md', 'SHARED NOTES'), at);
      expect(await loadAll(place)).toEqual({ told: expect.stringContaining('SHARED NOTES'), warnings: '' });
    },
  );

  it.each(['.claude/commands', '.claude/skills', '.claude/rules', '.claude/agents'])(
    '%s is not followed out of the repository, as a whole or in a part of it',
    async (at) => {
      const whole = await makeTestProject();
      await whole.put('~/own/a.md', 'PRIVATE');
      await whole.put('~/own/SKILL.md', '---\ndescription: PRIVATE\n---\nPRIVATE');
      await link(whole, join(whole.home, 'own'), at);
      const first = await loadAll(whole);
      expect(first.told).not.toContain('PRIVATE');
      expect(first.warnings).toContain(join(whole.home, 'own'));
      const part = await makeTestProject();
      await link(part, '/proc', `${at}/p`);
      await part.put('AGENTS.md', 'KEPT');
      expect((await loadAll(part)).told).toContain('KEPT');
    },
  );

  it('a link that leads back to its folder, or to itself, ends', async () => {
    const place = await makeTestProject();
    await place.put('.claude/commands/fine.md', 'do it');
    await link(place, join(place.cwd, '.claude/commands'), '.claude/commands/again');
    await link(place, join(place.cwd, '.claude/commands/self'), '.claude/commands/self');
    await link(place, join(place.cwd, '.claude/rules'), '.claude/rules/again');
    expect((await loadAll(place)).warnings).toBe('');
  });

  it.each(['.robota/settings.json', '.claude/settings.json', 'package.json'])(
    '%s that is no file does not keep a session from beginning for ever',
    async (at) => {
      const place = await makeTestProject();
      const path = join(place.cwd, at);
      await mkdir(dirname(path), { recursive: true });
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
      const { detectProject } = await import('../instructions/detect-project.ts');
      await detectProject(place.cwd);
      const { warnings } = await loadAll(place);
      if (at !== 'package.json') expect(warnings).toContain('it is not a regular file');
    },
  );
});
