import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, RewindFixture, read, repository } from './fixtures/rewind-fixture.ts';

describe('changes of others', () => {
  it('are not overwritten without asking, also those between two of ours', async () => {
    const place = repository({ since: 'o', between: 'o', free: 'o', deleted: 'o' });
    place.prompt('first');
    for (const name of ['since', 'between', 'free', 'deleted'])
      await place.write(name, (path) => writeFileSync(path, 'agent'));
    place.outside('echo person > since; echo person >> between; rm deleted');
    place.prompt('second');
    await place.write('between', (path) => writeFileSync(path, 'agent again'));
    const { restored, left } = await place.rewind(1);
    expect(restored).toEqual([place.path('free')]);
    expect([...left.keys()].sort()).toEqual(['between', 'deleted', 'since'].map((name) => place.path(name)));
    expect(read(place, 'since')).toBe('person\n');
    await place.rewind(1, { overwrite: true });
    for (const name of ['since', 'between', 'free', 'deleted']) expect(read(place, name)).toBe('o');
    await place.undo();
    expect(read(place, 'since')).toBe('person\n');
    expect(existsSync(place.path('deleted'))).toBe(false);
  });

  it('made after a rewind are kept when it is undone', async () => {
    const place = new RewindFixture();
    place.prompt('create');
    await place.write('a', (path) => writeFileSync(path, 'agent'));
    await place.rewind(1);
    put(place, 'a', 'person');
    const { left } = await place.undo();
    expect([...left.keys()]).toEqual([place.path('a')]);
    expect(read(place, 'a')).toBe('person');
  });
});

describe('turns and branches', () => {
  it('go back to any prompt, after a restart too, and undo step by step', async () => {
    const place = repository({ a: '0' });
    for (const text of ['1', '2', '3']) {
      place.prompt(text);
      await place.write('a', (path) => writeFileSync(path, text));
    }
    await place.checkpoints.close();
    place.open();
    expect((await place.checkpoints.turns()).map(({ number, prompt }) => [number, prompt])).toEqual([
      [1, '1'],
      [2, '2'],
      [3, '3'],
    ]);
    await place.rewind(3, { conversation: true });
    expect([read(place, 'a'), place.tree.pathIds().length]).toEqual(['2', 2]);
    place.open();
    await place.rewind(1, { conversation: true });
    expect([read(place, 'a'), place.tree.leafId]).toEqual(['0', null]);
    place.open();
    await place.undo();
    expect([read(place, 'a'), place.tree.pathIds().length]).toEqual(['2', 2]);
    await place.undo();
    expect([read(place, 'a'), place.tree.pathIds().length]).toEqual(['3', 3]);
    expect(await place.checkpoints.planUndo()).toBeUndefined();
  });

  it('show only the present branch, and undo what was left behind on another', async () => {
    const place = new RewindFixture();
    put(place, 'a', '0');
    place.prompt('nothing');
    const root = place.tree.leafId;
    place.prompt('left branch');
    await place.write('a', (path) => writeFileSync(path, 'left'));
    place.tree.moveTo(root);
    place.prompt('right branch');
    await place.write('b', (path) => writeFileSync(path, 'right'));
    const turns = await place.checkpoints.turns();
    expect(turns.map(({ files }) => files.map(({ path }) => path.at(-1)))).toEqual([[], ['b']]);
    await place.rewind(2);
    expect([read(place, 'a'), existsSync(place.path('b'))]).toEqual(['left', false]);
    await place.rewind(1);
    expect(read(place, 'a')).toBe('0');
  });

  it('pass over lines that are damaged', async () => {
    const place = new RewindFixture();
    place.prompt('create');
    await place.write('a', (path) => writeFileSync(path, 'a'));
    const bad = [
      'nonsense',
      '{}',
      '{"type":"call","id":"x","files":[{}]}',
      '{"type":"after","id":"gone","files":[]}',
    ];
    appendFileSync(join(place.directory, 'checkpoints', 'changes.jsonl'), bad.join('\n'));
    place.open();
    await place.write('b', (path) => writeFileSync(path, 'b'));
    place.open();
    expect((await place.rewind(1)).restored).toEqual([place.path('a'), place.path('b')]);
  });

  it('name what could not be kept, and continue working', async () => {
    const place = new RewindFixture();
    writeFileSync(join(place.directory, 'checkpoints'), 'in the way');
    place.prompt('change');
    for (const text of ['a', 'b']) await place.write('a', (path) => writeFileSync(path, text));
    expect(place.problems).toEqual([expect.stringContaining('cannot be saved for /rewind')]);
    expect(read(place, 'a')).toBe('b');
  });
});
