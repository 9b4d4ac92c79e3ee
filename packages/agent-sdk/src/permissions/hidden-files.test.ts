import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';

/** The model's view of one call under deny rules. */
async function resultOf(
  place: TestProject,
  [name, input]: readonly [string, Record<string, string>],
  deny = ['Read(.env)', 'Read(secrets/**)'],
) {
  const { session, provider } = await openScripted(place, [callTurn(name, input), { text: 'done' }], {
    rules: { deny },
  });
  await session.submit('go');
  await session.shutdown();
  const last = provider.requests.at(-1)?.messages.findLast((message) => message.role === 'tool');
  return last?.content.map((block) => ('text' in block ? block.text : '')).join('') ?? '';
}

async function project(): Promise<TestProject> {
  const place = await makeTestProject();
  await place.put('.env', 'KEY=1234\n');
  await place.put('sub/.env', 'KEY=5678\n');
  await place.put('secrets/deep/a.txt', 'KEY=abcd\n');
  await place.put('src/a.txt', 'KEY is elsewhere\n');
  return place;
}

describe('searches under deny rules', () => {
  it('Grep finds nothing in files that must not be read', async () => {
    proves('E-39');
    const place = await project();
    for (const output_mode of ['content', 'files', 'count']) {
      const result = await resultOf(place, ['Grep', { pattern: 'KEY', output_mode }]);
      expect(result).toContain('src/a.txt');
      expect(result).not.toMatch(/\.env|secrets|1234|5678|abcd/);
      expect(result).toContain('[files under deny or ask rules are not searched]');
    }
  });

  it('Grep answers the same whether a hidden file matches or not', async () => {
    proves('E-39');
    const place = await project();
    const [hit, miss] = [
      await resultOf(place, ['Grep', { pattern: 'KEY=12' }]),
      await resultOf(place, ['Grep', { pattern: 'KEY=99' }]),
    ];
    expect(hit.replace('KEY=12', '')).toBe(miss.replace('KEY=99', ''));
  });

  it('Glob leaves such files out and says how many', async () => {
    proves('E-39');
    const result = await resultOf(await project(), ['Glob', { pattern: '**/*' }]);
    expect(result).toContain('src/a.txt');
    expect(result).not.toMatch(/\.env|secrets/);
    expect(result).toContain('[3 left out by rules or the sandbox]');
  });

  it('a search in such a place is refused', async () => {
    proves('E-39');
    const place = await project();
    expect(await resultOf(place, ['Grep', { pattern: 'KEY', path: 'secrets' }])).toContain(
      'Permission denied',
    );
    expect(await resultOf(place, ['Grep', { pattern: 'KEY', path: '.env' }])).toContain('Permission denied');
    expect(await resultOf(place, ['Glob', { pattern: 'secrets/**' }])).toContain('Permission denied');
  });

  it('nothing is left out or remarked on without such rules', async () => {
    proves('E-42');
    const result = await resultOf(
      await project(),
      ['Grep', { pattern: 'KEY=' }],
      ['Bash(curl *)', 'Read(//elsewhere/**)'],
    );
    expect(result).toMatch(/1234[\s\S]*abcd[\s\S]*5678/);
    expect(result).not.toContain('ask rules');
  });
});
