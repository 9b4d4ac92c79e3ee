import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Message, toolEnd } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { assistant, result, user } from '../../../agent-sessions/src/fixtures/messages.ts';
import { storeOnDisk } from '../../../agent-sessions/src/fixtures/open-session.ts';
import { TodosFile, todosOn } from './todos-file.ts';

const fileIn = (directory: string) => join(directory, 'todos.json');
const directory = () => mkdtempSync(join(tmpdir(), 'robota-todos-'));

describe('TodosFile', () => {
  it('keeps the list as a whole, without secrets, for its owner only', () => {
    proves('E-24');
    const place = directory();
    const todos = new TodosFile({ file: fileIn(place), secrets: ['my-own-key'] });
    todos.write([{ content: 'old' }]);
    todos.write([{ content: 'use my-own-key', status: 'pending' }]);
    expect(todos.read()).toEqual([{ content: 'use [redacted]', status: 'pending' }]);
    expect(readdirSync(place)).toEqual(['todos.json']);
    expect(statSync(fileIn(place)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(fileIn(place), 'utf8'))).toMatchObject({ version: 1 });
  });

  it.each(['', '{"version": 1, "tod', '[]', 'null', '{}'])('has no list where the file holds %j', (text) => {
    const file = fileIn(directory());
    writeFileSync(file, text);
    expect(new TodosFile({ file }).read()).toBeUndefined();
  });

  it('reports a list that cannot be written, and fails no caller', () => {
    const problems: string[] = [];
    const file = fileIn(join(directory(), 'missing'));
    const todos = new TodosFile({ file, onProblem: (message) => problems.push(message) });
    todos.write([]);
    expect(problems).toEqual([expect.stringMatching(/^The todos can't be written/)]);
    expect(todos.read()).toBeUndefined();
  });
});

describe('todosOn', () => {
  it('finds the last list of the branch that was taken', async () => {
    const handle = await (await storeOnDisk()).create({ cwd: '/project' });
    const say = (message: Message) => handle.append({ type: 'message', message });
    const write = (id: string, name = 'TodoWrite') =>
      assistant([{ type: 'tool-call', id, name, input: { todos: [id] } }]);
    await say(user('go'));
    expect(todosOn(handle, 'TodoWrite')).toBeUndefined();
    await say(write('one'));
    await say(result('one'));
    const branch = handle.leafId;
    await say(write('two'));
    await say(result('two'));
    await say(write('refused'));
    await say(result('refused', 'no', toolEnd('denied')));
    await say(write('other', 'Read'));
    expect(todosOn(handle, 'TodoWrite')).toEqual({ todos: ['two'] });
    await handle.setLeaf(branch);
    expect(todosOn(handle, 'TodoWrite')).toEqual({ todos: ['one'] });
    await handle.close();
  });
});
