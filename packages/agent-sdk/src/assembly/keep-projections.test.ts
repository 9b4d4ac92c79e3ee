import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { todos } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const list = (...contents: string[]) => ({
  toolCalls: [
    { name: 'TodoWrite', input: { todos: contents.map((content) => ({ content, status: 'pending' })) } },
  ],
});
const itemsOf = (session: InteractiveSession) =>
  session
    .getSession()
    .state.get(todos)
    .items.map(({ content }) => content);

/** The file of the only session of a place. */
function fileOf({ home }: TestProject, name: string): string {
  const sessions = join(home, '.robota', 'sessions');
  const [project = ''] = readdirSync(sessions);
  const [id = ''] = readdirSync(join(sessions, project));
  return join(sessions, project, id, name);
}
const read = (file: string) => readFileSync(file, 'utf8');
const savedIn = (place: TestProject) =>
  JSON.parse(read(fileOf(place, 'todos.json'))).todos.map(({ content }: { content: string }) => content);

/** A place with a session that has two todos. */
async function withTodos(): Promise<TestProject> {
  const place = await makeTestProject();
  const { session } = await openScripted(place, [list('a', 'b'), { text: 'ok' }], { store: 'new' });
  await session.submit('plan');
  expect(savedIn(place)).toEqual(['a', 'b']);
  await session.shutdown();
  return place;
}

describe('keepProjections', () => {
  it('keeps history and todos beside the session, without the key in use', async () => {
    proves('E-24', 'E-25');
    const place = await makeTestProject();
    const script = [list('use sk-test-key'), { text: 'done' }];
    const { session } = await openScripted(place, script, { store: 'new' });
    await session.submit('plan with sk-test-key');
    await session.shutdown();
    const history = read(fileOf(place, 'history.xnl'));
    expect(history.match(/^<\w+/gm)).toEqual([
      '<system',
      '<user',
      '<user',
      '<assistant',
      '<tool',
      '<assistant',
    ]);
    expect(history).toContain('content = "plan with [redacted]"');
    expect(history + read(fileOf(place, 'todos.json'))).not.toContain('sk-test-key');
  });

  it('leaves nothing behind where nothing is kept, or nothing was said', async () => {
    const place = await makeTestProject();
    const unused = await openScripted(place, [], { store: 'new' });
    await unused.session.shutdown();
    const { session } = await openScripted(place, [list('a'), { text: 'ok' }]);
    await session.submit('plan');
    await session.shutdown();
    expect(existsSync(join(place.home, '.robota', 'sessions'))).toBe(false);
  });

  it('writes nothing into a directory that sessions share', async () => {
    const place = await makeTestProject();
    const sessions = join(place.home, '.robota', 'sessions', 'project', 'parent', 'subagents');
    mkdirSync(sessions, { recursive: true });
    const path = join(sessions, 'a1.jsonl');
    const { session } = await openScripted(place, [list('a'), { text: 'ok' }], { store: { path } });
    await session.submit('plan');
    await session.shutdown();
    expect(existsSync(path)).toBe(true);
    expect(readdirSync(sessions).filter((name) => /history|todos/.test(name))).toEqual([]);
  });

  it('takes up the todos of a session that is continued', async () => {
    proves('E-24');
    const place = await withTodos();
    const { session } = await openScripted(place, [list('c'), { text: 'ok' }], { store: 'latest' });
    expect(itemsOf(session)).toEqual(['a', 'b']);
    await session.submit('go on');
    expect(itemsOf(session)).toEqual(['c']);
    expect(savedIn(place)).toEqual(['c']);
    await session.shutdown();
  });

  it.each<[string, (file: string) => void]>([
    ['missing', (file) => rmSync(file)],
    ['damaged', (file) => writeFileSync(file, '{"todos": [{"content"')],
    ['wrong', (file) => writeFileSync(file, '{"todos": [{"content": 1}]}')],
  ])('finds the todos in the conversation when their file is %s', async (_, damage) => {
    const place = await withTodos();
    damage(fileOf(place, 'todos.json'));
    const { session } = await openScripted(place, [], { store: 'latest' });
    expect(itemsOf(session)).toEqual(['a', 'b']);
    expect(savedIn(place)).toEqual(['a', 'b']);
    await session.shutdown();
  });

  it('follows the conversation to another branch, and starts over with it', async () => {
    const place = await makeTestProject();
    const script = [list('a'), { text: 'ok' }, list('b'), { text: 'ok' }, { text: 'ok' }];
    const { session } = await openScripted(place, script, { store: 'new' });
    await session.submit('one');
    const inner = session.getSession();
    const first = inner.branches.tree().leafId;
    await session.submit('two');
    expect(itemsOf(session)).toEqual(['b']);
    await inner.branches.moveTo(first);
    expect(itemsOf(session)).toEqual(['a']);
    expect(savedIn(place)).toEqual(['a']);
    await inner.clear();
    expect(itemsOf(session)).toEqual([]);
    expect(savedIn(place)).toEqual([]);
    await session.submit('three');
    await session.shutdown();
    expect(read(fileOf(place, 'history.xnl'))).toContain('<!-- starts over -->\n<user');
  });
});
