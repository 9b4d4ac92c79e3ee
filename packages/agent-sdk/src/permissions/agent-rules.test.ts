import { describeProblems } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';

it.each(['Agent(Explore)', 'Task(Explore)', 'Agent(exp*)', 'Task'])(
  '%s keeps the model and the user from starting the agent',
  async (rule) => {
    proves('R-12');
    const place = await makeTestProject();
    await place.put('~/.claude/settings.json', { permissions: { deny: [rule] } });
    const { session, provider } = await openScripted(place, [
      callTurn('Agent', { prompt: 'look', subagent_type: 'explore' }),
      { text: 'ok' },
    ]);
    await session.submit('look around');
    const isWhole = rule === 'Task';
    const offered = provider.requests[0]?.tools.map(({ name }) => name);
    expect(offered?.includes('Agent')).toBe(!isWhole);
    expect(JSON.stringify(provider.requests[0]?.tools)).not.toContain('Explore');
    expect(JSON.stringify(session.getMessages())).toContain(
      isWhole ? 'Unknown tool' : `refused by the deny rule ${rule}`,
    );
    expect(provider.requests).toHaveLength(2);
    await expect(session.spawnAgentJob({ agentType: 'EXPLORE', prompt: 'look' })).rejects.toThrow(
      `The agent is not started: `,
    );
    expect(describeProblems(session.problems)).toEqual([]);
    await session.shutdown();
  },
);
