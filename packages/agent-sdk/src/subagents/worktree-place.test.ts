import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Question, UserInterface } from '@robota-sdk/agent-core';
import type { ScriptedTurn } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { git, makeRepository } from '../fixtures/repository.ts';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import type { TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { findSession } from '../stored/find-session.ts';
import { KeptSessions } from '../stored/kept-sessions.ts';
import { agentConversation } from './agent-conversation.ts';

const worktreeOf = async (session: InteractiveSession) => {
  const { id } = await session.spawnAgentJob({ prompt: 'work', isolation: 'worktree' });
  return session.tasks.whenEnded(id);
};

const writes: readonly ScriptedTurn[] = [
  callTurn('Write', { file_path: 'src/made.txt', content: 'x' }),
  { text: 'done' },
];

describe('the hooks of an agent in a worktree', () => {
  const events = ['PreToolUse', 'PostToolUse', 'SubagentStart', 'SubagentStop'];
  /** Writes down where it runs and what it is told of that. */
  const note = (place: TestProject) =>
    `node -e 'const input = JSON.parse(require("fs").readFileSync(0, "utf8")); require("fs").appendFileSync("${place.home}/log.jsonl", JSON.stringify([input.hook_event_name, process.cwd(), process.env.CLAUDE_PROJECT_DIR, input.cwd]) + "\\n")'`;

  it('run where it works, in every way they look for it', async () => {
    proves('R-16');
    const place = await makeRepository();
    const hooks = [{ hooks: [{ type: 'command', command: note(place) }] }];
    await place.put('~/.robota/settings.json', {
      hooks: Object.fromEntries(events.map((event) => [event, hooks])),
    });
    const { session } = await openScripted(place, writes, { permissionMode: 'acceptEdits' });
    const { worktree } = await worktreeOf(session);
    const lines = (await readFile(join(place.home, 'log.jsonl'), 'utf8')).trim().split('\n');
    const there = worktree?.path;
    expect(there).toContain('worktrees');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      ['SubagentStart', 'PreToolUse', 'PostToolUse', 'SubagentStop'].map((name) => [
        name,
        there,
        there,
        there,
      ]),
    );
    await session.shutdown();
  });

  it('are compared with the calls of the agent by the paths of the project', async () => {
    const place = await makeRepository();
    const guard = { type: 'command', command: 'echo "not there" >&2; exit 2', if: 'Edit(src/**)' };
    await place.put('~/.robota/settings.json', { hooks: { PreToolUse: [{ hooks: [guard] }] } });
    const { session } = await openScripted(place, writes, { permissionMode: 'bypassPermissions' });
    const { worktree } = await worktreeOf(session);
    expect(existsSync(join(worktree?.path ?? '', 'src/made.txt'))).toBe(false);
    await session.shutdown();
  });

  it('of the repository run only the script that was agreed to, not another one that lies in the worktree', async () => {
    const place = await makeRepository();
    const command = '"$CLAUDE_PROJECT_DIR"/guard.sh';
    await place.put('.robota/settings.json', {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] },
    });
    await place.put('guard.sh', `touch '${place.home}/old-ran'\n`);
    git(place.cwd, 'add', '.');
    git(place.cwd, 'update-index', '--chmod=+x', 'guard.sh');
    git(place.cwd, 'commit', '-qm', 'guard');
    await place.put('guard.sh', 'exit 0\n');
    const { session, provider } = await openScripted(place, writes, {
      permissionMode: 'acceptEdits',
      trustProject: true,
    });
    const { worktree } = await worktreeOf(session);
    expect(existsSync(join(place.home, 'old-ran'))).toBe(false);
    expect(worktree).toBeUndefined();
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain('is not the script that you approved');
    await session.shutdown();
  });
});

describe('the questions of an agent in a worktree', () => {
  it('offer no rule for the project, and one for the session holds in the worktree only', async () => {
    const place = await makeRepository();
    const questions: Question[] = [];
    const terminal: UserInterface = {
      notify: () => {},
      ask: async (question) => {
        questions.push(question);
        return { kind: 'selected', indexes: [1] };
      },
    };
    await place.put('src/made.txt', 'of the project\n');
    const edit = callTurn('Write', { file_path: 'src/made.txt', content: 'y' });
    const script = [...writes, callTurn('Read', { file_path: 'src/made.txt' }), edit, { text: 'end' }];
    const { session } = await openScripted(place, script, { terminal });
    const { worktree } = await worktreeOf(session);
    const labels = questions[0]?.kind === 'select' ? questions[0].options.map(({ label }) => label) : [];
    const rule = `Edit(/${worktree?.path}/src/made.txt)`;
    expect(labels).toEqual([
      'Allow once',
      'Allow edits to this file in this session',
      'Deny, and say what to do instead',
    ]);
    expect(questions[0]?.kind === 'select' && questions[0].detail).not.toContain('of the project');
    expect(session.permissions.authorizer.sessionRules.map(({ text }) => text)).toEqual([rule]);
    await session.submit('and here');
    expect(questions).toHaveLength(2);
    expect(existsSync(join(place.cwd, '.robota'))).toBe(false);
    await session.shutdown();
  });
});

describe('/agent open', () => {
  /** A session whose agent has left something in its worktree. */
  async function opened(place: TestProject) {
    await place.put('.robota/settings.local.json', { permissions: { deny: ['Bash(echo *)'] } });
    const { session } = await openScripted(place, writes, { permissionMode: 'acceptEdits', store: 'new' });
    const task = await worktreeOf(session);
    return { session, task, parentId: session.getSession().id };
  }

  it('continues where the agent worked, by the rules of the project', async () => {
    const place = await makeRepository();
    const { session, task } = await opened(place);
    const { path = '' } = task.worktree ?? {};
    const result = await session.executeCommand('agent', `open ${task.id}`);
    expect(result).toMatchObject({ switchTo: { open: task.transcriptPath, cwd: path } });
    expect(result?.message).toContain(`It works in ${path}.`);
    await session.shutdown();
    const questions: Question[] = [];
    const terminal: UserInterface = {
      notify: () => {},
      ask: async (question) => {
        questions.push(question);
        return { kind: 'dismissed' };
      },
    };
    const turns = [
      callTurn('Bash', { command: 'echo hi' }),
      callTurn('Read', { file_path: 'src/made.txt' }),
      callTurn('Write', { file_path: 'other.txt', content: 'x' }),
      { text: 'end' },
    ];
    const next = await openScripted(place, turns, {
      terminal,
      store: { open: task.transcriptPath ?? '' },
      cwd: path,
      project: place.cwd,
    });
    await next.session.submit('go on');
    const results = next.session.getMessages().filter(({ role }) => role === 'tool');
    expect(JSON.stringify(results.at(-3))).toContain('Bash(echo *)');
    expect(JSON.stringify(results.at(-2))).toContain('1\\tx');
    expect(JSON.stringify(questions)).not.toContain('in this project');
    expect(JSON.stringify(questions)).toContain(`Edit(/${path}/other.txt)`);
    expect(agentConversation(next.session)).toMatchObject({ agentId: task.id, path: task.transcriptPath });
    await next.session.shutdown();
  });

  it('refuses where the worktree is gone, and says how to continue', async () => {
    const place = await makeRepository();
    const { session, task } = await opened(place);
    await rm(task.worktree?.path ?? '', { recursive: true });
    const result = await session.executeCommand('agent', `open ${task.id}`);
    expect(result).toMatchObject({ success: false });
    expect(result?.message).toContain(`which is gone`);
    expect(result?.message).toContain(`/agent send ${task.id} PROMPT`);
    await session.shutdown();
  });

  it('the id of an agent leads to the session it belongs to', async () => {
    const place = await makeRepository();
    const { session, task, parentId } = await opened(place);
    await session.shutdown();
    const kept = new KeptSessions({ home: join(place.home, '.robota'), cwd: place.cwd });
    const header = JSON.parse((await readFile(task.transcriptPath ?? '', 'utf8')).split('\n')[0] ?? '');
    for (const reference of [task.id, task.id.slice(0, 6), header.id])
      await expect(findSession(reference, kept)).rejects.toThrow(
        `is an agent of the session ${parentId}. robota -r ${parentId} opens that, and /agent open ${task.id} there`,
      );
    await expect(findSession('abcdef012', kept)).rejects.toThrow('No session matches "abcdef012"');
  });
});
