import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@robota-sdk/agent-core';
import { expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

/** The results of an agent's calls with these lists, if everything is allowed. */
async function resultsOf(
  lists: { tools?: string[]; disallowedTools?: string[] },
  commands: readonly string[],
) {
  const place = await makeTestProject();
  const agent = { name: 'narrow', description: 'Narrow', systemPrompt: 'Work.', ...lists };
  const calls = commands.map((command) => callTurn('Bash', { command }));
  const { session, provider } = await openScripted(place, [...calls, { text: 'end' }], {
    agents: [agent],
    permissionMode: 'bypassPermissions',
  });
  const { id } = await session.spawnAgentJob({ agentType: 'narrow', prompt: 'go' });
  await session.tasks.whenEnded(id);
  await session.shutdown();
  const messages = provider.requests.at(-1)?.messages ?? [];
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [textOf(content)] : []));
  return { results, has: (name: string) => existsSync(join(place.cwd, name)) };
}

it('an agent makes only the calls that its tools name, in every mode', async () => {
  const { results, has } = await resultsOf({ tools: ['Read', 'bash(git *)'] }, [
    'touch made',
    'ls',
    'git --version',
  ]);
  expect(results[0]).toContain('The agent narrow may use Bash only as bash(git *).');
  expect(results[1]).toContain('only as');
  expect(results[2]).toContain('git version');
  expect(has('made')).toBe(false);
});

it('a rule that cannot be read allows none, and a disallowed call leaves the others', async () => {
  const unread = await resultsOf({ tools: ['Bash(git *'] }, ['git --version']);
  expect(unread.results[0]).toContain('only as');
  const denied = await resultsOf({ disallowedTools: ['Bash(touch *)'] }, ['touch made', 'echo other']);
  expect(denied.results[0]).toContain('Bash(touch *)');
  expect(denied.has('made')).toBe(false);
  expect(denied.results[1]).toContain('other');
});

it('an agent with skills has their texts in its prompt', async () => {
  const place = await makeTestProject();
  await place.put('~/.robota/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies.\n---\nTidy well.');
  await place.put(
    '~/.claude/agents/neat.md',
    '---\nname: neat\ndescription: Neat\ntools: Read\nskills: tidy\neffort: 90\n---\nWork.',
  );
  const { session, provider } = await openScripted(place, [{ text: 'end' }]);
  const { id } = await session.spawnAgentJob({ agentType: 'neat', prompt: 'go' });
  await session.tasks.whenEnded(id);
  await session.shutdown();
  const [first] = provider.requests;
  expect(first?.system).toContain('Tidy well.');
  expect(first?.thinking).toBe('high');
});

it('tells when another model than its own does the work', async () => {
  const agent = { name: 'far', description: 'Far', systemPrompt: 'Work.', model: 'openai/gpt-nowhere' };
  const { session } = await openScripted(await makeTestProject(), [{ text: 'end' }], { agents: [agent] });
  const notices: string[] = [];
  session.on('notice', ({ text }) => void notices.push(text));
  const { id } = await session.spawnAgentJob({ agentType: 'far', prompt: 'go' });
  expect(await session.tasks.whenEnded(id)).toMatchObject({ status: 'completed' });
  await expect
    .poll(() => notices.join())
    .toMatch(/^The agent far: The model openai\/gpt-nowhere cannot be reached; .* does the work\.$/);
  await session.shutdown();
});

it.each(['agent', 'agent_type', 'subagentType'])(
  'refuses the argument %s and names subagent_type',
  async (name) => {
    const turns = [callTurn('Agent', { prompt: 'go', [name]: 'Explore' }), { text: 'end' }];
    const { session, provider } = await openScripted(await makeTestProject(), turns);
    await session.submit('go');
    const result = session.getMessages().find(({ role }) => role === 'tool');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result?.content ?? [])).toMatch(new RegExp(`Unknown argument ${name}\\. .*subagent_type`));
    expect(provider.requests).toHaveLength(2);
    await session.shutdown();
  },
);
