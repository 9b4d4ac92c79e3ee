import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Answer, Question, UserInterface } from '@robota-sdk/agent-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { completeInput } from '../input/complete-input.ts';
import { dispatchInput } from '../input/dispatch-input.ts';
import { createInteractiveSession } from '../session/create-interactive-session.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const little = resolve('packages/agent-resources/src/mcp/fixtures/little-server.mjs');

let place: TestProject;
let session: InteractiveSession | undefined;
let questions: Question[];
let answer: Answer;

beforeEach(async () => {
  place = await makeTestProject();
  questions = [];
  answer = { kind: 'confirmed', yes: true };
  await writeFile(join(place.home, 'sayings.json'), JSON.stringify({ say: 'Says it.' }));
});
afterEach(async () => {
  await session?.shutdown();
  session = undefined;
});

const definition = (journal: string, env: object = {}) => ({
  command: process.execPath,
  args: [little, join(place.home, 'sayings.json'), join(place.home, journal)],
  env,
});

const configure = (mcpServers: object) => place.put('~/.robota/mcp.json', { mcpServers });

const starts = async (journal: string) =>
  (await readFile(join(place.home, journal), 'utf8').catch(() => '')).split('\n').filter(Boolean).length;

const terminal: UserInterface = {
  notify: () => {},
  ask: async (question) => {
    questions.push(question);
    return answer;
  },
};

async function open(options: { terminal?: UserInterface } = { terminal }): Promise<InteractiveSession> {
  const { cwd, host } = place;
  session = await createInteractiveSession({ cwd, host, model: 'offline', store: 'none', ...options });
  return session;
}

const mcpOf = (of: InteractiveSession) => of.mcp;

async function ready(of: InteractiveSession) {
  const servers = mcpOf(of)?.servers;
  await servers?.start();
  await servers?.settled();
  return servers?.states().map(({ name, status }) => `${name} ${status}`);
}

describe('the MCP servers of a session', () => {
  it('are nothing where none is configured', async () => {
    const opened = await open();
    expect(mcpOf(opened)?.servers).toBeUndefined();
    expect((await dispatchInput(opened, '/mcp')).message).toContain('No MCP servers are configured');
    expect((await dispatchInput(opened, '/mcp tools')).message).toContain('No MCP server is configured.');
  });

  it('continue when everything is loaded again, unless their definition changed', async () => {
    await configure({ one: definition('one'), two: definition('two'), three: definition('three') });
    const opened = await open();
    expect(await ready(opened)).toEqual(['one ready', 'two ready', 'three ready']);
    await configure({
      one: definition('one'),
      two: definition('two', { GREETING: 'hi' }),
      four: definition('four'),
    });
    await dispatchInput(opened, '/reload');
    expect(await ready(opened)).toEqual(['one ready', 'two ready', 'four ready']);
    expect(await Promise.all(['one', 'two', 'three', 'four'].map(starts))).toEqual([1, 2, 1, 1]);
    await configure({});
    await dispatchInput(opened, '/reload');
    expect(mcpOf(opened)?.servers).toBeUndefined();
    await configure({ one: definition('one') });
    await dispatchInput(opened, '/reload');
    expect(await ready(opened)).toEqual(['one ready']);
  });

  it('ask again with the next prompt when they say other things of themselves', async () => {
    await configure({ one: definition('one') });
    await ready(await open());
    await session?.shutdown();
    await writeFile(
      join(place.home, 'sayings.json'),
      JSON.stringify({ say: 'Says it, and more.', add: 'New.' }),
    );
    const opened = await open();
    expect(await ready(opened)).toEqual(['one unapproved']);
    expect(questions).toEqual([]);
    answer = { kind: 'dismissed' };
    await dispatchInput(opened, 'hello');
    expect(questions).toHaveLength(1);
    const { title, detail } = questions[0] as Question;
    expect(title).toContain('The MCP server one has changed its description');
    expect(detail).toBe('~ tool say\n    before: Says it.\n    now:    Says it, and more.\n+ tool add: New.');
    expect(mcpOf(opened)?.servers?.state('one')?.status).toBe('unapproved');
    expect((await dispatchInput(opened, '/mcp')).message).toContain('/mcp approve one');
    answer = { kind: 'confirmed', yes: true };
    expect((await dispatchInput(opened, '/mcp approve one')).message).toMatch(/^one: ready, 2 tools/);
    await dispatchInput(opened, 'hello');
    expect(questions).toHaveLength(2);
    await session?.shutdown();
    expect(await ready(await open())).toEqual(['one ready']);
  });

  it('may offer other tools where the user can be asked, each with its approved description', async () => {
    const say = (sayings: object) => writeFile(join(place.home, 'sayings.json'), JSON.stringify(sayings));
    const use = async (options?: { terminal?: UserInterface }) => {
      const states = await ready(await open(options));
      await session?.shutdown();
      return states;
    };
    await configure({ one: definition('one') });
    expect(await use({})).toEqual(['one ready']);
    await say({ say: 'Says it.', ask: 'Asks.' });
    expect(await use()).toEqual(['one ready']);
    await say({ say: 'Says it.' });
    expect(await use({})).toEqual(['one ready']);
    await say({ say: 'Says it to others.' });
    expect(await use({})).toEqual(['one unapproved']);
    const opened = await open();
    await ready(opened);
    await dispatchInput(opened, '/mcp approve one');
    await session?.shutdown();
    expect(await use({})).toEqual(['one ready']);
    await say({ say: 'Says it to others.', more: 'New.' });
    const grown = await open();
    expect(await ready(grown)).toEqual(['one ready']);
    const { tools, withheld } = mcpOf(grown)?.servers?.state('one') ?? {};
    expect([tools?.map(({ name }) => name), withheld]).toEqual([['say'], 1]);
    answer = { kind: 'confirmed', yes: true };
    await dispatchInput(grown, 'hello');
    expect(mcpOf(grown)?.servers?.state('one')?.tools).toHaveLength(2);
  });

  it('need no new yes when other tools of them are wanted', async () => {
    await writeFile(join(place.home, 'sayings.json'), JSON.stringify({ say: 'Says it.', add: 'Adds.' }));
    await configure({ one: definition('one') });
    await ready(await open());
    await session?.shutdown();
    await configure({ one: { ...definition('one'), excludeTools: ['add'] } });
    const opened = await open();
    expect(await ready(opened)).toEqual(['one ready']);
    expect(
      mcpOf(opened)
        ?.servers?.state('one')
        ?.tools.map(({ name }) => name),
    ).toEqual(['say']);
  });

  it('are completed in commands and mentions', async () => {
    await configure({ little: definition('one'), other: definition('two') });
    const opened = await open();
    await ready(opened);
    const complete = async (text: string) =>
      (await completeInput(opened, text)).items.map(({ value }) => value);
    expect(await complete('/mcp re')).toEqual(['/mcp restart', '/mcp remove']);
    expect(await complete('/mcp restart l')).toEqual(['/mcp restart little']);
    expect(await complete('look at @lit')).toEqual(['@little:']);
    expect(await complete('look at @little:no')).toEqual(['@little:note://one']);
  });

  it('are switched off and on at once', async () => {
    await configure({ one: definition('one') });
    const opened = await open();
    await ready(opened);
    expect((await dispatchInput(opened, '/mcp disable one')).message).toBe('Disabled one.');
    expect(mcpOf(opened)?.servers?.state('one')?.status).toBe('disabled');
    expect((await dispatchInput(opened, '/mcp enable one')).message).toBe('Enabled one.');
    expect(await ready(opened)).toEqual(['one ready']);
    expect((await dispatchInput(opened, '/mcp restart none')).message).toContain('Unknown MCP server "none"');
  });

  it('of a project are not started again once their script is another', async () => {
    await place.put('serve.mjs', await readFile(little, 'utf8'));
    const args = ['serve.mjs', join(place.home, 'sayings.json'), join(place.home, 'one')];
    await place.put('.mcp.json', { mcpServers: { own: { command: process.execPath, args } } });
    const { cwd, host } = place;
    session = await createInteractiveSession({
      cwd,
      host,
      model: 'offline',
      store: 'none',
      trustProject: true,
    });
    expect(await ready(session)).toEqual(['own ready']);
    await place.put('serve.mjs', 'process.exit(3)');
    await mcpOf(session)?.servers?.restart('own');
    expect(mcpOf(session)?.servers?.state('own')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('what it runs has changed since you approved it'),
    });
  });

  it('start nothing in a replay', async () => {
    await configure({ one: definition('one') });
    const { cwd, host } = place;
    const record = join(place.home, 'run.jsonl');
    session = await createInteractiveSession({ cwd, host, model: 'offline', store: 'none', record });
    await session.submit('hello');
    await session.shutdown();
    const before = await starts('one');
    session = await createInteractiveSession({ cwd, host, replay: record });
    await ready(session);
    expect(await starts('one')).toBe(before);
  });
});
