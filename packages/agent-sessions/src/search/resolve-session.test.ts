import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { user } from '../fixtures/messages.ts';
import { JsonlSessionStore } from '../store/jsonl-store.ts';
import { requireSession, resolveSession } from './resolve-session.ts';
import { SessionCatalogue } from './session-catalogue.ts';

const cwd = '/project';
let home: string;
let store: JsonlSessionStore;
let catalogue: SessionCatalogue;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'robota-resolve-'));
  store = new JsonlSessionStore({ home });
  catalogue = new SessionCatalogue({ home });
});

describe('resolveSession', () => {
  it('takes ids before names, whole ones before beginnings, and names before words', async () => {
    await keep('aaaa1111', 'one', { name: 'release' });
    await keep('aaaa2222', 'two', { name: 'release notes' });
    await keep('bbbb3333', 'about the release of bbbb', { name: 'Größe' });
    expect(await meant('aaaa1111')).toEqual(['id', 'aaaa1111']);
    expect(await meant('AAAA2')).toEqual(['id', 'aaaa2222']);
    expect(await meant('bbbb')).toEqual(['id', 'bbbb3333']);
    expect(await meant('release')).toEqual(['name', 'aaaa1111']);
    expect(await meant('RELEASE N')).toEqual(['name', 'aaaa2222']);
    expect(await meant('grösse')).toEqual(['name', 'bbbb3333']);
    expect(await meant('release of')).toEqual(['text', 'bbbb3333']);
    expect(await meant('aaaa')).toEqual(['several by id', 'aaaa1111', 'aaaa2222']);
    expect(await meant('rele')).toEqual(['several by name', 'aaaa1111', 'aaaa2222']);
    expect(await meant('relase')).toEqual(['none', 'release']);
    expect(await meant('   ')).toEqual(['none']);
  });

  it('prefers names of the directory, takes others where none fits, and finds words only here unless told', async () => {
    await keep('aaaa1111', 'apples here', { name: 'plan' });
    await keep('bbbb2222', 'apples and pears', { name: 'plan', cwd: '/other' });
    await keep('cccc3333', 'plums', { name: 'only there', cwd: '/other' });
    expect(await meant('plan')).toEqual(['name', 'aaaa1111']);
    expect(await meant('plan', { all: true })).toEqual(['several by name', 'aaaa1111', 'bbbb2222']);
    expect(await meant('only')).toEqual(['name', 'cccc3333']);
    expect(await meant('apples')).toEqual(['text', 'aaaa1111']);
    expect(await meant('pears')).toEqual(['none']);
    expect(await meant('pears', { all: true })).toEqual(['text', 'bbbb2222']);
  });

  it('takes a name that is unique over a beginning that ids share', async () => {
    await keep('aaaa1111', 'one');
    await keep('aaaa2222', 'two', { name: 'aaaa' });
    expect(await meant('aaaa')).toEqual(['name', 'aaaa2222']);
  });

  it('takes a whole name before a title, a title before beginnings of names, and titles of this directory only', async () => {
    await keep('aaaa1111', 'fix it');
    await keep('bbbb2222', 'do not fix it', { name: 'fix it all' });
    await keep('cccc3333', 'elsewhere', { cwd: '/other' });
    expect(await meant('FIX it')).toEqual(['title', 'aaaa1111']);
    expect(await meant('fix it a')).toEqual(['name', 'bbbb2222']);
    expect(await meant('elsewhere')).toEqual(['none']);
    expect(await meant('elsewhere', { all: true })).toEqual(['title', 'cccc3333']);
    await keep('dddd4444', 'other', { name: 'fix it' });
    expect(await meant('fix it')).toEqual(['name', 'dddd4444']);
    const copy = await store.fork('aaaa1111');
    await copy.close();
    expect(await meant('fix it (copy)')).toEqual(['title', copy.id]);
  });

  it('takes the path of a session, and says what is wrong with that of none', async () => {
    await keep('aaaa1111', 'one');
    const { sessions } = await catalogue.list();
    const [{ path = '' } = {}] = sessions;
    expect(await meant(path)).toEqual(['path', 'aaaa1111']);
    expect(await meant(join(path, '..'))).toEqual(['path', 'aaaa1111']);
    await mkdir(join(home, 'notes'));
    await writeFile(join(home, 'notes', 'todo.jsonl'), 'milk\n');
    await expect(meant(join(home, 'notes', 'todo.jsonl'))).rejects.toThrow(
      "todo.jsonl can't be opened as a session: no line in it is one of a session.",
    );
    expect(await meant(join(home, 'nowhere'))).toEqual(['none']);
  });
});

describe('requireSession', () => {
  it('lists what fits when it is not one', async () => {
    await keep('aaaa1111', 'paint it red');
    await keep('bbbb2222', 'paint it blue');
    await expect(requireSession('paint', catalogue, { cwd })).rejects.toThrow(
      /"paint" could be one of 2 sessions[\s\S]*aaaa1111 .*paint it red[\s\S]*Give the id\./,
    );
    await expect(requireSession('green', catalogue, { cwd })).rejects.toThrow('No session matches "green"');
    await expect(requireSession('', catalogue, { cwd })).rejects.toThrow('Missing session.');
  });
});

async function keep(
  id: string,
  text: string,
  { cwd: directory = cwd, name }: { cwd?: string; name?: string } = {},
): Promise<void> {
  await store.save({ id, cwd: directory, messages: [user(text)], ...(name === undefined ? {} : { name }) });
}

async function meant(reference: string, options: { all?: boolean } = {}): Promise<string[]> {
  const resolution = await resolveSession(reference, catalogue, { cwd, ...options });
  switch (resolution.kind) {
    case 'found':
      return [resolution.by, resolution.session.id];
    case 'several':
      return [`several by ${resolution.by}`, ...resolution.sessions.map(({ id }) => id).sort()];
    case 'none':
      return ['none', ...resolution.near];
  }
}
