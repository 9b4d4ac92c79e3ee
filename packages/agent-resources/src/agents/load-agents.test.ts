import { symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resourceFolders } from '@robota-sdk/agent-config';
import { describeProblems } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { subagentHost } from '../source/subagent-host.ts';
import { loadAgents } from './load-agents.ts';

describe('loadAgents', () => {
  it('reads agents of every dialect, project before user, and keeps the first of a name', async () => {
    proves('R-70', 'C-96', 'E-35');
    const place = await makeTestProject();
    await place.put('.robota/agents/review.md', '---\nname: review\ndescription: Ours\n---\nReview.');
    await place.put('.claude/agents/review.md', '---\nname: review\ndescription: Theirs\n---\nReview.');
    await place.put(
      '.claude/agents/test.md',
      '---\ndescription: Runs tests\ntools: Read, Bash(npm test *) Grep\ndisallowedTools: [Write]\nmodel: haiku\nmaxTurns: 7\npermissionMode: plan\ncolor: red\n---\nRun the tests.',
    );
    await place.put('.eidolon/agents/plain.md', '# Says little\nBe brief.');
    await place.put('~/.robota/agents/mine.md', '---\nname: mine\n---\nMine.');
    await place.put('~/.robota/agents/review.md', '---\nname: review\n---\nOf the user.');
    const loaded = await loadAgents(resourceFolders('agents', place.cwd, place.host));
    expect(describeProblems(loaded.problems)).toEqual([]);
    expect(loaded.definitions.map(({ name }) => name)).toEqual(['review', 'test', 'plain', 'mine']);
    expect(loaded.definitions[0]).toMatchObject({ description: 'Ours', systemPrompt: 'Review.' });
    expect(loaded.definitions[1]).toMatchObject({
      tools: ['Read', 'Bash(npm test *)', 'Grep'],
      disallowedTools: ['Write'],
      model: 'haiku',
      maxTurns: 7,
      permissionMode: 'plan',
      source: expect.stringContaining('test.md'),
    });
    expect(loaded.definitions[2]).toMatchObject({ name: 'plain', description: 'Says little' });
  });

  it('names the fields of other programs that have no effect here', async () => {
    const place = await makeTestProject();
    const matter = '---\nname: a\ndescription: d\ncolor: red\nmemory: user\nmcpServers: [lab]\n---\nDo it.';
    await place.put('~/.claude/agents/a.md', matter);
    const { definitions, problems } = await loadAgents(resourceFolders('agents', place.cwd, place.host));
    expect(definitions).toHaveLength(1);
    expect(describeProblems(problems)).toEqual([
      expect.stringMatching(/a\.md:6: Robota ignores "mcpServers", "memory"\. See docs\/agents\.md/),
    ]);
  });

  it('finds agents in folders below, and leaves out pages about them', async () => {
    const place = await makeTestProject();
    const agent = (name: string) => `---\nname: ${name}\ndescription: d\n---\nDo it.`;
    await place.put('~/.claude/agents/01-core/api.md', agent('api'));
    await place.put('~/.claude/agents/01-core/deep/er/db.md', agent('db'));
    await place.put('~/.claude/agents/01-core/README.md', '# The core agents\n\nA page.');
    await place.put('.claude/agents/cl/team.md', agent('team'));
    await symlink('..', join(place.host.home, '.claude/agents/01-core/loop'));
    const { definitions, problems } = await loadAgents(resourceFolders('agents', place.cwd, place.host));
    const warnings = describeProblems(problems);
    expect(definitions.map(({ name }) => name)).toEqual(['team', 'api', 'db']);
    expect(warnings).toEqual([]);
  });

  it('calls those of a plugin after their folders', async () => {
    const place = await makeTestProject();
    const file = await place.put('plugin/agents/sub/deep.md', '---\nname: deep\n---\nDo it.');
    await place.put('plugin/agents/top.md', '---\nname: top\n---\nDo it.');
    await place.put('plugin/agents/not.md', '---\nname: not\n---\nDo it.');
    const pluginRoot = join(place.cwd, 'plugin');
    const folder = { dialect: 'claude', scope: 'plugin', plugin: 'p', pluginRoot } as const;
    const load = async (path: string, only?: readonly string[]) => {
      const { definitions } = await loadAgents([{ ...folder, path, ...(only ? { only } : {}) }]);
      return definitions.map(({ name }) => name);
    };
    expect(await load(join(pluginRoot, 'agents'), ['top.md', 'sub'])).toEqual(['p:top', 'p:sub:deep']);
    expect(await load(dirname(file), ['deep.md'])).toEqual(['p:sub:deep']);
  });

  it('lists many agents within a limit, by name at least', async () => {
    const place = await makeTestProject();
    for (let index = 0; index < 400; index++)
      await place.put(
        `~/.claude/agents/a${index}.md`,
        `---\ndescription: ${'word '.repeat(80)}\n---\nDo it.`,
      );
    const { session, provider } = await openScripted(place);
    await session.submit('hello');
    const description = provider.requests[0]?.tools.find(({ name }) => name === 'Agent')?.description ?? '';
    expect(description.length).toBeLessThan(25_000);
    expect(description).toContain('- a399: word');
    await session.shutdown();
  });

  it('names an agent that another one of the same folder hides', async () => {
    const place = await makeTestProject();
    const first = await place.put('.robota/agents/a.md', '---\nname: ag\n---\nFirst.');
    const second = await place.put('.robota/agents/b.md', '---\nname: ag\n---\nSecond.');
    const { definitions, problems } = await loadAgents(resourceFolders('agents', place.cwd, place.host));
    const warnings = describeProblems(problems);
    expect(definitions).toMatchObject([{ name: 'ag', systemPrompt: 'First.' }]);
    expect(warnings).toEqual([`${second}: The agent is skipped: ${first} is also called "ag".`]);
  });

  it('names what is wrong with a file, and loads the rest', async () => {
    const place = await makeTestProject();
    const broken = await place.put('.robota/agents/broken.md', '---\nname: "a\n] x\n---\nBody.');
    const empty = await place.put('.robota/agents/empty.md', '---\nname: empty\n---\n  \n');
    const open = await place.put('.robota/agents/open.md', '---\nname: open\n\nBody.');
    const odd = await place.put('.robota/agents/odd.md', '---\nname: odd\nmaxTurn: 3\nmodel: [a]\n---\nOdd.');
    const { definitions, problems } = await loadAgents(resourceFolders('agents', place.cwd, place.host));
    const warnings = describeProblems(problems);
    expect(definitions.map(({ name }) => name)).toEqual(['a', 'odd']);
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`^${broken}:\\d+: `)),
      `${empty}: The agent has no prompt; it is skipped.`,
      `${odd}:4: model: expected a string, got a list. It is ignored.`,
      `${odd}:3: Unknown field "maxTurn". Did you mean "maxTurns"?`,
      expect.stringMatching(new RegExp(`^${open}:1: Unclosed front matter\\..*The agent is skipped\\.$`)),
    ]);
  });

  it('a session knows them', async () => {
    const place = await makeTestProject();
    await place.put('.claude/agents/Explore.md', '---\ndescription: Ours\n---\nExplore our way.');
    await place.put('.robota/agents/bad.md', '');
    const { session, provider } = await openScripted(place);
    const host = session.getSession().state.get(subagentHost);
    expect(host?.definitions.map(({ name, description }) => [name, description])).toContainEqual([
      'Explore',
      'Ours',
    ]);
    expect(describeProblems(session.problems).join('\n')).toContain('bad.md: The agent has no prompt');
    await session.submit('hi');
    const tool = provider.requests[0]?.tools.find(({ name }) => name === 'Agent');
    expect(tool?.description).toContain('- Explore: Ours');
    await session.shutdown();
  });
});
