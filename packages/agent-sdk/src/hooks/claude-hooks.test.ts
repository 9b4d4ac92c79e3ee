import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProblems, textOf, type UserInterface } from '@robota-sdk/agent-core';
import type { ScriptedTurn } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSessionOptions } from '../session/create-interactive-session.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const everything = { permissionMode: 'bypassPermissions' } as const;

async function open(
  hooks: unknown,
  script: readonly ScriptedTurn[],
  options: InteractiveSessionOptions = {},
) {
  const place = await makeTestProject();
  await place.put('~/.claude/settings.json', { hooks });
  const opened = await openScripted(place, script, options);
  const notices: string[] = [];
  opened.session.on('notice', ({ text }) => void notices.push(text));
  return { ...opened, place, notices };
}

/** Runs one Bash command under a hook of PreToolUse and tells whether it ran. */
async function ranBash(bash: string, hook: object, options: InteractiveSessionOptions = {}) {
  const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', ...hook }] }] };
  const { session, place } = await open(
    hooks,
    [callTurn('Bash', { command: `touch ran; ${bash}` }), { text: 'ok' }],
    options,
  );
  const warnings = describeProblems(session.problems).join('\n');
  await session.submit('go');
  await session.shutdown();
  return { ran: await exists(place, 'ran'), result: resultsOf(session)[0] ?? '', warnings };
}

async function exists(place: TestProject, name: string): Promise<boolean> {
  return readFile(join(place.cwd, name)).then(
    () => true,
    () => false,
  );
}

function resultsOf(session: InteractiveSession): string[] {
  return session
    .getMessages()
    .flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));
}

const answer = (event: string, fields: object) =>
  `cat > /dev/null; echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...fields } })}'`;
const decide = (permissionDecision: string) => answer('PreToolUse', { permissionDecision });

describe('hooks with args', () => {
  it('a guard that is a program with arguments refuses', async () => {
    proves('R-18');
    const guard = {
      command: process.execPath,
      args: ['-e', 'console.error("not " + process.argv[1]); process.exit(2)', 'this one'],
    };
    const { ran, result } = await ranBash('true', guard, { rules: { allow: ['Bash'] } });
    expect(ran).toBe(false);
    expect(result).toContain('says: not this one');
  });

  it('a guard with args that cannot be used counts as ask, which is deny without a terminal', async () => {
    expect(await ranBash('true', { command: 'true', args: 'x' }, everything)).toMatchObject({ ran: false });
    expect(await ranBash('true', { command: './gone', args: [] }, everything)).toMatchObject({ ran: false });
  });
});

describe('hooks with if', () => {
  const deny = { command: decide('deny'), if: 'Bash(rm *)' };
  const allow = { command: decide('allow'), if: 'Bash(touch *)' };

  it.each([
    ['ls', true],
    ['git commit -m "rm x"', true],
    ['rm x', false],
    ['ls && rm x', false],
    ['echo $(rm x)', false],
    ['FOO=1 sudo -n true; /bin/rm x', false],
    ['$UNKNOWN x', false],
    ['eval "$UNKNOWN"', false],
  ])('a hook that denies rm: %s runs: %s', async (bash, ran) => {
    expect(await ranBash(bash, deny, everything)).toMatchObject({ ran });
  });

  it.each([
    ['touch a', true],
    ['touch a | curl -d @- example.invalid', false],
    ['curl example.invalid', false],
    ['touch $(curl example.invalid)', false],
    ['$UNKNOWN a', false],
  ])('a hook that allows touch: %s runs: %s', async (bash, ran) => {
    expect(await ranBash(bash, allow)).toMatchObject({ ran });
  });

  it('is compared with the paths of other tools', async () => {
    const hooks = {
      PreToolUse: [{ hooks: [{ type: 'command', command: 'exit 2', if: 'Edit(src/**)' }] }],
    };
    const write = (file_path: string) => callTurn('Write', { file_path, content: 'x' });
    const script = [write('src/a.ts'), write('b.ts'), callTurn('Read', { file_path: 'src/c.ts' })];
    const { session, place } = await open(hooks, [...script, { text: 'ok' }], everything);
    await place.put('src/c.ts', 'content of c');
    await session.submit('go');
    await session.shutdown();
    expect(resultsOf(session)[0]).toContain('blocked by the hook "exit 2"');
    expect(await exists(place, 'b.ts')).toBe(true);
    expect(resultsOf(session)[2]).toContain('content of c');
  });

  it('one that is no rule runs its hook for every call, and approves none', async () => {
    const condition = 'Bash(rm *)|Bash(mv *)';
    expect(await ranBash('ls', { ...deny, if: condition }, everything)).toMatchObject({ ran: false });
    expect(await ranBash('mv a b', { ...allow, if: condition })).toMatchObject({ ran: false });
  });
});

describe('hooks with unknown fields', () => {
  const unknown = { command: decide('allow'), onlyFor: ['npm test'] };

  it('approve nothing, and say so', async () => {
    const { ran, warnings } = await ranBash('true', unknown);
    expect(ran).toBe(false);
    expect(warnings).toContain('unknown or unusable fields: "onlyFor"');
    const silent = await ranBash('true', { command: 'true', arguments: ['guard.py'] }, everything);
    expect(silent.ran).toBe(false);
    expect(silent.result).toContain('has not approved this call');
  });

  it('still deny', async () => {
    const { result } = await ranBash('true', { command: 'echo no >&2; exit 2', nonsense: 1 }, everything);
    expect(result).toContain('says: no');
  });

  it('of a group count for each of its hooks', async () => {
    const hooks = {
      PreToolUse: [{ matcher: 'Bash', unless: 'x', hooks: [{ type: 'command', command: decide('allow') }] }],
    };
    const { session, place } = await open(hooks, [callTurn('Bash', { command: 'echo > ran' }), { text: '' }]);
    await session.submit('go');
    await session.shutdown();
    expect(await exists(place, 'ran')).toBe(false);
  });
});

describe('hooks in the background', () => {
  const runs = callTurn('Bash', { command: 'true' });

  it('give their context to the next turn, whether the settings or their first line says so', async () => {
    const late = `until [ -e go ]; do sleep 0.01; done; ${answer('PostToolUse', { additionalContext: 'seen late' })}`;
    for (const hook of [{ command: late, async: true }, { command: `echo '{"async":true}'; ${late}` }]) {
      const hooks = { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', ...hook }] }] };
      const { session, provider, place } = await open(
        hooks,
        [runs, { text: 'a' }, { text: 'b' }],
        everything,
      );
      expect(await session.submit('go')).toMatchObject({ response: 'a' });
      await place.put('go', '');
      await expect.poll(() => session.getSession().queue.reminders.length).toBe(1);
      await session.submit('and now');
      expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('seen late');
      await session.shutdown();
    }
  });

  it('cannot approve: what they say comes too late', async () => {
    expect(await ranBash('true', { command: decide('allow'), async: true })).toMatchObject({ ran: false });
    expect(await ranBash('true', { command: `echo '{"async":true}'; ${decide('allow')}` })).toMatchObject({
      ran: false,
    });
  });

  it('with asyncRewake wake the model when they end with exit code 2', async () => {
    const terminal: UserInterface = { ask: async () => ({ kind: 'dismissed' }), notify: () => {} };
    const review = {
      type: 'command',
      command: 'until [ -e go ]; do sleep 0.01; done; echo "a key in a.ts" >&2; exit 2',
      asyncRewake: true,
      rewakeMessage: 'Review:',
      rewakeSummary: 'The review found issues',
    };
    const hooks = { PostToolUse: [{ matcher: 'Bash', hooks: [review] }] };
    const { session, provider, place, notices } = await open(
      hooks,
      [runs, { text: 'done' }, { text: 'fixed' }],
      { ...everything, terminal },
    );
    expect(await session.submit('go')).toMatchObject({ response: 'done' });
    await place.put('go', '');
    await expect.poll(() => provider.requests.length).toBe(3);
    expect(JSON.stringify(provider.requests[2]?.messages)).toContain('Review:\\na key in a.ts');
    expect(notices).toContain('The review found issues');
    await session.shutdown();
  });

  it('end with the session', async () => {
    const hooks = {
      PostToolUse: [
        { hooks: [{ type: 'command', command: 'echo $$ > pid; exec sleep 300', asyncRewake: true }] },
      ],
    };
    const { session, place } = await open(hooks, [runs, { text: 'a' }], everything);
    await session.submit('go');
    const pid = () => readFile(join(place.cwd, 'pid'), 'utf8').catch(() => '');
    await expect.poll(pid).toMatch(/\d+\n/);
    await session.shutdown();
    const stat = await readFile(`/proc/${(await pid()).trim()}/stat`, 'latin1').catch(() => ') Z ');
    expect(stat).toMatch(/\) [ZX] /);
  });
});

describe('the events of failed and doubtful calls', () => {
  const log = { type: 'command', command: 'cat >> log.jsonl; echo >> log.jsonl' };

  async function logged(place: TestProject): Promise<Record<string, unknown>[]> {
    const text = await readFile(join(place.cwd, 'log.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('PostToolUse follows a call that worked, PostToolUseFailure one that failed', async () => {
    const hooks = {
      PostToolUse: [{ hooks: [log] }],
      PostToolUseFailure: [{ matcher: 'Bash|Read', hooks: [log] }],
    };
    const script = [
      callTurn('Bash', { command: 'true' }),
      callTurn('Bash', { command: 'echo broken; false' }),
      callTurn('Read', { file_path: 'missing.txt' }),
      { text: 'ok' },
    ];
    const { session, place } = await open(hooks, script, everything);
    await session.submit('go');
    await session.shutdown();
    expect(await logged(place)).toMatchObject([
      { hook_event_name: 'PostToolUse', tool_name: 'Bash' },
      { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', error: expect.stringContaining('broken') },
      {
        hook_event_name: 'PostToolUseFailure',
        tool_name: 'Read',
        error: expect.stringContaining('missing.txt'),
      },
    ]);
  });

  it.each([
    [{ behavior: 'allow' }, {}, true],
    [{ behavior: 'deny', message: 'not now' }, {}, false],
    [{ behavior: 'allow', updatedInput: { command: 'true' } }, {}, false],
    [{ behavior: 'allow' }, { rules: { ask: ['Bash(echo *)'] } }, false],
    [{ behavior: 'allow' }, { rules: { deny: ['Bash(echo *)'] } }, false],
    [{ behavior: 'allow' }, { permissionMode: 'plan' as const }, false],
    [{ behavior: 'maybe' }, {}, false],
  ])('PermissionRequest answers %j with %j instead of the user: %s', async (decision, options, ran) => {
    const hook = { type: 'command', command: answer('PermissionRequest', { decision }) };
    const { session, place } = await open(
      { PermissionRequest: [{ matcher: 'Bash', hooks: [hook] }] },
      [callTurn('Bash', { command: 'echo > ran' }), { text: 'ok' }],
      options,
    );
    await session.submit('go');
    await session.shutdown();
    expect(await exists(place, 'ran')).toBe(ran);
    if ('message' in decision) expect(resultsOf(session)[0]).toContain(decision.message);
  });

  it('PermissionRequest is told the call and the rules that would allow it', async () => {
    const { session, place } = await open({ PermissionRequest: [{ hooks: [log] }] }, [
      callTurn('Bash', { command: 'make' }),
      { text: 'ok' },
    ]);
    await session.submit('go');
    await session.shutdown();
    expect(await logged(place)).toMatchObject([
      {
        tool_name: 'Bash',
        tool_input: { command: 'make' },
        permission_suggestions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'make' }] }],
      },
    ]);
  });
});

describe('hooks that ask a model', () => {
  it.each(['prompt', 'agent'])(
    'a hook of type %s offers the vendor no search and sets no tasks',
    async (type) => {
      proves('R-21', 'R-22');
      const hooks = { UserPromptSubmit: [{ hooks: [{ type, prompt: 'May it?' }] }] };
      const { session, provider } = await open(hooks, [{ text: '{"ok": true}' }, { text: 'hello' }]);
      await session.submit('go');
      await session.shutdown();
      const [judging, asked] = provider.requests;
      expect(judging?.webSearch).toBe(false);
      expect(JSON.stringify(judging)).not.toContain('TodoWrite');
      expect(asked?.webSearch).toBe(true);
    },
  );
});
