// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested here.
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import {
  describeProblems,
  type Message,
  type Question,
  silentInterface,
  textOf,
  type UserInterface,
} from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';

const fileOf = (head: string, body: string) => `---\n${head}\n---\n${body}`;
const lastUser = (messages: readonly Message[]) =>
  textOf(messages.findLast((each) => each.role === 'user' && each.origin !== 'reminder')?.content ?? []);
const lastResult = (messages: readonly Message[]) =>
  textOf(messages.findLast(({ role }) => role === 'tool')?.content ?? []);

/** A place with one skill of the user, and one of the project. */
async function placeWith(skill: string, { project = false, name = 'review' } = {}): Promise<TestProject> {
  const place = await makeTestProject();
  await place.put(`${project ? '' : '~/'}.agents/skills/${name}/SKILL.md`, skill);
  return place;
}

/** Answers every question with the same choice, and records the questions. */
function person(choice: number): UserInterface & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    ...silentInterface,
    asked,
    ask: async (question) => {
      asked.push(question);
      return { kind: 'selected', indexes: [choice] };
    },
  };
}

describe('a skill in the prompt', () => {
  it('is a name and a description; the tool is there for those the model may use', async () => {
    proves('P-44', 'P-135', 'R-64');
    const place = await placeWith(fileOf('description: Reviews a change', 'SECRET BODY'));
    await place.put('~/.agents/skills/mine/SKILL.md', fileOf('description: d\ninvocation: user', 'x'));
    const { session, provider } = await openScripted(place);
    await session.submit('hello');
    const [request] = provider.requests;
    expect(request?.system).toContain(
      '<available_skills>\n<skill name="review">Reviews a change</skill>\n</available_skills>',
    );
    expect(request?.system).not.toContain('SECRET BODY');
    expect(request?.tools.map(({ name }) => name)).toContain('Skill');
    expect(session.skills.map(({ name }) => name)).toEqual(['mine', 'review']);
    await session.shutdown();
  });

  it('leaves no trace where there are none, or where the tool is left out', async () => {
    const bare = await openScripted(await placeWith(fileOf('description: d\ninvocation: user', 'x')));
    await bare.session.submit('hello');
    expect(bare.provider.requests[0]?.system).not.toContain('skill');
    expect(bare.provider.requests[0]?.tools.map(({ name }) => name)).not.toContain('Skill');
    const without = await openScripted(await placeWith(fileOf('description: d', 'x')), undefined, {
      tools: { exclude: ['Skill'] },
    });
    await without.session.submit('hello');
    expect(without.provider.requests[0]?.system).not.toContain('available_skills');
    await Promise.all([bare.session.shutdown(), without.session.shutdown()]);
  });

  it('keeps a skill from the model that a rule denies', async () => {
    const place = await placeWith(fileOf('description: d', 'x'), { name: 'deploy' });
    await place.put('~/.agents/skills/other/SKILL.md', fileOf('description: d', 'x'));
    await place.put('~/.robota/settings.json', { permissions: { deny: ['Skill(deploy)'] } });
    const { session, provider } = await openScripted(place, [
      callTurn('Skill', { skill: 'deploy' }),
      { text: 'ok' },
    ]);
    await session.submit('deploy it');
    expect(provider.requests[0]?.system).not.toContain('"deploy"');
    expect(lastResult(session.getMessages())).toContain('refused by the deny rule Skill(deploy)');
    await session.shutdown();
  });
});

describe('a skill that is used', () => {
  const body = [
    'All: $ARGUMENTS. First: $0, $ARGUMENTS[1].',
    'Session ${CLAUDE_SESSION_ID}, ${CLAUDE_MODEL}, in ${PROJECT_DIR}, ${USER_HOME}, ${CLAUDE_SKILL_DIR}.',
    '@README.md stays.',
  ].join('\n');

  it('by /name or /skill:name is put into the conversation with its arguments', async () => {
    proves('C-61', 'C-67', 'P-136', 'P-137');
    const place = await placeWith(fileOf('description: d', body));
    const { session, provider } = await openScripted(place, () => ({ text: 'done' }));
    const activations: unknown[] = [];
    session.on('skill_activation', (event) => activations.push(event));
    for (const name of ['review', 'skill:review']) {
      const result = await session.executeCommand(name, 'src "two words"');
      expect(result).toMatchObject({ success: true, message: 'done', execution: { status: 'completed' } });
      const directory = join(place.home, '.agents/skills/review');
      expect(lastUser(provider.requests.at(-1)?.messages ?? [])).toBe(
        [
          `<skill name="review" location="${directory}/SKILL.md">`,
          `Paths in it begin in ${directory}.`,
          '',
          'All: src "two words". First: src, two words.',
          `Session ${session.getSession().id}, claude-sonnet-4-6, in ${place.cwd}, ${place.home}, ${directory}.`,
          '@README.md stays.',
          '</skill>',
          '',
          'Follow the skill "review". Arguments: src "two words"',
        ].join('\n'),
      );
    }
    expect(activations).toHaveLength(2);
    expect(activations[0]).toMatchObject({ skill: 'review', by: 'user' });
    await session.shutdown();
  });

  it('by the model comes as the result of its call, as the file is by then', async () => {
    proves('P-136');
    const place = await placeWith(fileOf('description: d', 'Old text.'));
    const { session } = await openScripted(place, [
      {
        toolCalls: [{ name: 'Skill', input: { skill: 'review', args: 'src' } }],
        before: () => place.put('~/.agents/skills/review/SKILL.md', 'New text for $0.').then(() => {}),
      },
      callTurn('Skill', { skill: 'revew' }),
      { text: 'ok' },
    ]);
    const byModel: unknown[] = [];
    session.on('skill_activation', (event) => byModel.push(event));
    await session.submit('review it');
    const [first, second] = session.getMessages().filter(({ role }) => role === 'tool');
    expect(textOf(first?.content ?? [])).toContain('New text for src.');
    expect(textOf(second?.content ?? [])).toContain('Unknown skill "revew". Did you mean review?');
    expect(byModel[0]).toEqual({ skill: 'review', by: 'model' });
    await session.shutdown();
  });

  it('a skill with the name of a built-in command is reached by /skill:name, and the clash is told', async () => {
    proves('C-59');
    const place = await placeWith(fileOf('description: d', 'Mine.'), { name: 'help' });
    const { session, provider } = await openScripted(place, () => ({ text: 'done' }));
    expect(describeProblems(session.problems).join()).toMatch(
      /The command "help" is defined more than once\. Used: built-in\. Ignored: skills in ~\/\.agents\/skills\./,
    );
    expect((await session.executeCommand('help'))?.message).toContain('/skills');
    await session.executeCommand('skill:help');
    expect(lastUser(provider.requests[0]?.messages ?? [])).toContain('Mine.');
    await session.shutdown();
  });

  it('is no command where only the model may use it', async () => {
    proves('C-66');
    const { session } = await openScripted(
      await placeWith(fileOf('description: d\ninvocation: model-only', 'x'), { name: 'audit' }),
    );
    expect(session.skills.map(({ name }) => name)).toContain('audit');
    expect(await session.executeCommand('audit')).toBeNull();
    expect(session.listCommands().map(({ name }) => name)).not.toContain('audit');
    await session.shutdown();
  });

  it('/skills lists name, description, source and length, and what is hidden', async () => {
    proves('P-138');
    const place = await placeWith(fileOf('description: Reviews\ninvocation: user', 'x'.repeat(4000)));
    const hidden = await place.put('~/.claude/skills/review/SKILL.md', fileOf('description: Other', 'x'));
    const { session } = await openScripted(place);
    const result = await session.executeCommand('skills');
    expect(result?.message).toMatch(/^review {2}\(about \d{3,4} tokens, only you use it\)\n {2}Reviews\n/);
    expect(result?.message).toContain(`hidden by another of its name\n  ${hidden}`);
    expect(result?.data).toMatchObject({
      skills: [{ name: 'review', scope: 'user', isHidden: false }, { isHidden: true }],
    });
    await session.shutdown();
  });

  it('shows the model nothing that a reader of the file does not see', async () => {
    const hidden = '\u{e0041}\u{e0042}';
    const { session, provider } = await openScripted(
      await placeWith(fileOf(`description: Plain${hidden} words`, `Do${hidden} it.`)),
      () => ({ text: 'ok' }),
    );
    await session.executeCommand('review');
    expect(JSON.stringify(provider.requests[0])).not.toContain(hidden);
    expect(lastUser(provider.requests[0]?.messages ?? [])).toContain('Do it.');
    await session.shutdown();
  });

  it('says that a skill is gone', async () => {
    const place = await placeWith(fileOf('description: d', 'x'));
    const { session } = await openScripted(place);
    const { rm } = await import('node:fs/promises');
    await rm(join(place.home, '.agents'), { recursive: true });
    expect(await session.executeCommand('review')).toMatchObject({
      success: false,
      message: expect.stringContaining('Cannot read the skill'),
    });
    await session.shutdown();
  });
});

describe('the commands of a skill', () => {
  it('are replaced by what they print; a failure is told in their place', async () => {
    proves('C-62');
    const text = 'Branch: !`echo main`.\n```!\necho one\necho two\n```\nBad: !`ls /no-such-place`';
    const { session, provider } = await openScripted(
      await placeWith(fileOf('description: d', text)),
      () => ({
        text: 'ok',
      }),
      { permissionMode: 'bypassPermissions' },
    );
    await session.executeCommand('review');
    const sent = lastUser(provider.requests[0]?.messages ?? []);
    expect(sent).toContain('Branch: main.\none\ntwo\nBad: ');
    expect(sent).toMatch(/no-such-place.*\n\[exit code \d\]/);
    await session.shutdown();
  });

  it('are asked about in full, denied without a user, and spared by what the skill allows', async () => {
    proves('C-62');
    const text = 'Done: !`touch made.txt && echo yes`';
    const place = await placeWith(fileOf('description: d', text));
    const silent = await openScripted(place, () => ({ text: 'ok' }));
    await silent.session.executeCommand('review');
    expect(lastUser(silent.provider.requests[0]?.messages ?? [])).toContain(
      '[The command `touch made.txt && echo yes` was not run: ',
    );
    expect(existsSync(join(place.cwd, 'made.txt'))).toBe(false);

    const terminal = person(0);
    const asked = await openScripted(place, () => ({ text: 'ok' }), { terminal });
    await asked.session.executeCommand('review');
    expect(terminal.asked).toMatchObject([
      {
        title: 'Run a command for the skill review',
        detail: expect.stringContaining('touch made.txt && echo yes'),
      },
    ]);
    expect(lastUser(asked.provider.requests[0]?.messages ?? [])).toContain('Done: yes');

    await place.put(
      '~/.agents/skills/review/SKILL.md',
      fileOf('description: d\nallowed-tools: Bash(touch:*)', text),
    );
    const spared = await openScripted(place, () => ({ text: 'ok' }));
    await spared.session.executeCommand('review');
    expect(lastUser(spared.provider.requests[0]?.messages ?? [])).toContain('Done: yes');
    await Promise.all([silent, asked, spared].map(({ session }) => session.shutdown()));
  });

  it('of a repository run only if they are trusted as they are', async () => {
    proves('C-62');
    const place = await placeWith(fileOf('description: d', 'Value: !`echo trusted`'), { project: true });
    const sentIn = async (options: Parameters<typeof openScripted>[2]) => {
      const { session, provider } = await openScripted(place, () => ({ text: 'ok' }), options);
      await session.executeCommand('review');
      const { problems } = session;
      await session.shutdown();
      return { text: lastUser(provider.requests[0]?.messages ?? []), problems };
    };
    const untrusted = await sentIn({});
    expect(untrusted.text).toContain('[The command `echo trusted` was not run: the repository supplies it');
    expect(describeProblems(untrusted.problems).join()).toMatch(/shell command of a skill/);
    expect((await sentIn({ trustProject: true })).text).toContain('Value: trusted');
    const terminal = person(1);
    expect((await sentIn({ terminal })).text).toContain('Value: trusted');
    expect(JSON.stringify(terminal.asked)).toMatch(/review\/SKILL\.md:4\\n +echo trusted\\n/);
    // Once agreed to, it holds until it changes.
    expect((await sentIn({})).text).toContain('Value: trusted');
    await place.put('.agents/skills/review/SKILL.md', fileOf('description: d', 'Value: !`echo changed`'));
    expect((await sentIn({})).text).toContain('`echo changed` was not run');
  });

  it('of a repository that change during the session are not run', async () => {
    proves('C-62');
    const place = await placeWith(fileOf('description: d', 'Value: !`echo a`'), { project: true });
    const { session, provider } = await openScripted(place, () => ({ text: 'ok' }), { trustProject: true });
    await session.executeCommand('review');
    await place.put('.agents/skills/review/SKILL.md', fileOf('description: d', 'Value: !`echo b`'));
    await session.executeCommand('review');
    expect(lastUser(provider.requests[0]?.messages ?? [])).toContain('Value: a');
    expect(lastUser(provider.requests[1]?.messages ?? [])).toContain('`echo b` was not run');
    await session.shutdown();
  });

  it('never come from arguments, whatever is in them', async () => {
    proves('C-62');
    const place = await placeWith(fileOf('description: d', 'Run !`echo ran` with $ARGUMENTS and $0.'));
    const { session, provider } = await openScripted(place, () => ({ text: 'ok' }));
    const piece = fc.constantFrom(
      '!`touch x`',
      '$ARGUMENTS',
      '```!\ntouch x\n```',
      '`',
      '$0',
      '</skill>',
      ' ',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const args = pieces.join('').trim();
        await session.executeCommand('review', args);
        const sent = lastUser(provider.requests.at(-1)?.messages ?? []);
        const shown = args.replaceAll('</skill', '&lt;/skill');
        expect(sent).toContain(`Run ran with ${shown} and `);
        expect(sent.match(/<\/skill>/g)?.length).toBe(1 + (args.match(/<\/skill>/g)?.length ?? 0));
        expect(existsSync(join(place.cwd, 'x'))).toBe(false);
      }),
      { numRuns: 25 },
    );
    await session.shutdown();
  });
});

describe('the tools of a skill', () => {
  const calls = (...list: readonly [string, Record<string, string>][]) => [
    ...list.map(([name, input]) => callTurn(name, input)),
    { text: 'ok' },
  ];
  const results = (messages: readonly Message[]) =>
    messages.flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));

  it('need no question while it is in use, and all others stay as they are', async () => {
    proves('C-65');
    const place = await placeWith(fileOf('description: d\nallowed-tools: Bash(touch *)', 'x'));
    await place.put('a.txt', 'content');
    const touch = (name: string): [string, Record<string, string>] => ['Bash', { command: `touch ${name}` }];
    const script = [
      ...calls(touch('b'), ['Glob', { pattern: '*.txt' }], ['Bash', { command: 'mkdir c' }]),
      ...calls(touch('d')),
      ...calls(['Skill', { skill: 'review' }], touch('e')),
      ...calls(touch('f')),
    ];
    const { session } = await openScripted(place, script);
    await session.executeCommand('review');
    const [, glob, mkdir] = results(session.getMessages());
    expect(glob).toContain('a.txt');
    expect(mkdir).toContain("`mkdir c` isn't read-only, and no rule allows it");
    for (const prompt of ['now without it', 'the model uses it', 'and without it'])
      await session.submit(prompt);
    const made = ['b', 'c', 'd', 'e', 'f'].filter((name) => existsSync(join(place.cwd, name)));
    expect(made).toEqual(['b', 'e']);
    await session.shutdown();
  });

  it('a script of the skill gets the arguments as they were typed, without a question', async () => {
    proves('C-62', 'C-65');
    const head = "description: d\nallowed-tools: 'Bash(${CLAUDE_SKILL_DIR}/run.sh:*)'";
    const place = await placeWith(fileOf(head, 'Says: !`"${CLAUDE_SKILL_DIR}/run.sh" $ARGUMENTS`'));
    const script = await place.put('~/.agents/skills/review/run.sh', '#!/bin/bash\nprintf "[%s]" "$@"');
    await chmod(script, 0o755);
    const { session, provider } = await openScripted(place);
    await session.executeCommand('review', '"Build it; touch evil" --max $(touch evil)');
    const [first] = provider.requests[0]?.messages ?? [];
    expect(textOf(first?.content ?? [])).toContain('Says: [Build it; touch evil][--max][$(touch][evil)]');
    expect(existsSync(join(place.cwd, 'evil'))).toBe(false);
    await session.shutdown();
  });

  it('reads the files of a skill in use without a question, and no others', async () => {
    const place = await placeWith(fileOf('description: d', 'Read notes.md.'));
    const notes = await place.put('~/.agents/skills/review/notes.md', 'the notes');
    const other = await place.put('~/.agents/skills/other.md', 'other');
    const read = (file_path: string): [string, Record<string, string>] => ['Read', { file_path }];
    const around = join(place.host.home, '.agents/skills/review/../other.md');
    const { session } = await openScripted(place, [
      ...calls(read(notes), read(other), read(around)),
      ...calls(read(notes)),
    ]);
    await session.executeCommand('review');
    await session.submit('and now');
    const [first, second, third, last] = results(session.getMessages());
    expect(first).toContain('the notes');
    for (const text of [second, third, last]) expect(text).toContain('Permission denied');
    await session.shutdown();
  });

  it('allow nothing in plan mode', async () => {
    proves('C-65');
    const place = await placeWith(fileOf('description: d\nallowed-tools: Bash Write', 'x'));
    const { session } = await openScripted(
      place,
      calls(['Bash', { command: 'touch b' }], ['Write', { file_path: 'c', content: 'c' }]),
      { permissionMode: 'plan' },
    );
    await session.executeCommand('review');
    expect(['b', 'c'].filter((name) => existsSync(join(place.cwd, name)))).toEqual([]);
    await session.shutdown();
  });

  it('with restrict-tools are the only ones until the run ends, by name and by pattern', async () => {
    proves('C-65');
    const head = 'description: d\nallowed-tools: Read, Bash(echo *)\nrestrict-tools: true';
    const place = await placeWith(fileOf(head, 'x'));
    await place.put('a.txt', 'content');
    const { session } = await openScripted(place, [
      ...calls(
        ['Read', { file_path: 'a.txt' }],
        ['Bash', { command: 'echo hi' }],
        ['Bash', { command: 'ls' }],
        ['Glob', { pattern: '*' }],
      ),
      ...calls(['Glob', { pattern: '*' }]),
    ]);
    await session.executeCommand('review');
    const [read, echo, list, glob] = results(session.getMessages());
    expect(read).toContain('content');
    expect(echo).toBe('hi');
    expect(list).toContain('The skill "review" allows only Read, Bash(echo *) while it is in use');
    expect(glob).toContain('this call of Glob is outside');
    await session.submit('and now?');
    expect(results(session.getMessages()).at(-1)).toContain('a.txt');
    await session.shutdown();
  });

  it('with restrict-tools hold from the call of the model on, and not in its next run', async () => {
    proves('C-65');
    const place = await placeWith(fileOf('description: d\nallowed-tools: Read\nrestrict-tools: true', 'x'));
    await place.put('a.txt', 'content');
    const glob = ['Glob', { pattern: '*' }] as const;
    const { session } = await openScripted(place, [
      ...calls([...glob], ['Skill', { skill: 'review' }], [...glob]),
      ...calls([...glob]),
    ]);
    await session.submit('go');
    const [before, , during] = results(session.getMessages());
    expect(before).toContain('a.txt');
    expect(during).toContain('allows only Read');
    await session.submit('again');
    expect(results(session.getMessages()).at(-1)).toContain('a.txt');
    await session.shutdown();
  });

  it('spare a question where the skill is one’s own, and never stand above a rule', async () => {
    proves('C-65');
    const skill = fileOf('description: d\nallowed-tools: Bash(touch *) Write', 'x');
    const turns = () =>
      calls(['Bash', { command: 'touch b.txt' }], ['Write', { file_path: 'c.txt', content: 'c' }]);
    const place = await placeWith(skill);
    await place.put('~/.robota/settings.json', { permissions: { deny: ['Write(c.txt)'] } });
    const own = await openScripted(place, turns());
    await own.session.executeCommand('review');
    expect(existsSync(join(place.cwd, 'b.txt'))).toBe(true);
    expect(existsSync(join(place.cwd, 'c.txt'))).toBe(false);

    const foreign = await placeWith(skill, { project: true });
    const untrusted = await openScripted(foreign, turns());
    await untrusted.session.executeCommand('review');
    expect(existsSync(join(foreign.cwd, 'b.txt'))).toBe(false);
    const trusted = await openScripted(foreign, turns(), { trustProject: true });
    await trusted.session.executeCommand('review');
    expect(existsSync(join(foreign.cwd, 'b.txt'))).toBe(true);
    await Promise.all([own, untrusted, trusted].map(({ session }) => session.shutdown()));
  });

  it('disallowed ones are refused', async () => {
    proves('C-65');
    const place = await placeWith(fileOf('description: d\ndisallowed-tools: Bash', 'x'));
    const { session } = await openScripted(place, calls(['Bash', { command: 'ls' }]));
    await session.executeCommand('review');
    expect(results(session.getMessages())[0]).toContain('The skill "review" does not allow Bash');
    await session.shutdown();
  });

  it('its model, effort and number of turns hold for its run', async () => {
    proves('C-60');
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    await place.put(
      '~/.agents/skills/review/SKILL.md',
      fileOf('description: d\nmodel: haiku\neffort: high\nmax-turns: 1', 'x'),
    );
    const { session, provider } = await openScripted(place, [
      callTurn('Bash', { command: 'ls' }),
      { text: 'plain' },
      callTurn('Skill', { skill: 'review' }),
      { text: 'with it' },
      { text: 'after' },
    ]);
    expect(await session.executeCommand('review')).toMatchObject({ success: false });
    await session.submit('go on');
    await session.submit('use it');
    await session.submit('go on');
    const ids = provider.requests.map(({ model }) => model.id);
    expect(ids[0]).toContain('haiku');
    expect(ids[1]).toBe('claude-sonnet-4-6');
    expect(ids[2]).toBe('claude-sonnet-4-6');
    expect(ids[3]).toContain('haiku');
    expect(ids[4]).toBe('claude-sonnet-4-6');
    expect(provider.requests.map(({ thinking }) => thinking)).toEqual(['high', 'off', 'off', 'high', 'off']);
    await session.shutdown();
  });
});

describe('the hooks of a skill', () => {
  const head = (command: string) =>
    `description: d\nhooks:\n  PreToolUse:\n    - matcher: Glob\n      hooks:\n        - type: command\n          command: ${JSON.stringify(command)}`;
  const glob = callTurn('Glob', { pattern: '*' });

  it('are at work until its run ends, for people and for the model', async () => {
    proves('C-60');
    const place = await placeWith(fileOf(head('echo no >&2; exit 2'), 'x'));
    await place.put('a.txt', 'content');
    const { session } = await openScripted(place, [
      glob,
      { text: 'one' },
      glob,
      { text: 'two' },
      callTurn('Skill', { skill: 'review' }),
      glob,
      { text: 'three' },
    ]);
    await session.executeCommand('review');
    expect(lastResult(session.getMessages())).toContain('no');
    await session.submit('again');
    expect(lastResult(session.getMessages())).toContain('a.txt');
    await session.submit('with it');
    expect(lastResult(session.getMessages())).not.toContain('a.txt');
    await session.shutdown();
  });

  it('of a repository run only if they are trusted, and none if hooks are off', async () => {
    proves('C-60');
    const place = await placeWith('', { project: true });
    const mark = join(place.home, 'mark');
    await place.put('.agents/skills/review/SKILL.md', fileOf(head(`touch ${mark}`), 'x'));
    const use = async (options: Parameters<typeof openScripted>[2]) => {
      const { session } = await openScripted(place, [glob, { text: 'ok' }], options);
      await session.executeCommand('review');
      await session.shutdown();
      return existsSync(mark);
    };
    expect(await use({})).toBe(false);
    await place.put('~/.robota/settings.json', { disableAllHooks: true });
    expect(await use({ trustProject: true })).toBe(false);
    await place.put('~/.robota/settings.json', {});
    expect(await use({ trustProject: true })).toBe(true);
  });
});

describe('a skill that a model uses', () => {
  it('ends the run when its turns are spent', async () => {
    proves('C-60');
    const place = await placeWith(fileOf('description: d\nmax-turns: 2', 'x'));
    const { session, provider } = await openScripted(place, (_request, turn) =>
      turn === 0 ? callTurn('Skill', { skill: 'review' }) : callTurn('Glob', { pattern: `${turn}*` }),
    );
    await session.submit('go');
    expect(provider.requests).toHaveLength(4);
    expect(lastResult(session.getMessages())).toContain('The skill "review" may take at most 2 turns.');
    await session.shutdown();
  });

  it('holds only the agent that uses it', async () => {
    proves('C-65');
    const head = 'description: d\nallowed-tools: Read\nrestrict-tools: true';
    const place = await placeWith(fileOf(head, 'Now: !`echo x`'));
    await place.put('a.txt', 'content');
    let used = 0;
    const { session, provider } = await openScripted(place, ({ system }, turn) => {
      if (system.includes('You work for another agent')) {
        used++;
        if (used === 1) return callTurn('Skill', { skill: 'review' });
        return used === 2 ? callTurn('Glob', { pattern: '*' }) : { text: 'child done' };
      }
      if (turn === 0) return callTurn('Agent', { prompt: 'do it' });
      return used === 3 && !lastResult(session.getMessages()).includes('a.txt')
        ? callTurn('Glob', { pattern: '*' })
        : { text: 'done' };
    });
    await session.submit('go');
    const child = provider.requests.findLast(({ system }) => system.includes('You work for another agent'));
    expect(child?.system).toContain('<skill name="review">');
    const [skill, glob] = (child?.messages ?? []).filter(({ role }) => role === 'tool');
    expect(textOf(skill?.content ?? [])).toContain(
      '`echo x` was not run: agents do not run the commands of skills',
    );
    expect(textOf(glob?.content ?? [])).toContain('allows only Read');
    expect(lastResult(session.getMessages())).toContain('a.txt');
    await session.shutdown();
  });
});

describe('a skill beside the conversation', () => {
  it('a fork has the skill for its prompt, and only its answer comes back', async () => {
    proves('C-63', 'C-93', 'C-94', 'C-95');
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    await place.put('AGENTS.md', 'House rules.');
    await place.put(
      '~/.agents/skills/review/SKILL.md',
      fileOf(
        'description: d\ncontext: fork\nmodel: haiku\nallowed-tools: Read Bash(echo *)\nrestrict-tools: true',
        'Be strict about $ARGUMENTS.',
      ),
    );
    const { session, provider } = await openScripted(place, [
      {
        toolCalls: [
          { name: 'Bash', input: { command: 'ls' } },
          { name: 'Bash', input: { command: 'echo hi' } },
        ],
      },
      { text: 'the report' },
    ]);
    const result = await session.executeCommand('review', 'src');
    expect(result).toMatchObject({ success: true, message: 'the report', data: { skill: 'review' } });
    expect(session.getMessages().map(({ content }) => textOf(content))).toEqual([
      '/review src\n\n<skill-answer name="review">\nthe report\n</skill-answer>',
    ]);
    const [first, second] = provider.requests;
    expect(first?.system).toMatch(/^Be strict about src\./);
    expect(first?.system).toContain('House rules.');
    expect(first?.system).toContain('500 words or less');
    expect(first?.model.id).toContain('haiku');
    expect(first?.tools.map(({ name }) => name)).toEqual(['Read', 'Bash']);
    expect(lastUser(first?.messages ?? [])).toBe('src');
    const [refused, ran] = (second?.messages ?? []).filter(({ role }) => role === 'tool');
    expect(textOf(refused?.content ?? [])).toContain('The skill "review" allows only Read, Bash(echo *)');
    expect(textOf(ran?.content ?? [])).toBe('hi');
    await session.shutdown();
  });

  it('the model gets the answer of a fork as the result of its call', async () => {
    proves('C-63', 'C-93');
    const place = await placeWith(fileOf('description: d\ncontext: fork', 'Look closely.'));
    const { session } = await openScripted(place, ({ system }, turn) => {
      if (system.startsWith('Look closely.')) return { text: 'found it' };
      return turn === 0 ? callTurn('Skill', { skill: 'review' }) : { text: 'thanks' };
    });
    await session.submit('go');
    expect(lastResult(session.getMessages())).toBe('found it');
    expect(JSON.stringify(session.getMessages())).not.toContain('Look closely');
    await session.shutdown();
  });

  it('an agent that the skill names has it for its task', async () => {
    proves('C-64');
    const place = await placeWith(fileOf('description: d\ncontext: agent', 'Look closely.'));
    await place.put(
      '~/.agents/skills/explore/SKILL.md',
      fileOf('description: d\ncontext: fork\nagent: Mine', 'Find it.'),
    );
    await place.put('.robota/agents/Mine.md', fileOf('description: d\ntools: Read, Grep', 'You are mine.'));
    const { session, provider } = await openScripted(place, () => ({ text: 'answer' }));
    expect(await session.executeCommand('review', 'src')).toMatchObject({ message: 'answer' });
    expect(await session.executeCommand('explore')).toMatchObject({ message: 'answer' });
    const [general, mine] = provider.requests;
    expect(lastUser(general?.messages ?? [])).toMatch(
      /<skill name="review"[\s\S]*Look closely\.[\s\S]*Arguments: src$/,
    );
    expect(mine?.system).toMatch(/^You are mine\./);
    expect(mine?.tools.map(({ name }) => name)).toEqual(['Read', 'Grep']);
    expect(lastUser(mine?.messages ?? [])).toContain('Find it.');
    expect(session.getMessages().map(({ content }) => textOf(content))).toEqual([
      expect.stringMatching(/^\/review src\n\n<skill-answer name="review">\nanswer\n/),
      expect.stringMatching(/^\/explore\n\n<skill-answer/),
    ]);
    await session.shutdown();
  });

  it('a fork is stopped with the session, and a failure is told', async () => {
    proves('C-63');
    const place = await placeWith(fileOf('description: d\ncontext: fork', 'Look.'));
    const { session } = await openScripted(place, () => ({
      text: ['as far', ' as it came'],
      before: () => session.abort(),
    }));
    const result = await session.executeCommand('review');
    expect(result).toMatchObject({ success: false, message: expect.stringContaining('did not finish') });
    await session.shutdown();
  });
});
