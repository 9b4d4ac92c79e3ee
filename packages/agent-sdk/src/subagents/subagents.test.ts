import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type AgentEvent,
  type AnyTool,
  type Message,
  resolveModel,
  textOf,
  textOutput,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { agentModels, builtInAgents, filterTools, subagentHost } from '@robota-sdk/agent-resources';
import type { ScriptedTurn } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { assembleSubagentPrompt } from './assemble-subagent-prompt.ts';
import { createSubagentLogger } from './create-subagent-logger.ts';
import { createSubagentSession } from './create-subagent-session.ts';

const named = (name: string): AnyTool => ({
  name,
  description: '',
  input: { json: {}, parse: (value) => ({ ok: true, value }) },
  access: () => [],
  execute: async () => textOutput('done'),
});
const namesOf = (tools: readonly AnyTool[]) => tools.map(({ name }) => name);
const definition: IAgentDefinition = { name: 'tester', description: 'Tests', systemPrompt: 'You test.' };
const lastText = (messages: readonly Message[]) => textOf(messages.at(-1)?.content ?? []);

/** The parent says what the script says as long as it is asked; a subagent is told by its prompt. */
const isSubagent = (system: string) => system.includes('You work for another agent');

describe('the tools of a subagent', () => {
  const tools = ['Read', 'Write', 'Edit', 'Bash', 'Agent'].map(named);

  it('are filtered by the denied ones, then the allowed ones, and never hold Agent', () => {
    proves('R-66');
    expect(namesOf(filterTools(tools, {}))).toEqual(['Read', 'Write', 'Edit', 'Bash']);
    expect(namesOf(filterTools(tools, { disallowedTools: ['Write', 'edit'] }))).toEqual(['Read', 'Bash']);
    expect(
      namesOf(filterTools(tools, { tools: ['Read', 'Write', 'Agent'], disallowedTools: ['Write'] })),
    ).toEqual(['Read']);
    expect(namesOf(filterTools(tools, { tools: ['*'] }))).toEqual(['Read', 'Write', 'Edit', 'Bash']);
    expect(namesOf(filterTools(tools, { disallowedTools: ['Bash(rm *)'] }))).toContain('Bash');
    expect(namesOf(filterTools(tools, { disallowedTools: ['Bash(rm *'] }))).not.toContain('Bash');
    expect(namesOf(filterTools(tools, { tools: ['Bash(git *)'] }))).toEqual(['Bash']);
  });

  it('built-in agents: one with everything, two that change nothing', () => {
    proves('R-68', 'R-69');
    expect(builtInAgents.map(({ name }) => name)).toEqual(['general-purpose', 'Explore', 'Plan']);
    const [general, explore, plan] = builtInAgents;
    expect(namesOf(filterTools(tools, general ?? {}))).toContain('Write');
    for (const agent of [explore, plan])
      expect(namesOf(filterTools(tools, agent ?? {}))).toEqual(['Read', 'Bash']);
    expect(explore?.model).toBe('haiku');
    const haiku = resolveModel('haiku');
    expect(haiku.ok && haiku.model.id).toMatch(/^claude-haiku-/);
  });
});

describe('assembleSubagentPrompt', () => {
  const context = {
    instructions: [
      { path: '/w/AGENTS.md', text: 'Rules of agents.' },
      { path: '/w/CLAUDE.md', text: 'Rules of Claude.' },
    ],
  };

  it('body, CLAUDE.md, AGENTS.md, and one of two suffixes', () => {
    proves('R-71', 'R-72');
    const prompt = assembleSubagentPrompt({ agentBody: 'You test.', context, cwd: '/w' });
    const order = ['You test.', 'Rules of Claude.', 'Rules of agents.', 'concise report'];
    const places = order.map((text) => prompt.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(prompt).not.toContain('500 words');
    const fork = assembleSubagentPrompt({ agentBody: 'You test.', context, cwd: '/w', isForkWorker: true });
    expect(fork.trimEnd().endsWith('Ask no questions.')).toBe(true);
    expect(fork).toContain('500 words or less');
  });
});

describe('the model of a subagent', () => {
  it('is its own, by name or family, and the parent’s where that cannot be reached', async () => {
    proves('R-67');
    const { session } = await openScripted(await makeTestProject({ ANTHROPIC_API_KEY: 'k' }));
    const host = session.getSession().state.get(subagentHost);
    if (!host) throw new Error('no host');
    const idOf = (name?: string) => agentModels(host, name).models[0].model.id;
    expect(idOf()).toBe('claude-sonnet-4-6');
    expect(idOf('inherit')).toBe('claude-sonnet-4-6');
    expect(idOf('haiku')).toContain('haiku');
    expect(idOf('opus')).toContain('opus');
    expect(agentModels(host, 'openai/gpt-5')).toMatchObject({
      models: [{ model: { id: 'claude-sonnet-4-6' } }],
      notice: expect.stringContaining('openai/gpt-5'),
    });
    await session.shutdown();
  });
});

describe('createSubagentSession', () => {
  it('makes an isolated session of what the parent has resolved, and reads no file', async () => {
    proves('R-65', 'C-92');
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    await place.put('AGENTS.md', 'Be kind.');
    const { session, provider } = await openScripted(place, [{ text: 'parent' }, { text: 'child' }]);
    await session.submit('hello');
    const host = session.getSession().state.get(subagentHost);
    if (!host) throw new Error('no host');
    await place.put('AGENTS.md', 'Changed since.');
    const child = createSubagentSession({ definition, host });
    expect(await child.run('test it')).toBe('child');
    expect(child.messages.some((message) => lastText([message]).includes('hello'))).toBe(false);
    expect(provider.requests[1]?.system).toContain('Be kind.');
    expect(provider.requests[1]?.system).not.toContain('Changed since.');
    expect(provider.requests[1]?.tools.map(({ name }) => name)).not.toContain('Agent');
    expect(session.getMessages()).toHaveLength(3);
    await child.close();
    await session.shutdown();
  });
});

describe('the Agent tool', () => {
  async function parentWith(
    child: (turn: number) => ScriptedTurn,
    options: Parameters<typeof openScripted>[2] = {},
  ) {
    const place = await makeTestProject({ ANTHROPIC_API_KEY: 'k' });
    let asked = 0;
    let told = 0;
    const opened = await openScripted(
      place,
      ({ system }) => {
        if (isSubagent(system)) return child(asked++);
        return told++ === 0
          ? callTurn('Agent', { prompt: 'Find the bug.', subagent_type: 'Explore' })
          : { text: 'ok' };
      },
      options,
    );
    const events: AgentEvent[] = [];
    opened.session.on('event', (event) => void events.push(event));
    return { ...opened, place, events };
  }

  const resultOf = (events: readonly AgentEvent[]) => {
    const end = events.find((event) => event.type === 'tool-end');
    return end?.type === 'tool-end' ? { status: end.status, text: textOf(end.result.content) } : undefined;
  };

  it('hands a task to an agent and gives its report back', async () => {
    proves('R-36', 'C-91');
    const { session, events, provider } = await parentWith(() => ({ text: 'The bug is in a.ts:3.' }));
    expect((await session.submit('look into it'))?.response).toBe('ok');
    expect(resultOf(events)).toEqual({ status: 'success', text: 'The bug is in a.ts:3.' });
    const end = events.find((event) => event.type === 'tool-end');
    const display = end?.type === 'tool-end' ? end.result.display : undefined;
    expect(display).toEqual({
      kind: 'text',
      text: 'The bug is in a.ts:3.',
      tokens: expect.any(Number),
      calls: 0,
      cost: expect.any(Number),
    });
    const request = provider.requests.find(({ system }) => isSubagent(system));
    expect(request?.model.id).toContain('haiku');
    expect(textOf(request?.messages[0]?.content ?? [])).toBe('Find the bug.');
    expect(request?.tools.map(({ name }) => name)).not.toContain('Write');
    await session.shutdown();
  });

  it('keeps the conversation and the log of an agent beside its parent', async () => {
    const { session, place } = await parentWith(() => ({ text: 'Found.' }), { store: 'new' });
    await session.submit('go');
    const id = session.getSession().id;
    await session.shutdown();
    const project = join(place.home, '.robota', 'sessions');
    const [name = ''] = await readdir(project);
    const folder = join(project, name, id, 'subagents');
    const [transcript = ''] = await readdir(folder);
    const lines = (await readFile(join(folder, transcript), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toContain('message');
    expect((await stat(join(folder, transcript))).mode & 0o777).toBe(0o600);
    const logs = join(project, name, id, 'logs', id, 'subagents');
    expect(await readdir(logs)).toEqual([transcript]);
    expect((await stat(join(logs, transcript))).mode & 0o777).toBe(0o600);
  });

  it('writes a key that one of its commands has printed nowhere but into its conversation', async () => {
    const key = 'looks-like-nothing-special-0123456789';
    const { session, place } = await parentWith(
      (turn) =>
        turn === 0 ? { toolCalls: [{ name: 'Bash', input: { command: 'cat key.txt' } }] } : { text: 'Seen.' },
      { store: 'new', permissionMode: 'bypassPermissions', apiKey: key },
    );
    await writeFile(join(place.cwd, 'key.txt'), `before ${key} after`);
    await session.submit('go');
    await session.shutdown();
    const files = await readdir(join(place.home, '.robota'), { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
    expect(texts.filter((text) => text.includes('before ')).length).toBeGreaterThan(1);
    const telling = paths.filter((_, index) => texts[index]?.includes(key));
    const id = session.getSession().id;
    expect(telling.map((path) => basename(dirname(dirname(path))))).toEqual([id]);
    expect(telling[0]).not.toContain('logs');
  });

  it('a failed agent returns what it has', async () => {
    const { session, events } = await parentWith((turn) =>
      turn === 0
        ? { text: 'I looked at a.ts.', toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }
        : { failure: { code: 'server', message: 'The server is down.', retryable: false } },
    );
    await session.submit('go');
    expect(resultOf(events)).toEqual({
      status: 'error',
      text: 'I looked at a.ts.\n\n[The agent did not finish: The server is down.]',
    });
    await session.shutdown();
  });

  it('spends the money of its parent, and stops at its budget', async () => {
    const { session, events, place } = await parentWith(
      () => ({
        toolCalls: [{ name: 'Glob', input: { pattern: '*' } }],
        usage: { input: 1_000_000, output: 0 },
      }),
      { settings: [{ budget: { session: 0.15 } }], store: 'new' },
    );
    const result = await session.submit('go');
    expect(resultOf(events)?.text).toContain('this session has cost $0.20 and the limit is $0.15');
    expect(result).toMatchObject({ status: 'limit', error: { code: 'budget' } });
    // The cost of a prompt is the total spent for it.
    const { totals } = session.getSession();
    expect(result).toMatchObject({ cost: totals.cost, usage: totals.usage });
    await session.shutdown();
    expect(session.getSession().totals.cost).toBeCloseTo(0.2, 3);
    const again = await openScripted(place, [], { store: 'latest' });
    expect(again.session.getSession().totals).toEqual(session.getSession().totals);
    expect((await again.session.executeCommand('cost'))?.message).toContain(
      '(agents): $0.20 for 2 model calls',
    );
    await again.session.shutdown();
  });

  it('stops with its parent', async () => {
    const { session, events } = await parentWith(() => ({
      before: () => void session.abort(),
      toolCalls: [{ name: 'Glob', input: { pattern: '*' } }],
    }));
    expect(await session.submit('go')).toMatchObject({ status: 'aborted' });
    expect(resultOf(events)?.status).toBe('aborted');
    await session.shutdown();
  });

  it('may do no more than its parent: rules, mode and sandbox are the same', async () => {
    const { session, provider } = await parentWith(
      (turn) =>
        turn === 0 ? { toolCalls: [{ name: 'Bash', input: { command: 'touch made' } }] } : { text: 'no' },
      { rules: { deny: ['Bash(touch *)'] }, permissionMode: 'bypassPermissions' },
    );
    await session.submit('go');
    const requests = provider.requests.filter(({ system }) => isSubagent(system));
    expect(lastText(requests[1]?.messages ?? [])).toContain('Permission denied');
    await session.shutdown();
  });

  it('its start and its end are told to hooks, which may send it back to work', async () => {
    const seen: string[] = [];
    const { session, events, provider } = await parentWith((turn) => ({ text: `answer ${turn}` }), {
      extensions: [
        {
          name: 'watcher',
          setup: (host) => {
            host.hook('subagent-start', ({ agentType }) => {
              seen.push(`start ${agentType}`);
              return { context: 'Mind the tests.' };
            });
            host.hook('subagent-stop', ({ text, repeated }) => {
              seen.push(`stop ${text}`);
              return repeated ? {} : { continueWith: 'Look again.' };
            });
            host.hook('run-stop', ({ text }) => void seen.push(`parent ${text}`));
          },
        },
      ],
    });
    await session.submit('go');
    expect(seen).toEqual(['start Explore', 'stop answer 0', 'stop answer 1', 'parent ok']);
    expect(resultOf(events)?.text).toBe('answer 1');
    const first = provider.requests.find(({ system }) => isSubagent(system));
    expect(textOf(first?.messages[0]?.content ?? [])).toContain('Mind the tests.');
    await session.shutdown();
  });

  it('runs hooks of its file for its own calls, not for those of its parent', async () => {
    const place = await makeTestProject();
    const look = callTurn('Glob', { pattern: '*' });
    const use = async (options: Parameters<typeof openScripted>[2] = {}) => {
      const plan = [callTurn('Agent', { subagent_type: 'guarded', prompt: 'p' }), look, { text: 'ok' }];
      const childPlan = [look, { text: 'child' }];
      const { session, provider } = await openScripted(
        place,
        ({ system }) => (isSubagent(system) ? childPlan : plan).shift() ?? { text: 'ok' },
        options,
      );
      await session.submit('go');
      await session.shutdown();
      return provider.requests.map(({ messages }) => lastText(messages));
    };
    const command = 'echo guarded >&2; exit 2';
    const hooks = `hooks:\n  PreToolUse:\n    - matcher: Glob\n      hooks:\n        - command: ${command}`;
    const file = `---\ndescription: d\n${hooks}\n---\nYou list.`;
    await place.put('a.txt', 'content');
    await place.put('~/.claude/agents/guarded.md', file);
    const [, , ofAgent, , ofParent] = await use();
    expect(ofAgent).toContain('guarded');
    expect(ofParent).toContain('a.txt');
    expect((await use({ agent: 'guarded' })).at(-1)).toContain('guarded');

    await place.put('~/.claude/agents/guarded.md', '---\ndescription: d\n---\nYou list.');
    await place.put('.claude/agents/guarded.md', file);
    expect((await use())[2]).toContain('a.txt');
    expect((await use({ trustProject: true }))[2]).toContain('guarded');
  });

  it('names the agents there are where one is unknown', async () => {
    const place = await makeTestProject();
    const { session } = await openScripted(place, [
      callTurn('Agent', { prompt: 'x', subagent_type: 'Explorer' }),
      { text: 'ok' },
    ]);
    await session.submit('go');
    const [, , , result] = session.getMessages();
    expect(lastText([result as Message])).toBe(
      'Unknown agent "Explorer". Available: general-purpose, Explore, Plan. Did you mean Explore?',
    );
    await session.shutdown();
  });

  it('agents of a session’s own stand before built-in ones of the same name', async () => {
    proves('C-96', 'R-70');
    const explore: IAgentDefinition = { ...definition, name: 'Explore', systemPrompt: 'Ours.' };
    const { session, provider } = await parentWith(() => ({ text: 'x' }), { agents: [explore] });
    await session.submit('go');
    expect(provider.requests.find(({ system }) => isSubagent(system))?.system).toMatch(/^Ours\./);
    await session.shutdown();
  });
});

describe('createSubagentLogger', () => {
  it('writes {base}/{parent}/subagents/{agent}.jsonl', async () => {
    proves('R-73');
    const { home } = await makeTestProject();
    const logger = createSubagentLogger('parent-1', 'agent-2', home);
    logger.log('user', { text: 'hi' });
    await logger.close();
    const text = await readFile(join(home, 'parent-1', 'subagents', 'agent-2.jsonl'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ event: 'user', text: 'hi', sessionId: 'agent-2' });
  });

  it.each(['../..', '..', '.', '', 'x/../../y', 'a\\b', 'a\0b'])('refuses %j as an id', async (id) => {
    proves('R-73');
    const { home } = await makeTestProject();
    expect(() => createSubagentLogger(id, 'agent', home)).toThrow('cannot be used as parentSessionId');
    expect(() => createSubagentLogger('parent', id, home)).toThrow('cannot be used as agentId');
  });
});
