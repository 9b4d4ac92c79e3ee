import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anthropicReply, runRobota } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { stagePerTest } from './stage-per-test.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const examples = join(root, 'examples');
const done = anthropicReply({ text: 'Done.' });
const stage = stagePerTest();

describe('the examples of what is not a program', () => {
  it('are listed on their page', async () => {
    const page = await readFile(join(examples, 'README.md'), 'utf8');
    const folders = (await readdir(examples, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    expect(folders.filter(({ name }) => !page.includes(`](${name}/README.md)`))).toEqual([]);
  });

  it('a skill is used by its name, with its argument and where its files are', async () => {
    const skills = join(stage.home, '.robota/skills');
    await cp(join(examples, 'skill/release-notes'), join(skills, 'release-notes'), { recursive: true });
    stage.server.reply(done);
    const { stderr, stdout } = await stage.robota(['-p', '/release-notes 1.4.0']);
    expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'Done.\n' });
    expect(stage.server.requests[0]?.text).toContain('Write release notes for version 1.4.0.');
    expect(stage.server.requests[0]?.text).toContain(join(skills, 'release-notes/style.md'));
  });

  it('a plugin is valid, installs, offers its command, and its hook refuses secrets', async () => {
    const plugin = join(examples, 'plugin/team-rules');
    const valid = await stage.robota(['plugin', 'validate', plugin]);
    expect(valid).toMatchObject({ code: 0 });
    await stage.robota(['plugin', 'install', plugin, '--yes']);
    const add = (files: string) =>
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: `git add ${files}` } }] });
    stage.server.reply(add('.env'), add('a.ts'), done);
    const { stderr } = await stage.robota([
      '-p',
      '/team-rules:ready',
      '--permission-mode',
      'bypassPermissions',
    ]);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('Files with secrets are never committed'),
    ]);
    expect(stage.server.requests[0]?.text).toContain('whether the branch is ready to be merged');
    expect(stage.results(1)).toEqual([
      expect.objectContaining({ isError: true, text: expect.stringContaining('never committed here') }),
    ]);
    expect(stage.results(2)[0]?.text).not.toContain('never committed here');
  });

  it('the workflow gives the action only inputs that it has', async () => {
    const action = parse(await readFile(join(root, 'action/action.yml'), 'utf8'));
    const workflow = parse(await readFile(join(examples, 'github-action/nightly.yml'), 'utf8'));
    const step = workflow.jobs.update.steps.find(({ uses = '' }: { uses?: string }) =>
      uses.includes('/action@'),
    );
    const { version } = JSON.parse(await readFile(join(root, 'packages/agent-cli/package.json'), 'utf8'));
    expect(step.uses).toBe(`robota-sdk/robota/action@v${version}`);
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    expect(workflow.on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
    // A pull request needs both rights, and nothing needs more.
    expect(step.with.deliver).toBe('draft-pr');
    expect(workflow.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    expect(workflow.jobs.update['timeout-minutes']).toBeGreaterThan(0);
    const [checkout] = workflow.jobs.update.steps;
    expect(checkout.uses).toMatch(/^actions\/checkout@[\da-f]{40}$/);
    // Keys come from secrets, and text of users never becomes a prompt.
    expect(Object.values(step.env)).toEqual([expect.stringMatching(/^\$\{\{ secrets\.[A-Z_]+ \}\}$/)]);
    expect(JSON.stringify(step.with)).not.toContain('${{');
    const task = {
      prompt: step.with.prompt,
      check: step.with.check,
      deliver: step.with.deliver,
      'max-cost': Number(step.with['max-cost']),
    };
    const added = await runRobota(['fleet', 'add', '--from', '-', '--json'], {
      cwd: root,
      input: `${JSON.stringify(task)}\n`,
    });
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('"state":"queued"') });
  });
});
