import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const repository = 'acme/shop';
let folder: string;

beforeEach(async () => {
  folder = await temporaryDirectory('robota-action');
  await mkdir(join(folder, 'bin'));
});

describe('who may run the action', () => {
  const own = { head: { repo: { full_name: repository } } };
  const fork = { head: { repo: { full_name: 'mallory/shop' } } };

  it.each<[string, { event: string; payload: object; actor?: string; again?: string }]>([
    [
      'a pull request of a writer',
      { event: 'pull_request', payload: { pull_request: own, sender: { login: 'alice' } } },
    ],
    ['a push of a writer', { event: 'push', payload: { sender: { login: 'alice' } } }],
    ['a comment of a writer on a pull request', { event: 'issue_comment', payload: comment('alice', 1) }],
    [
      'a comment of a writer on an issue',
      { event: 'issue_comment', payload: { issue: { number: 3 }, sender: { login: 'alice' } } },
    ],
    ['a schedule', { event: 'schedule', payload: {}, actor: 'reader' }],
    [
      'a workflow that ran for a branch',
      {
        event: 'workflow_run',
        payload: { workflow_run: { head_repository: { full_name: repository } }, sender: { login: 'alice' } },
      },
    ],
  ])('allows %s', async (_, given) => {
    const { status, stdout } = await authorize(given);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('::error') });
  });

  it.each<[string, { event: string; payload: object; actor?: string; again?: string }, string]>([
    [
      'a fork',
      { event: 'pull_request', payload: { pull_request: fork, sender: { login: 'alice' } } },
      'comes from mallory/shop',
    ],
    [
      'a fork with the rights of the target',
      { event: 'pull_request_target', payload: { pull_request: fork } },
      'comes from mallory/shop',
    ],
    [
      'a deleted fork',
      { event: 'pull_request', payload: { pull_request: { head: { repo: null } } } },
      'comes from a deleted fork',
    ],
    [
      'a comment on the pull request of a fork',
      { event: 'issue_comment', payload: comment('alice', 2) },
      'comes from mallory/shop',
    ],
    [
      'a comment on a pull request that cannot be read',
      { event: 'issue_comment', payload: comment('alice', 404) },
      'GitHub did not answer',
    ],
    [
      'a comment with a number that is a path',
      { event: 'issue_comment', payload: { issue: { number: '1/../../x', pull_request: {} } } },
      'names no pull request',
    ],
    [
      'a workflow that ran for a fork',
      {
        event: 'workflow_run',
        payload: { workflow_run: { head_repository: { full_name: 'mallory/shop' } } },
      },
      'comes from mallory/shop',
    ],
    [
      'a schedule in the name of a fork',
      { event: 'schedule', payload: { pull_request: fork } },
      'comes from mallory/shop',
    ],
    [
      'a reader',
      { event: 'issues', payload: { sender: { login: 'reader' } } },
      'reader cannot write to acme/shop (permission: read)',
    ],
    [
      'a reader who comments',
      { event: 'issue_comment', payload: comment('reader', 1) },
      'reader cannot write',
    ],
    [
      'a reader behind the name of a writer',
      { event: 'issues', payload: { sender: { login: 'alice' } }, actor: 'reader' },
      'reader cannot write',
    ],
    [
      'a reader who runs it again',
      { event: 'push', payload: { sender: { login: 'alice' } }, again: 'reader' },
      'reader cannot write',
    ],
    [
      'a user unknown to GitHub',
      { event: 'issues', payload: { sender: { login: 'ghost' } } },
      'GitHub did not answer',
    ],
    ['a bot', { event: 'issues', payload: { sender: { login: 'some-app[bot]' } } }, 'GitHub did not answer'],
    [
      'a name that is a path',
      { event: 'issues', payload: { sender: { login: '../admins' } } },
      'a user that cannot be one',
    ],
    [
      'a name that is an option',
      { event: 'issues', payload: { sender: { login: '--hostname=evil' } } },
      'a user that cannot be one',
    ],
    [
      'a login that is no text',
      { event: 'issues', payload: { sender: { login: { $: 1 } } } },
      'a user that cannot be one',
    ],
  ])('refuses %s', async (_, given, message) => {
    const { status, stdout } = await authorize(given);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error title=Robota did not run::[^\n]*\n$/);
    expect(stdout).toContain(message);
  });

  it('refuses an event that it cannot read', async () => {
    expect((await authorize({ event: 'push', payload: '{"sender":' })).status).toBe(1);
    expect(run('authorize.mjs', { GITHUB_REPOSITORY: repository }).status).toBe(1);
    expect(run('authorize.mjs', {}).stdout).toContain('GITHUB_REPOSITORY is missing or wrong');
  });

  it('writes a message that cannot be a command of the workflow', async () => {
    const payload = { pull_request: { head: { repo: { full_name: 'x\n::set-output name=state::done' } } } };
    const { stdout } = await authorize({ event: 'pull_request', payload });
    expect(stdout.split('\n')).toHaveLength(2);
  });
});

describe('the run of the action', () => {
  const task = {
    id: 't1',
    name: 'fix | <b>it</b>',
    state: 'done',
    reason: null,
    branch: null,
    cost: 0.1234,
    turns: 7,
    receipt: {
      attempts: [
        {
          number: 1,
          state: 'passed',
          answer: 'Done.\n```\n</details>',
          check: { command: 'npm test', exitCode: 0 },
        },
      ],
      delivery: { kind: 'pr', branch: 'robota/t1-fix', url: 'https://github.com/acme/shop/pull/7' },
      filesChanged: 2,
      added: 10,
      removed: 3,
      notes: [],
    },
  };

  it('takes a task whose name begins with a dash for a file, not for an option', async () => {
    const { words } = await runTask({ INPUT_TASK: '--model=x', task });
    expect(words.slice(0, 2)).toEqual(['run', './--model=x']);
  });

  it('runs a task file with the inputs above its fields, and writes summary and outputs', async () => {
    const { status, words, summary, outputs } = await runTask({
      INPUT_TASK: '.github/tasks/nightly.md',
      INPUT_CHECK: 'npm test',
      INPUT_MAX_COST: '3',
      task,
    });
    expect(status).toBe(0);
    expect(words).toEqual([
      'run',
      '.github/tasks/nightly.md',
      '--json',
      '--ask=deny',
      '--check=npm test',
      '--max-cost=3',
      `--repo=${folder}`,
    ]);
    expect(summary).toContain('| State | done |');
    expect(summary).toContain('| Changed | 2 files, &#43;10 &#45;3 |');
    expect(summary).not.toContain('<b>');
    expect(summary).toContain('````text\nDone.\n```\n</details>\n````');
    expect(outputs).toEqual({
      state: 'done',
      branch: 'robota/t1-fix',
      url: 'https://github.com/acme/shop/pull/7',
      cost: '0.1234',
    });
  });

  it('makes a task file of a prompt, and ends with the code of the task', async () => {
    const failed = { ...task, state: 'failed', reason: { message: 'The check failed.' }, receipt: null };
    const { status, words, summary } = await runTask({ INPUT_PROMPT: '--- fix it', task: failed, code: 1 });
    expect(status).toBe(1);
    expect(readFileSync(words[1] ?? '', 'utf8')).toBe('---\n---\n--- fix it\n');
    expect(summary).toContain('| State | failed: The check failed. |');
  });

  it('cannot be made to set another output', async () => {
    const evil = { ...task, branch: 'x\nstate<<EOF\ndone\nEOF', state: 'failed', receipt: null };
    const { outputs } = await runTask({ INPUT_PROMPT: 'x', task: evil, code: 1 });
    expect(outputs['state']).toBe('failed');
    expect(outputs['branch']).toContain('EOF');
  });

  it.each([
    [{}, 'Give either a task or a prompt.'],
    [{ INPUT_PROMPT: ' ' }, 'Give either a task or a prompt.'],
    [{ INPUT_TASK: 'a.md', INPUT_PROMPT: 'x' }, 'Give either a task or a prompt.'],
    [{ INPUT_TASK: 'a.md', output: 'robota: a.md:2: Unknown field' }, 'The task could not be started'],
  ])('fails with %j', async (given, message) => {
    const { status, stdout } = await runTask({ code: 2, ...given });
    expect(status).toBe(2);
    expect(stdout).toContain(message);
  });
});

describe('the installation', () => {
  it('takes exact versions only', async () => {
    await program('npm', 'echo "$@"');
    for (const version of ['latest', '^0.1.0', '0.1', '', '0.1.0 evil'])
      expect(run('install.mjs', { ROBOTA_VERSION: version }).stdout).toContain('is not an exact version');
    const { stdout, status } = run('install.mjs', { ROBOTA_VERSION: '0.1.0' });
    expect(status).toBe(0);
    expect(stdout).toContain(
      '--ignore-scripts --no-fund --no-audit @robota-sdk/agent-cli@0.1.0 @robota-sdk/agent-fleet@0.1.0',
    );
  });

  it('makes the sandbox work on machines of GitHub, and leaves others alone', async () => {
    const done = join(folder, 'done');
    await program('npm', 'true');
    await program('bwrap', `grep -q apparmor_parser "${done}" 2>/dev/null`);
    await program('sudo', `printf '%s\\n' "$*" >> "${done}"; [ "$2" != tee ] || cat >> "${done}"`);
    const env = { ROBOTA_VERSION: '0.1.0', RUNNER_ENVIRONMENT: 'self-hosted' };
    expect(run('install.mjs', env).status).toBe(0);
    expect(await read(done)).toBe('');
    expect(run('install.mjs', { ...env, RUNNER_ENVIRONMENT: 'github-hosted' }).status).toBe(0);
    const commands = await read(done);
    expect(commands).toMatch(/-n apt-get install .*bubblewrap\n-n tee \/etc\/apparmor\.d\/bwrap\nabi /);
    expect(commands).toContain('profile bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns,\n}\n');
    // Changes nothing if the sandbox works already.
    expect(run('install.mjs', { ...env, RUNNER_ENVIRONMENT: 'github-hosted' }).status).toBe(0);
    expect(await read(done)).toBe(commands);
  });
});

it('asks who may run it before anything else, and uses no other action', () => {
  const action = parse(readFileSync('action/action.yml', 'utf8'));
  const { steps } = action.runs;
  expect(steps[0].run).toBe('node "$GITHUB_ACTION_PATH/authorize.mjs"');
  for (const step of steps) {
    expect(step.uses).toBeUndefined();
    expect(step.if).toBeUndefined();
    // Inputs reach scripts as variables; in the text of a command they could be commands.
    expect(step.run).not.toContain('${{');
    expect(step['continue-on-error']).toBeUndefined();
  }
  const { version } = JSON.parse(readFileSync('packages/agent-cli/package.json', 'utf8'));
  expect(action.inputs.version.default).toBe(version);
});

function comment(login: string, number: number): object {
  return { issue: { number, pull_request: {} }, comment: { user: { login } }, sender: { login } };
}

/** Runs the first step with a `gh` that knows a few users and pull requests. */
async function authorize(given: { event: string; payload: object | string; actor?: string; again?: string }) {
  const path = join(folder, 'event.json');
  const { payload } = given;
  await writeFile(path, typeof payload === 'string' ? payload : JSON.stringify(payload));
  await program(
    'gh',
    `case "$*" in
  "api repos/${repository}/collaborators/alice/permission") echo '{"permission":"write"}';;
  "api repos/${repository}/collaborators/reader/permission") echo '{"permission":"read"}';;
  "api repos/${repository}/pulls/1") echo '{"head":{"repo":{"full_name":"Acme/Shop"}}}';;
  "api repos/${repository}/pulls/2") echo '{"head":{"repo":{"full_name":"mallory/shop"}}}';;
  *) echo "not found" >&2; exit 1;;
esac`,
  );
  const { actor = 'alice', again = actor } = given;
  return run('authorize.mjs', {
    GITHUB_REPOSITORY: repository,
    GITHUB_EVENT_NAME: given.event,
    GITHUB_EVENT_PATH: path,
    GITHUB_ACTOR: actor,
    GITHUB_TRIGGERING_ACTOR: again,
  });
}

/** Runs the last step with a `robota` that notes its words and prints a task. */
async function runTask(given: { task?: object; code?: number; output?: string } & Record<string, unknown>) {
  const { task, code = 0, output, ...env } = given;
  const noted = join(folder, 'words');
  await writeFile(join(folder, 'output'), output ?? (task ? `${JSON.stringify(task)}\n` : ''));
  await program('robota', `printf '%s\\n' "$@" > "${noted}"; cat "${join(folder, 'output')}"; exit ${code}`);
  const [summary, outputs] = [join(folder, 'summary.md'), join(folder, 'outputs')];
  const result = run('run-task.mjs', {
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
    ...(env as Record<string, string>),
  });
  return {
    ...result,
    words: (await read(noted)).split('\n').slice(0, -1),
    summary: await read(summary),
    outputs: parseOutputs(await read(outputs)),
  };
}

/** Reads outputs as GitHub does: `NAME<<MARK`, lines, `MARK`. */
function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, name = '', mark] = /^(\w+)<<(.+)$/.exec(lines[at] ?? '') ?? [];
    if (mark === undefined) continue;
    const end = lines.indexOf(mark, at);
    outputs[name] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return outputs;
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function program(name: string, script: string): Promise<void> {
  const path = join(folder, 'bin', name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

function run(script: string, env: Record<string, string>) {
  return spawnSync(process.execPath, [join('action', script)], {
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ...env },
  });
}
