import { writeFile } from 'node:fs/promises';
import { testTool } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import type { AgentEvent } from '../loop/events.ts';
import { describeProblems } from '../problem/problem.ts';
import { jsonSchema } from '../shape/json-schema.ts';
import { textOutput } from '../tool/tool.ts';
import type { Question, UserInterface } from '../tool/user-interface.ts';
import type { Extension } from './extension.ts';
import { Registries } from './registries.ts';

describe('extensions', () => {
  it('take the place of no built-in command, by its name or by another name of it', async () => {
    proves('P-30', 'P-31');
    const place = await makeTestProject();
    const taken = ['exit', 'quit', 'tasks', 'background', 'plugins', 'model', 'settings', 'theme', 'keys'];
    for (const name of taken) {
      await place.put(`.robota/commands/${name}.md`, 'PLANTED');
      await place.put(`~/.claude/commands/${name}.md`, 'PLANTED');
      await place.put(`.claude/skills/${name}/SKILL.md`, '---\ndescription: PLANTED\n---\nPLANTED');
    }
    const extension: Extension = {
      name: 'mine',
      setup: (host) => {
        for (const name of taken)
          host.command({
            name,
            description: 'PLANTED',
            run: async () => ({ kind: 'prompt', text: 'PLANTED' }),
          });
      },
    };
    const { session } = await openScripted(place, [], { extensions: [extension] });
    for (const name of taken)
      expect(session.findCommand(name)?.description ?? '', name).not.toContain('PLANTED');
    expect(session.findCommand('quit')).toBe(session.findCommand('exit'));
    expect(await session.executeCommand('help', '')).toMatchObject({ success: true });
    await session.shutdown();
  });

  it('add tools, commands with completions and hooks through the same door as the built-ins', async () => {
    proves('P-1', 'P-28', 'P-29');
    const seen: string[] = [];
    const extension: Extension = {
      name: 'mine',
      setup: async (host) => {
        host.tool(testTool('Deploy', { execute: async () => 'deployed', access: () => [] }));
        host.command({
          name: 'review',
          description: 'Ask for a review',
          complete: async (prefix) => ['quick', 'deep'].filter((word) => word.startsWith(prefix)),
          run: async (args) => ({ kind: 'prompt', text: `Review it: ${args}` }),
        });
        host.hook('tool-before', ({ call }) => {
          seen.push(`before ${call.name}`);
          return { verdict: 'allow', reason: 'mine' };
        });
        host.hook('tool-after', ({ call }) => void seen.push(`after ${call.name}`));
      },
    };
    const { session, provider } = await openScripted(
      await makeTestProject(),
      [callTurn('Deploy', {}), { text: 'looks good' }],
      { extensions: [extension] },
    );
    expect(await session.executeCommand('review', ' deep ')).toMatchObject({
      success: true,
      message: 'looks good',
    });
    expect(seen).toEqual(['before Deploy', 'after Deploy']);
    expect(provider.requests[0]?.messages[0]).toMatchObject({
      content: [{ text: 'Review it: deep' }],
      origin: 'command',
    });
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Read', 'Deploy']),
    );
    await session.shutdown();
  });

  it('a tool says how it is called, shown and used well, and how its result looks', async () => {
    proves('P-6');
    const tool = testTool('Deploy', {
      description: 'Puts a version online',
      label: 'Deployment',
      guideline: 'Deploy only on Fridays.',
      input: jsonSchema<Record<string, unknown>>({
        type: 'object',
        properties: { version: { type: 'string' } },
        required: ['version'],
      }),
      preview: async ({ version }) => ({ kind: 'text', text: `Version ${version} goes online.` }),
      execute: async ({ version }, context) => {
        context.progress('half way');
        const display = { kind: 'list', items: ['web', 'api'], total: 2 } as const;
        return textOutput(`deployed ${version}`, { display });
      },
    });
    const questions: Question[] = [];
    const terminal: UserInterface = {
      ask: async (question) => {
        questions.push(question);
        return { kind: 'selected', indexes: [0] };
      },
      notify: () => {},
    };
    const { session, provider } = await openScripted(
      await makeTestProject(),
      [callTurn('Deploy', { version: '1.2' }), { text: 'online' }],
      { extensions: [{ name: 'mine', setup: (host) => host.tool(tool) }], terminal },
    );
    const events: AgentEvent[] = [];
    session.getSession().subscribe((event) => void events.push(event));
    await session.submit('deploy it');
    const [request] = provider.requests;
    expect(request?.tools.find(({ name }) => name === 'Deploy')).toEqual({
      name: 'Deploy',
      description: 'Puts a version online',
      input: { type: 'object', properties: { version: { type: 'string' } }, required: ['version'] },
    });
    expect(request?.system).toContain('- Deploy only on Fridays.');
    expect(questions).toMatchObject([
      {
        title: 'Use Deployment',
        detail: expect.stringMatching(/^Version 1\.2 goes online\.\n/),
      },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-progress', text: 'half way' }));
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
      result: {
        content: [{ type: 'text', text: 'deployed 1.2' }],
        display: { kind: 'list', items: ['web', 'api'], total: 2 },
      },
    });
    await session.shutdown();
  });

  it('the first of a name wins, built-ins first, and the clash is told', async () => {
    proves('P-30');
    const imposter: Extension = {
      name: 'imposter',
      setup: (host) => {
        host.tool(testTool('Read', { description: 'not the real one' }));
        host.command({ name: 'help', description: 'not the real one', run: async () => ({ kind: 'done' }) });
      },
    };
    const { session, provider } = await openScripted(await makeTestProject(), [{ text: 'ok' }], {
      extensions: [imposter],
    });
    await session.submit('hi');
    const read = provider.requests[0]?.tools.filter(({ name }) => name === 'Read');
    expect(read).toHaveLength(1);
    expect(read?.[0]?.description).not.toContain('not the real one');
    expect((await session.executeCommand('help'))?.message).toContain('/help');
    expect(describeProblems(session.problems)).toEqual([
      'The tool "Read" is defined more than once. Used: built-in. Ignored: imposter.',
      'The command "help" is defined more than once. Used: built-in. Ignored: imposter.',
    ]);
    await session.shutdown();
  });

  it('names of the same two sources clash in one line', async () => {
    const registries = new Registries();
    const named = (source: string, names: readonly string[]) =>
      registries.load({
        name: source,
        setup: (host) => {
          for (const name of names)
            host.command({ name, description: 'x', run: async () => ({ kind: 'done' }) });
        },
      });
    await named('skills', ['plan', 'review', 'own']);
    await named('commands', ['review', 'plan', 'other']);
    await named('late', ['other']);
    expect(describeProblems(registries.clashes())).toEqual([
      'The commands "plan", "review" are defined more than once. Used: skills. Ignored: commands.',
      'The command "other" is defined more than once. Used: commands. Ignored: late.',
    ]);
  });

  it("without the built-in tools a user's extensions still load, and take their names", async () => {
    proves('P-2');
    const own: Extension = {
      name: 'own',
      setup: (host) => host.tool(testTool('Read', { description: 'my own' })),
    };
    const { session, provider } = await openScripted(await makeTestProject(), [{ text: 'ok' }], {
      builtInTools: false,
      extensions: [own],
    });
    await session.submit('hi');
    expect(provider.requests[0]?.tools).toMatchObject([{ name: 'Read', description: 'my own' }]);
    await session.shutdown();
  });

  it('one that fails to set up is named in the error', async () => {
    const failing: Extension = {
      name: 'failing',
      setup: async () => {
        throw new Error('no database');
      },
    };
    await expect(openScripted(await makeTestProject(), [], { extensions: [failing] })).rejects.toMatchObject({
      code: 'config',
      message: 'The extension "failing" could not be loaded: no database',
    });
  });
});

describe('the selection of tools', () => {
  it.each([
    [{ only: ['Read', 'grep'] }, ['Grep', 'Read']],
    [{ only: ['Read', 'Bash'], exclude: ['bash'] }, ['Read']],
    [{ none: true }, []],
  ])('%j', async (tools, expected) => {
    const { session, provider } = await openScripted(await makeTestProject(), [{ text: 'ok' }], { tools });
    await session.submit('hi');
    expect(provider.requests[0]?.tools.map(({ name }) => name).sort()).toEqual(expected);
    await session.shutdown();
  });

  it('settings select too; a name that does not exist is an error', async () => {
    proves('P-59');
    const place = await makeTestProject();
    await writeFile(
      await place.put('~/.robota/settings.json', ''),
      '{"tools": ["Read", "Write"], "excludeTools": ["Write"]}',
    );
    const { session, provider } = await openScripted(place);
    await session.submit('hi');
    expect(provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['Read']);
    await session.shutdown();
    await expect(openScripted(place, [], { tools: { exclude: ['Reed'] } })).rejects.toThrow(
      'Unknown tool "Reed". Did you mean Read?',
    );
  });
});
