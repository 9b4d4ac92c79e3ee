import type { Answer, CommandContext, Question, UserInterface } from '@robota-sdk/agent-core';
import { textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSessionOptions } from '../session/create-interactive-session.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

type Script = NonNullable<Parameters<typeof openScripted>[1]>;

/** Answers in order, and records the questions. */
function person(...answers: Answer[]) {
  const questions: Question[] = [];
  const ui: UserInterface = {
    ask: async (question) => {
      questions.push(question);
      return answers.shift() ?? { kind: 'dismissed' };
    },
    notify: () => {},
  };
  return { ui, questions };
}

const answered: Script = (_, turn) => ({ text: `answer ${turn + 1}` });

async function kept(place: TestProject, options: InteractiveSessionOptions = {}, script: Script = answered) {
  return openScripted(place, script, { store: 'new', ...options });
}

/** Runs a command that has to be there. */
async function run(session: InteractiveSession, line: string) {
  const [name = '', ...args] = line.split(' ');
  const result = await session.executeCommand(name, args.join(' '));
  if (!result) throw new Error(`there is no command ${name}`);
  return result;
}

async function complete(session: InteractiveSession, name: string, prefix: string) {
  const command = session.listCommands().find((each) => each.name === name);
  const context: CommandContext<InteractiveSession> = {
    session,
    ui: person().ui,
    signal: new AbortController().signal,
  };
  return command?.complete?.(prefix, context);
}

const texts = (session: InteractiveSession) =>
  session
    .getMessages()
    .map(({ content }) => textOf(content))
    .filter((text) => !text.startsWith('<reminder>'));

describe('/tree', () => {
  it('shows the branches, and of a prompt goes to the place before it with its text to edit', async () => {
    proves('P-21');
    const { session } = await kept(await makeTestProject());
    for (const prompt of ['one', 'two', 'three']) await session.submit(prompt);
    const moved = await run(session, 'tree 2');
    expect(moved).toMatchObject({ success: true, edit: 'two', data: { edit: 'two' } });
    expect(moved.message).toMatch(/continues from before that prompt\. \/tree [0-9a-f]{8} goes back\./);
    expect(texts(session)).toEqual(['one', 'answer 1']);
    await session.submit('two, differently');
    const { message, data } = await run(session, 'tree');
    const lines = message.split('\n').map((line) => line.replace(/ \(\d{4}-[^)]*\)/, ''));
    expect(lines.map((line) => line.replace(/[^ -~]/g, '?'))).toEqual([
      expect.stringMatching(/^(\?|\*) 1 one$/),
      expect.stringMatching(/^(\?\?|\|-)(\?|o) 2 two$/),
      expect.stringMatching(/^(\?|\|) (\?|o) 3 three$/),
      expect.stringMatching(/^(\?|\*) 4 two, differently (\?|<-) you are here$/),
      expect.stringContaining('/tree NUMBER'),
    ]);
    expect(data).toMatchObject({
      entries: [
        { kind: 'prompt', text: 'one', isActive: true, children: 1 },
        { text: 'two', isActive: false },
        { text: 'three' },
        { text: 'two, differently' },
      ],
    });
    const back = /\/tree ([0-9a-f]{8})/.exec(moved.message)?.[1];
    expect(await run(session, `tree ${back}`)).toMatchObject({ success: true });
    expect(texts(session).at(-1)).toBe('answer 3');
    expect((await run(session, `tree ${back}`)).message).toBe('You are already there.');
    expect((await run(session, 'tree all')).message).toContain('answer: answer 4');
    await session.shutdown();
  });

  it('labels places, goes to them by their label, and completes all names', async () => {
    const { session } = await kept(await makeTestProject());
    expect((await run(session, 'tree')).message).toBe('Nothing yet.');
    for (const prompt of ['one', 'two']) await session.submit(prompt);
    expect((await run(session, 'tree label 2 before the mess')).message).toContain('"before the mess"');
    expect((await run(session, 'tree')).message).toContain('[before the mess]');
    expect(await complete(session, 'tree', 'b')).toContain('before the mess');
    expect(await complete(session, 'tree', 'label b')).toContain('label before the mess');
    expect(await complete(session, 'fork', '2')).toContain('2');
    expect(await run(session, 'tree before the mess')).toMatchObject({ edit: 'two' });
    await run(session, 'tree label 2');
    expect((await run(session, 'tree')).message).not.toContain('mess');
    expect(await run(session, 'tree nowhere')).toMatchObject({
      success: false,
      message: expect.stringContaining('No prompt, entry or label "nowhere"'),
    });
    expect(await run(session, 'tree root')).toMatchObject({ success: true });
    expect(texts(session)).toEqual([]);
    await session.shutdown();
  });

  it('offers a summary of the branch that is left; the answer decides, and no user means no', async () => {
    const script: Script = ({ messages }, turn) =>
      textOf(messages[0]?.content ?? []).includes('<record>')
        ? { text: 'the gist' }
        : { text: `answer ${turn}` };
    const yes = person({ kind: 'confirmed', yes: true }, { kind: 'dismissed' });
    const { session, provider } = await kept(await makeTestProject(), { terminal: yes.ui }, script);
    await session.submit('one');
    await session.submit('two');
    expect((await run(session, 'tree 2')).message).toContain('A summary of the branch you left came along.');
    expect(yes.questions).toMatchObject([{ kind: 'confirm', title: expect.stringContaining('summary') }]);
    await session.submit('three');
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('the gist');
    const before = texts(session);
    expect((await run(session, 'tree 1')).message).toBe('Nothing was changed.');
    expect(texts(session)).toEqual(before);
    await session.shutdown();

    const alone = await kept(await makeTestProject(), {}, script);
    await alone.session.submit('one');
    await alone.session.submit('two');
    expect((await run(alone.session, 'tree 2')).message).not.toContain('summary');
    await alone.session.submit('three');
    expect((await run(alone.session, 'tree 2 --summarize the tests')).message).toContain('came along');
    expect(JSON.stringify(alone.provider.requests.at(-1)?.messages)).toContain('the tests');
    await alone.session.shutdown();
  });

  it('continues with the model of the branch, by the key that leads to it', async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-of-environment' });
    const { session } = await kept(place, { apiKey: 'sk-of-flag' });
    const { model } = session.getSession();
    await session.submit('one');
    await session.setModel('claude-opus-4-6');
    await session.submit('two');
    const { message } = await run(
      session,
      `tree ${session.getSession().branches.tree().childrenOf(null)[0]}`,
    );
    expect(message).not.toContain('model');
    const places = [...session.getSession().branches.tree().ids()];
    const answer = places.find((id) => session.getSession().branches.tree().view(id)?.text === 'answer 1');
    expect((await run(session, `tree ${answer}`)).message).toContain(`The model is ${model.name} again.`);
    expect(session.getSession().model).toBe(model);
    await session.shutdown();
  });

  it('keeps the present model where that of the branch cannot be reached', async () => {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'sk-of-environment' });
    const first = await kept(place);
    await first.session.submit('one');
    await first.session.setModel('claude-opus-4-6');
    await first.session.submit('two');
    await first.session.shutdown();
    const again = { host: { ...place.host, env: {} }, store: 'latest', model: 'claude-sonnet-4-6' } as const;
    const { session } = await kept(place, again);
    await run(session, 'tree 1');
    const { message } = await run(session, `tree ${[...session.getSession().branches.tree().ids()].at(-1)}`);
    expect(message).toContain('The model stays the same: No key for Anthropic.');
    await session.shutdown();
  });

  it('works in a session that is not kept, which has no name and no copies', async () => {
    const { session } = await openScripted(await makeTestProject());
    await session.submit('one');
    expect(await run(session, 'tree 1')).toMatchObject({ edit: 'one' });
    for (const command of ['name x', 'fork 1 x']) expect((await run(session, command)).success).toBe(false);
    expect((await run(session, 'name x')).message).toContain('--no-session');
    await session.shutdown();
  });
});

describe('/clear', () => {
  it('tells how to get back', async () => {
    proves('C-28');
    const { session } = await kept(await makeTestProject());
    await session.submit('one');
    const { message } = await run(session, 'clear');
    expect(texts(session)).toEqual([]);
    const [, back] = /^The conversation is empty\. \/(tree \w+) goes back/.exec(message) ?? [];
    await run(session, back ?? '');
    expect(texts(session)).toEqual(['one', 'answer 1']);
    await session.shutdown();
  });
});

describe('/name', () => {
  it('shows, gives and takes away the name', async () => {
    const place = await makeTestProject();
    const { session } = await kept(place);
    expect((await run(session, 'name')).message).toContain('no name yet');
    expect(await run(session, 'name the  great\nrefactoring')).toMatchObject({
      data: { name: 'the great refactoring' },
    });
    expect((await run(session, 'name')).message).toBe('the great refactoring');
    await session.submit('hi');
    await session.shutdown();
    const again = await kept(place, { store: { open: 'the great' } });
    expect(again.session.getSession().id).toBe(session.getSession().id);
    expect((await run(again.session, 'name -')).message).toBe('The session no longer has a name.');
    await again.session.shutdown();
  });
});

describe('/fork', () => {
  it('copies all branches, labels and the name, and continues from the place that was named', async () => {
    const place = await makeTestProject();
    const { session } = await kept(place);
    expect((await run(session, 'fork')).message).toContain('Nothing to copy');
    for (const prompt of ['one', 'two']) await session.submit(prompt);
    await run(session, 'name fence');
    await run(session, 'tree label 2 mid');
    const whole = await run(session, 'fork');
    const part = await run(session, 'fork 2');
    expect(part).toMatchObject({ success: true, edit: 'two' });
    const nothing = await run(session, 'fork 1');
    expect(nothing).toMatchObject({ edit: 'one' });
    const original = session.getSession().id;
    await session.shutdown();
    for (const [{ switchTo }, said] of [
      [whole, ['one', 'answer 1', 'two', 'answer 2']],
      [part, ['one', 'answer 1']],
      [nothing, []],
    ] as const) {
      if (switchTo === undefined || switchTo === 'new') throw new Error('no copy');
      const copy = await kept(place, { store: switchTo });
      expect(texts(copy.session)).toEqual(said);
      const handle = await copy.session.kept.store.open(switchTo.open, { mode: 'read' });
      expect(handle.header.parentSession).toBe(original);
      expect(handle.name).toBe('fence (copy)');
      expect((await run(copy.session, 'tree')).message).toMatch(/1 one[\s\S]*2 two \[mid\]/);
      await copy.session.shutdown();
    }
  });
});

describe('/resume and /new', () => {
  it('names the session to continue in, chosen from a list or found by name and words', async () => {
    const place = await makeTestProject();
    const first = await kept(place);
    await first.session.submit('paint the fence');
    await run(first.session, 'name fence');
    await first.session.shutdown();
    const chooser = person(
      { kind: 'selected', indexes: [0] },
      { kind: 'selected', indexes: [0], text: 'fence' },
    );
    const { session } = await kept(place, { terminal: chooser.ui });
    const target = { open: expect.stringContaining(first.session.getSession().id) };
    expect(await run(session, 'resume')).toMatchObject({ switchTo: target, data: { session: target } });
    expect(chooser.questions).toMatchObject([{ kind: 'select', options: [{ label: 'fence' }] }]);
    expect(await run(session, 'resume')).toMatchObject({ switchTo: target });
    expect(await run(session, 'resume fence')).toMatchObject({ switchTo: target });
    expect(await run(session, 'resume paint')).toMatchObject({ switchTo: target });
    expect((await run(session, 'resume')).message).toBe('The session stays the same.');
    expect(await run(session, 'resume nothing like it')).toMatchObject({
      success: false,
      message: expect.stringContaining('No session matches "nothing like it"'),
    });
    expect(await complete(session, 'resume', 'fe')).toEqual(['fence']);
    expect(await run(session, 'new')).toMatchObject({ success: true, switchTo: 'new' });
    await session.shutdown();
  });

  it('lists the sessions where no user can choose, and how many there are elsewhere', async () => {
    const place = await makeTestProject();
    const other = await kept({ ...place, cwd: place.home });
    await other.session.submit('far away');
    await other.session.shutdown();
    const { session } = await kept(place);
    expect((await run(session, 'resume')).message).toMatch(
      /No other session in this directory\. 1 of other directories/,
    );
    await session.submit('me');
    await session.shutdown();
    const second = await kept(place);
    expect(await run(second.session, 'resume')).toMatchObject({
      message: expect.stringMatching(/^[0-9a-f-]{8,} {2}\d{4}-.* {2}me\n1 of other directories/),
      data: [{ id: session.getSession().id, firstPrompt: 'me' }],
    });
    const far = await run(second.session, `resume ${other.session.getSession().id}`);
    expect(far.message).toContain(`one of ${place.home}; tools keep working in ${place.cwd}`);
    await second.session.shutdown();
  });
});
