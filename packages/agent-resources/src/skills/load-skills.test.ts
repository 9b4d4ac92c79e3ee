import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { allResourceFolders } from '@robota-sdk/agent-config';
import { describeProblems } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadSkills } from './load-skills.ts';

const fileOf = (head: string, body = 'Do it.\n') => `---\n${head}\n---\n${body}`;

function load({ cwd, host }: TestProject) {
  return loadSkills(allResourceFolders('skills', { cwd, host }));
}

async function loadOne(text: string, path = '.robota/skills/one/SKILL.md') {
  const place = await makeTestProject();
  await place.put(path, text);
  const { skills, problems } = await load(place);
  const warnings = describeProblems(problems);
  return { skill: skills[0], warnings };
}

describe('loadSkills', () => {
  it('finds skills where every dialect keeps them, project before user, the first of a name wins', async () => {
    proves('C-59', 'R-48', 'P-134');
    const place = await makeTestProject();
    const folders = [
      '.robota/skills',
      '.agents/skills',
      '.claude/skills',
      '.claude/commands',
      '.pi/skills',
      '.rab/skills',
      '~/.robota/skills',
      '~/.agents/skills',
      '~/.claude/commands',
      '~/.pi/agent/skills',
      '~/.rab/skills',
    ];
    for (const [index, folder] of folders.entries()) {
      await place.put(`${folder}/own-${index}/SKILL.md`, fileOf(`name: own-${index}\ndescription: d`));
      await place.put(`${folder}/same/SKILL.md`, fileOf(`name: same\ndescription: in ${folder}`));
    }
    const { skills, hidden, problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(warnings).toEqual([]);
    expect(skills.map(({ name }) => name).sort()).toEqual(
      [...folders.map((_, index) => `own-${index}`), 'same'].sort(),
    );
    expect(skills.find(({ name }) => name === 'same')?.description).toBe('in .robota/skills');
    expect(hidden.map(({ description }) => description)).toEqual(
      folders.slice(1).map((folder) => `in ${folder}`),
    );
    expect(skills.find(({ name }) => name === 'own-0')?.scope).toBe('project');
    expect(skills.find(({ name }) => name === 'own-6')?.scope).toBe('user');
  });

  it('finds a skill once that can be reached in two ways', async () => {
    proves('C-59');
    const place = await makeTestProject();
    await place.put('.agents/skills/pdf/SKILL.md', fileOf('description: d'));
    await mkdir(join(place.cwd, '.claude'));
    await symlink('../.agents/skills', join(place.cwd, '.claude/skills'));
    await mkdir(join(place.home, '.robota/skills'), { recursive: true });
    await symlink(join(place.cwd, '.agents/skills/pdf'), join(place.home, '.robota/skills/pdf'));
    const { skills, hidden } = await load(place);
    expect(skills.map(({ path }) => path)).toEqual([join(place.cwd, '.agents/skills/pdf/SKILL.md')]);
    expect(hidden).toEqual([]);
  });

  it('takes folders that group skills, and single files where a dialect has them and they say what they are for', async () => {
    proves('P-134');
    const place = await makeTestProject();
    await place.put('.claude/skills/office/docx/SKILL.md', fileOf('description: d'));
    await place.put('.claude/skills/office/README.md', 'no skill');
    await place.put('.claude/skills/loose.md', fileOf('description: not here'));
    await place.put('~/.pi/agent/skills/quick.md', fileOf('description: Quick'));
    await place.put('~/.pi/agent/skills/README.md', 'no skill');
    await place.put('.claude/skills/.hidden/SKILL.md', fileOf('description: d'));
    await place.put('.claude/commands/deploy/SKILL.md', fileOf('description: d'));
    await place.put('.claude/commands/git/commit.md', 'a command');
    const { skills, problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(skills.map(({ name }) => name)).toEqual(['docx', 'deploy', 'quick']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['right-name', 'right-name', undefined],
    ['Right_Name', 'Right_Name', 'has characters other than a-z, 0-9 and hyphens'],
    ['-dash', '-dash', 'begins or ends with a hyphen, or has two in a row'],
    ['two--dashes', 'two--dashes', 'begins or ends with a hyphen, or has two in a row'],
    ['x'.repeat(65), 'x'.repeat(65), 'has more than 64 characters'],
    ['folder', 'other', 'is not the name of its folder, folder'],
  ])('warns of names that pi rejects, and uses the skill: %s', async (folder, name, problem) => {
    proves('P-134');
    for (const skills of ['~/.pi/agent/skills', '.rab/skills', '.agents/skills']) {
      const place = await makeTestProject();
      const file = await place.put(`${skills}/${folder}/SKILL.md`, fileOf(`name: ${name}\ndescription: d`));
      const { skills: found, problems } = await load(place);
      const warnings = describeProblems(problems);
      expect(found.map((skill) => skill.name)).toEqual([name]);
      const warning = `${file}:2: "name" ${problem}: pi and other agents reject such a skill; here it is used.`;
      expect(warnings).toEqual(problem === undefined ? [] : [warning]);
    }
    const claude = await makeTestProject();
    await claude.put(`.claude/skills/${folder}/SKILL.md`, fileOf(`name: ${name}\ndescription: d`));
    expect(describeProblems((await load(claude)).problems)).toEqual([]);
  });

  it('names the skills of plugins after their plugin, also where only some entries of a folder count', async () => {
    proves('C-57');
    const place = await makeTestProject();
    const file = await place.put('~/plugin/skills/pdf/SKILL.md', fileOf('name: pdf\ndescription: d'));
    await place.put('~/plugin/skills/other/SKILL.md', fileOf('description: d'));
    const root = dirname(dirname(dirname(file)));
    const plugins = [
      { name: 'office', root, folders: { skills: [{ path: join(root, 'skills'), only: ['pdf'] }] } },
      { name: 'single', root, folders: { skills: [{ path: join(root, 'skills/other') }] } },
    ];
    const folders = allResourceFolders('skills', { cwd: place.cwd, host: place.host, plugins });
    const { skills } = await loadSkills(folders);
    expect(skills).toMatchObject([
      { name: 'office:pdf', scope: 'plugin', plugin: 'office', pluginRoot: root },
      { name: 'single:other' },
    ]);
  });

  it('reads the fields of the seeds and of Claude Code, under every name', async () => {
    proves('C-60');
    const { skill, warnings } = await loadOne(
      fileOf(
        [
          'name: review',
          'description: Reviews a change',
          'when_to_use: before a merge',
          'allowed-tools: Read, Grep, Bash(git diff:*)',
          'context: fork',
          'model: haiku',
          'max-turns: 5',
          'effort: max',
          'argument-hint: [file]',
          'arguments: [file, line]',
          'paths: "*.ts, *.tsx"',
          'shell: bash',
          'hooks:',
          '  Stop: []',
        ].join('\n'),
      ),
    );
    expect(warnings).toEqual([]);
    expect(skill).toMatchObject({
      name: 'review',
      description: 'Reviews a change before a merge',
      allowedTools: ['Read', 'Grep', 'Bash(git diff:*)'],
      context: 'fork',
      model: 'haiku',
      maxTurns: 5,
      effort: 'xhigh',
      argumentHint: '[file]',
      argumentNames: ['file', 'line'],
    });
  });

  it('is only for people by the setting, unless it says otherwise', async () => {
    proves('C-66');
    const place = await makeTestProject();
    await place.put('~/.agents/skills/plain/SKILL.md', '---\ndescription: d\n---\nx');
    await place.put('~/.agents/skills/both/SKILL.md', '---\ndescription: d\ninvocation: auto-invoke\n---\nx');
    await place.put('~/.robota/settings.json', { skillInvocation: 'user' });
    const { session } = await openScripted(place);
    expect(session.skills.map(({ name, isModelInvocable }) => [name, isModelInvocable])).toEqual([
      ['both', true],
      ['plain', false],
    ]);
    await session.shutdown();
  });

  it('is called as its directory without front matter, and described by its first paragraph', async () => {
    proves('C-60');
    const { skill } = await loadOne('# Release\n\nCuts a release\nof the project.\n\nMore.\n');
    expect(skill).toMatchObject({ name: 'one', description: 'Cuts a release of the project.' });
    const spaced = await loadOne(
      fileOf('name: My Skill\ndescription: d'),
      '.robota/skills/my skill/SKILL.md',
    );
    expect(spaced).toMatchObject({ skill: { name: 'my-skill' }, warnings: [] });
    const sly = await loadOne('Text.', '.robota/skills/a"><b>/SKILL.md');
    expect(sly.skill?.name).toBe('a-b-');
  });

  it.each([
    ['', true, true],
    ['invocation: user', true, false],
    ['invocation: auto-invoke', true, true],
    ['invocation: model-only', false, true],
    ['disable-model-invocation: true', true, false],
    ['user-invocable: false', false, true],
    ['user-invocable: false\ndisable-model-invocation: true', false, false],
  ])('%j: people %j, model %j', async (head, isUserInvocable, isModelInvocable) => {
    proves('C-66', 'P-134');
    const { skill } = await loadOne(fileOf(`description: d\n${head}`));
    expect(skill).toMatchObject({ isUserInvocable, isModelInvocable });
  });

  it('names what is wrong with file and line, and keeps the rest', async () => {
    const place = await makeTestProject();
    const near = await place.put('.robota/skills/a/SKILL.md', fileOf('description: d\nalowed-tools: Read'));
    const bad = await place.put('.robota/skills/b/SKILL.md', fileOf('name: "x\n} ]', 'The text.'));
    const odd = await place.put('.robota/skills/c/SKILL.md', fileOf('description: d\ninvocation: sometimes'));
    await place.put('.robota/skills/d/SKILL.md', fileOf('description: d\nsomething-else: 1'));
    await mkdir(join(place.cwd, '.robota/skills/e/SKILL.md'), { recursive: true });
    const open = await place.put('.robota/skills/f/SKILL.md', '---\ndescription: d\n\nThe text.');
    const paren = await place.put(
      '.robota/skills/g/SKILL.md',
      fileOf('description: [d\nallowed-tools: Read, Bash(git:*'),
    );
    const { skills, problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(skills.map(({ name }) => name)).toEqual(['a', 'x', 'c', 'd', 'g']);
    expect(warnings).toEqual([
      `${near}:3: Unknown field "alowed-tools". Did you mean "allowed-tools"?`,
      expect.stringMatching(new RegExp(`^${bad}:\\d+: `)),
      `${odd}:3: invocation: expected one of "user", "auto-invoke", "model-only", got the string "sometimes". It is ignored.`,
      expect.stringContaining('Cannot read the skill'),
      `${open}:1: Unclosed front matter. Add a line "---" at its end. The skill is skipped.`,
      `${paren}:2: "description" starts with [ but has no ]; it is used as written.`,
      `${paren}:3: "allowed-tools" has an unreadable rule "Bash(git:*".`,
    ]);
  });

  it('reads no more of a long file than its head, however long the head is', async () => {
    const long = 'word '.repeat(2000).trim();
    const { skill } = await loadOne(fileOf(`name: long\ndescription: ${long}`, 'x'.repeat(100_000)));
    expect(skill?.description).toBe(long);
    const cut = await loadOne(`Text ${'ä'.repeat(5000)}`);
    expect(cut.skill?.description).toMatch(/^Text ä+$/);
  });

  it('takes the front matters of public skills without a word', async () => {
    const place = await makeTestProject();
    for (const [index, head] of publicHeads.entries())
      await place.put(`.claude/skills/public-${index}/SKILL.md`, fileOf(head));
    const { skills, problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(warnings).toEqual([]);
    expect(skills).toHaveLength(publicHeads.length);
    expect(skills.every(({ description }) => description !== '' && !/^["'>|]/.test(description))).toBe(true);
  });
});

/** The shapes of front matters in public repositories of skills: their keys, quotes and kinds of text. */
const publicHeads = [
  "name: docx\ndescription: \"Use this whenever it is about documents (.docx files). Triggers include: 'a doc', or '.docx'. Do NOT use for others.\"\nlicense: Proprietary. LICENSE.txt has complete terms",
  "name: api\ndescription: |-\n  Reference for the API — ids, prices.\n  TRIGGER — read BEFORE: the prompt names it in any form (`@scope`, `us.*`, `[1m]`);\n  SKIP only when `grep -rE '\\b(a|b\\.c)\\b'` hits.\nlicense: Complete terms in LICENSE.txt",
  'name: comms\ndescription: A set of resources to help me write (status reports, FAQs, etc.).\nlicense: Complete terms in LICENSE.txt',
  'name: buddy\ndescription: Iterate on the bundle (A, B, C) after it is there. Trigger on "add an app", "push it", or follow-up work after /setup.',
  'name: example\ndescription: This skill should be used when the user asks to "show it", or discusses it: patterns.\nversion: 1.0.0',
  'name: improver\ndescription: Audit and improve files. Use when user asks to check. Also when the user mentions "memory".\ntools: Read, Glob, Grep, Bash, Edit',
  'name: Hook Development\ndescription: This skill should be used when the user asks to "create a hook", mentions events (PreToolUse, Stop). Provides guidance.\nversion: 0.1.0',
  'name: recommender\ndescription: >-\n  Analyze a codebase and\n  recommend automations.\ntools: Read, Glob, Grep, Bash\nuser-invocable: true\nargument-hint: [path]',
  "name: theme\ndescription: 'It''s for themes: ten of them.'\nmetadata:\n  author: somebody\n  version: \"1.0\"\nallowed-tools: Bash(git:*) Read",
  'name: migrate-check\ndescription: Checks.\nallowed-tools:\n  - Read\n  - "Bash(npm run *)"\ndisable-model-invocation: true\nargument-hint: "[file] [--strict]"\nmodel: inherit\ncompatibility: Requires git',
];
