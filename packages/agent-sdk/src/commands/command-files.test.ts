// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested here.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProblems, type Extension, textOf } from '@robota-sdk/agent-core';
import { commandName } from '@robota-sdk/agent-resources';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { dispatchInput } from '../input/dispatch-input.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { commandSourceExtension, commandSources, type ICommandSource } from './command-sources.ts';

async function open(place: TestProject, options: Parameters<typeof openScripted>[2] = {}) {
  const { session, provider } = await openScripted(place, () => ({ text: 'done' }), options);
  const asked = () => {
    const messages = provider.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
    return messages.map(({ content }) => textOf(content)).filter((text) => !text.startsWith('<reminder>'));
  };
  return { session, provider, asked };
}

const sourceNames = (session: InteractiveSession) => commandSources(session).map(({ name }) => name);

describe('command files', () => {
  it('names commands by their paths', () => {
    proves('E-43');
    expect(commandName('openspec/commands/apply.md')).toBe('openspec:apply');
    expect(commandName('frontend/component.md')).toBe('frontend:component');
    expect(commandName('commands.md')).toBe('commands');
    expect(commandName('my review.md', 'tools')).toBe('tools:my-review');
  });

  it('finds them where every dialect keeps them, and runs their text', async () => {
    proves('E-43', 'E-45');
    const place = await makeTestProject();
    await place.put('.eidolon/commands/openspec/commands/apply.md', 'Apply the change.\n');
    await place.put('.claude/commands/frontend/component.md', 'Build the component $ARGUMENTS.');
    await place.put('.pi/prompts/greet.md', 'Say ${1:-hello} to ${@:2}.');
    await place.put('.rab/prompts/rab.md', 'From rab.');
    await place.put(
      '~/.robota/commands/mine.md',
      '---\ndescription: My own\nargument-hint: [what]\n---\nMine: $1',
    );
    await place.put('~/.agents/commands/shared.md', 'Shared.');
    const { session, asked } = await open(place);
    expect(sourceNames(session)).toEqual(
      expect.arrayContaining([
        '.claude/commands',
        '.pi/prompts',
        '.rab/prompts',
        '.eidolon/commands',
        '~/.robota/commands',
        '~/.agents/commands',
      ]),
    );
    const result = await dispatchInput(session, '/openspec:apply  the second one');
    expect(result).toMatchObject({ kind: 'command', success: true, message: 'done' });
    expect(asked()).toEqual(['Apply the change.\n\nthe second one']);
    await dispatchInput(session, '/component Button');
    expect(asked().at(-1)).toBe('Build the component Button.');
    await dispatchInput(session, '/greet "" Ann and Bob');
    expect(asked().at(-1)).toBe('Say hello to Ann and Bob.');
    expect(session.findCommand('mine')).toMatchObject({ description: 'My own', argumentHint: '[what]' });
    await session.shutdown();
  });

  it('the first source of a name wins; /help groups by source and shows clashes', async () => {
    proves('P-30', 'C-27');
    const place = await makeTestProject();
    await place.put('.robota/commands/review.md', 'Ours.');
    await place.put('.claude/commands/review.md', 'Theirs.');
    await place.put('.claude/commands/help.md', 'Never reached.');
    await place.put('.claude/commands/same.md', 'The same.');
    await place.put('.pi/prompts/same.md', 'The same.');
    const { session, asked } = await open(place);
    await dispatchInput(session, '/review');
    expect(asked()).toEqual(['Ours.']);
    const { message } = await dispatchInput(session, '/help');
    expect(message).toMatch(/From \.robota\/commands:\n\/review +Ours\./);
    expect(message).toContain('/review is that of .robota/commands; .claude/commands has one, too.');
    expect(message).toContain('/help is that of built-in; .claude/commands has one, too.');
    expect(message).not.toContain('/same is that');
    expect(describeProblems(session.problems).join('\n')).toContain(
      'The command "review" is defined more than once. Used: .robota/commands. Ignored: .claude/commands.',
    );
    expect((await dispatchInput(session, '/help review')).message).toBe('/review\nOurs.');
    await session.shutdown();
  });

  it('a broken file is named with its line and costs only itself; a skill among commands is none', async () => {
    const place = await makeTestProject();
    await place.put('.claude/commands/good.md', 'Good.');
    await place.put('.claude/commands/empty.md', '---\ndescription: x\n---\n');
    await place.put('.claude/commands/broken.md', '---\ndescription: "open\n} no ]\n---\nStill works.');
    await place.put('.claude/commands/slip.md', '---\ndescripton: x\n---\nSlip.');
    await place.put('.claude/commands/open.md', '---\ndescription: x\nRun everything.');
    await place.put('.claude/commands/pdf/SKILL.md', '---\nname: pdf\ndescription: PDFs\n---\nRead.');
    await place.put('.claude/commands/pdf/more.md', 'No command.');
    await symlink(join(place.cwd, '.claude/commands'), join(place.cwd, '.claude/commands/loop'));
    const { session } = await open(place);
    const warnings = describeProblems(session.problems).join('\n');
    expect(warnings).toMatch(/broken\.md:\d+: /);
    expect(warnings).toContain('empty.md: The command has no text');
    expect(warnings).toContain('slip.md:2: Unknown field "descripton". Did you mean "description"?');
    expect(warnings).toMatch(/open\.md:1: Unclosed front matter\. .* The command is skipped\./);
    const names = commandSources(session)
      .find(({ name }) => name === '.claude/commands')
      ?.getCommands();
    expect(names?.map(({ name }) => name)).toEqual(['broken', 'good', 'slip']);
    await session.shutdown();
  });

  it('the text counts as it is when it is used', async () => {
    const place = await makeTestProject();
    await place.put('.robota/commands/a.md', 'Before.');
    const { session, asked } = await open(place);
    await place.put('.robota/commands/a.md', 'After, with @note.txt and @../home/secret.');
    await place.put('note.txt', 'the note');
    await place.put('~/secret', 'hidden');
    await dispatchInput(session, '/a');
    expect(asked()).toEqual(['After, with @note.txt and @../home/secret.', '@file:note.txt\nthe note\n']);
    await session.shutdown();
  });

  it('fields that only skills have are named', async () => {
    const place = await makeTestProject();
    const matter =
      '---\ndescription: d\ncontext: fork\ndisallowed-tools: Bash(rm *)\ncategory: x\n---\nDo it.';
    await place.put('~/.claude/commands/mine.md', matter);
    const { session } = await open(place);
    expect(describeProblems(session.problems)).toEqual([
      expect.stringMatching(/mine\.md:3: Robota ignores "context", "disallowed-tools"\. Skills have them: /),
    ]);
    await session.shutdown();
  });

  it('shell commands of a user’s file run by permission, those of a repository only when trusted', async () => {
    proves('C-62');
    const place = await makeTestProject();
    const text =
      '---\nallowed-tools: Bash(touch:*), Bash(echo:*)\n---\nState: !`touch ran && echo $0 @note.txt` $0';
    await place.put('note.txt', 'never attached');
    await place.put('.claude/commands/theirs.md', text);
    await place.put('~/.claude/commands/mine.md', text);
    const { session, asked } = await open(place);
    await dispatchInput(session, '/theirs !`touch injected`');
    expect(asked().at(-1)).toMatch(
      /^State: \[The command `touch ran.*` was not run: the repository supplies it/,
    );
    await dispatchInput(session, '/mine "!`touch injected`"');
    expect(asked().at(-1)).toMatch(/^State: \S+ @note\.txt !`touch injected`$/);
    expect(asked().join()).not.toContain('never attached');
    await dispatchInput(session, '!ls');
    await dispatchInput(session, 'files?');
    expect(asked().join()).not.toContain('injected\n');
    await session.shutdown();
    const trusted = await open(place, { trustProject: true });
    await dispatchInput(trusted.session, '/theirs x');
    expect(trusted.asked().at(-1)).toContain('@note.txt x');
    await trusted.session.shutdown();
  });

  it('a command’s list of tools holds while it is answered, and no longer', async () => {
    proves('C-65');
    const place = await makeTestProject();
    await place.put(
      '~/.claude/commands/look.md',
      '---\nallowed-tools: Read\nrestrict-tools: true\n---\nLook.',
    );
    const write = { toolCalls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] };
    const { session } = await openScripted(place, [write, { text: 'no' }, write, { text: 'yes' }], {
      permissionMode: 'acceptEdits',
    });
    const first = await dispatchInput(session, '/look');
    expect(first.execution?.response).toBe('no');
    expect(JSON.stringify(session.getMessages())).toContain('allows only Read');
    await dispatchInput(session, 'write it');
    expect((await dispatchInput(session, '!cat a.txt')).message).toBe('x');
    await session.shutdown();
  });
});

describe('command sources', () => {
  it('sources of a program stand beside the others and complete their words', async () => {
    proves('C-58', 'P-28', 'P-29');
    const source: ICommandSource = {
      name: 'my program',
      getCommands: () => [
        {
          name: 'deploy',
          description: 'Deploy it',
          source: 'my program',
          subcommands: [
            { name: 'to', description: 'Where', subcommands: [{ name: 'prod', description: 'Live' }] },
          ],
          execute: async (args) => ({ kind: 'notice', text: `deployed ${args}` }),
        },
        { name: 'ask', description: 'Ask', source: 'my program', skillContent: 'Answer $ARGUMENTS.' },
      ],
    };
    const { session, asked } = await open(await makeTestProject(), {
      extensions: [commandSourceExtension(source)],
    });
    expect((await dispatchInput(session, '/deploy to prod')).message).toBe('deployed to prod');
    await dispatchInput(session, '/ask me');
    expect(asked()).toEqual(['Answer me.']);
    const { completeCommand } = await import('../input/complete-command.ts');
    expect(await completeCommand(session, '/deploy ')).toEqual(['/deploy to']);
    expect(await completeCommand(session, '/deploy to p')).toEqual(['/deploy to prod']);
    const listed = commandSources(session)
      .find(({ name }) => name === 'my program')
      ?.getCommands();
    expect(listed).toMatchObject([
      { name: 'deploy', description: 'Deploy it', source: 'my program', subcommands: [{ name: 'to' }] },
      { name: 'ask', source: 'my program' },
    ]);
    await session.shutdown();
  });

  it('commands of an extension do not replace built-in ones', async () => {
    proves('P-30');
    const rival: Extension<InteractiveSession> = {
      name: 'rival',
      setup: (host) =>
        host.command({ name: 'exit', description: 'Stay', run: async () => ({ kind: 'done' }) }),
    };
    const { session } = await open(await makeTestProject(), { extensions: [rival] });
    expect(await dispatchInput(session, '/exit')).toMatchObject({ exit: true });
    expect(session.commands.clashes()).toEqual([{ name: 'exit', kept: 'built-in', hidden: ['rival'] }]);
    await session.shutdown();
  });
});
