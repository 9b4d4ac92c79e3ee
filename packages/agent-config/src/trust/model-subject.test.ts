import { describeProblems } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../../../agent-sdk/src/fixtures/scripted-session.ts';
import { makeTestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';

const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
const other = 'openai/gpt-5';

const suppliers = {
  skill: '.claude/skills/k/SKILL.md',
  fork: '.claude/skills/k/SKILL.md',
  command: '.robota/commands/k.md',
  agent: '.claude/agents/k.md',
} as const;

/** Uses something that names a model, and tells who was asked and what was said. */
async function use(what: keyof typeof suppliers, { own = false, trustProject = false, model = other } = {}) {
  const place = await makeTestProject(keys);
  const head = [
    'name: k',
    'description: d',
    `model: ${model}`,
    ...(what === 'fork' ? ['context: fork'] : []),
  ];
  const text = `---\n${head.join('\n')}\n---\nDo it.`;
  const file = suppliers[what];
  await place.put(own ? `~/${file}` : file, text);
  const script =
    what === 'agent'
      ? [
          callTurn('Agent', { prompt: 'p', description: 'd', subagent_type: 'k' }),
          { text: 'a' },
          { text: 'b' },
        ]
      : [{ text: 'a' }, { text: 'b' }];
  const { session, provider } = await openScripted(place, script, { trustProject });
  const said: string[] = [...(describeProblems(session.problems) ?? [])];
  session.getSession().subscribe((event) => {
    if (event.type === 'notice-show') said.push(event.text);
  });
  if (what === 'agent') await session.submit('go');
  else await session.executeCommand('k');
  await session.shutdown();
  return { vendors: provider.requests.map(({ model: { vendor } }) => vendor), said: said.join('\n') };
}

describe('the model that something of a repository names', () => {
  it.each(Object.keys(suppliers) as (keyof typeof suppliers)[])(
    '%s: is asked only if somebody agreed to it, and else the session’s does the work',
    async (what) => {
      const left = await use(what);
      expect(new Set(left.vendors)).toEqual(new Set(['anthropic']));
      expect(left.said).toContain(other);
      expect((await use(what, { trustProject: true })).vendors).toContain('openai');
      expect((await use(what, { own: true })).vendors).toContain('openai');
    },
  );

  it('needs no yes where the conversation stays with its vendor', async () => {
    const { vendors, said } = await use('skill', { model: 'haiku' });
    expect(vendors).toEqual(['anthropic']);
    expect(said).not.toContain('haiku');
  });
});
