import { describeProblems, jsonSchema } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';

const deploy = {
  name: 'deploy',
  setup: (host: Parameters<import('@robota-sdk/agent-core').Extension['setup']>[0]) =>
    host.tool({
      name: 'Deploy',
      description: 'Deploys.',
      input: jsonSchema({ type: 'object' }),
      access: () => [],
      execute: async () => ({ content: [] }),
    }),
};

describe('names in skills, commands and agents', () => {
  it('that mean nothing are told with file and line, at the start and by /reload', async () => {
    const place = await makeTestProject();
    const agent = await place.put(
      '~/.robota/agents/reader.md',
      '---\ndescription: d\ntools: Raed, Grep\nmodel: sonet\n---\nRead.',
    );
    const skill = await place.put(
      '~/.robota/skills/s/SKILL.md',
      '---\ndescription: d\nallowed-tools: Raed, Deploi\nagent: Exploer\n---\nText.',
    );
    const command = await place.put(
      '~/.robota/commands/c.md',
      '---\nallowed-tools: Frobnicate(x), constructor\nmodel: haku\n---\nText.',
    );
    const { session } = await openScripted(place, [], { extensions: [deploy] });
    const expected = [
      expect.stringContaining(
        `${agent}:3: Unknown tool "Raed". Did you mean "Read"? Line 4: Unknown model "sonet". Did you mean sonnet`,
      ),
      `${skill}:3: Unknown tool "Raed". Did you mean "Read"? Unknown tool "Deploi". Did you mean "Deploy"? Line 4: Unknown agent "Exploer". Did you mean "Explore"?`,
      expect.stringContaining(
        `${command}:2: Unknown tools "Frobnicate", "constructor". They apply once something adds them. Line 3: Unknown model "haku". Did you mean haiku`,
      ),
    ];
    expect(describeProblems(session.problems)).toEqual(expected);
    expect(describeProblems((await session.reload()).problems)).toEqual(expected);
    await session.shutdown();
  });

  it('that other programs, servers and extensions give a meaning are no reason to say anything', async () => {
    const place = await makeTestProject();
    const tools =
      'read, Bash(git *), Task, MultiEdit, mcp__github__*, mcp__x, *, Deploy, BashOutput, WebSearch, SendMessage, Workflow';
    await place.put(
      '~/.claude/agents/a.md',
      `---\ndescription: d\ntools: ${tools}\nmodel: inherit\n---\nDo.`,
    );
    await place.put(
      '~/.claude/skills/s/SKILL.md',
      `---\ndescription: d\nallowed-tools: ${tools}\nmodel: opus\nagent: a\n---\nDo.`,
    );
    const { session } = await openScripted(place, [], { extensions: [deploy] });
    expect(describeProblems(session.problems)).toEqual([]);
    await session.shutdown();
  });
});
