import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { silentInterface } from '@robota-sdk/agent-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { runMcpRequest } from './run-mcp-request.ts';

let place: TestProject;
beforeEach(async () => {
  place = await makeTestProject();
});

const mcp = (...words: readonly string[]) =>
  runMcpRequest(words, { ...place, ui: silentInterface, say: () => {} });
const fileOf = () => join(place.home, '.robota/mcp.json');

describe('adding an MCP server', () => {
  it.each([
    [['add', 'one'], /^Use: robota mcp add NAME -- COMMAND/],
    [['add', 'a b', 'cmd'], /"a b" cannot be the name of a server: a name has no blanks\./],
    [['add', '--header', 'A: b', 'one', 'cmd'], /--header is for servers that are reached by an address/],
    [['add', '--env', 'A=b', 'one', 'https://x.example'], /--env is for servers that are started/],
    [['add', '--env', 'SECRET-1', 'one', 'cmd'], /"SECRET-1": write --env KEY=value/],
    [['add', '--transport', 'http', 'one', 'cmd'], /needs a URL that starts with http, not "cmd"/],
    [['add', '--transport', 'tcp', 'one', 'cmd'], /choose stdio, http or sse/],
    [['add', 'one', 'https://x.example', 'more'], /A URL takes no arguments, such as "more"/],
    [['add', '--scope', 'all', 'one', 'cmd'], /--scope all: choose local/],
    [['add', '--callback-port', 'x', 'one', 'https://x.example'], /--callback-port x: expected a port/],
    [['add', '--client-secret-env', 'a-b', 'one', 'https://x.example'], /expected the name of a variable/],
    [['add-json', 'one', '{'], /This is not JSON/],
    [['add-json', 'one', '[]'], /Expected an object like/],
    [['add-json', 'one', '{"command":"x","arg":[]}'], /Unknown server field "arg"\. Did you mean "args"\?/],
    [['add-json', 'one', '{"args":[]}'], /./],
  ])('refuses %j and writes nothing', async (words, expected) => {
    await expect(mcp(...words)).rejects.toThrow(expected);
    await expect(stat(fileOf())).rejects.toThrow('ENOENT');
  });

  it('does not replace one of the same name in the same scope', async () => {
    await mcp('add', '--scope', 'user', 'one', '--', 'first');
    const before = await readFile(fileOf(), 'utf8');
    await expect(mcp('add', '--scope', 'user', 'one', '--', 'second')).rejects.toThrow(
      'already has a server one. Remove it first: robota mcp remove one.',
    );
    expect(await readFile(fileOf(), 'utf8')).toBe(before);
    expect((await mcp('add', 'one', '--', 'third')).isOk).toBe(true);
  });

  it('keeps the name of a variable that is not set, and says that the server waits for it', async () => {
    const unset = `\${NOT_SET}`;
    const { text } = await mcp(
      'add',
      '--header',
      `Authorization: Bearer ${unset}`,
      'one',
      'https://x.example',
    );
    expect(text).toMatch(/^Added one, in .*, but it cannot be used yet\..*NOT_SET/);
    expect(await readFile(fileOf(), 'utf8')).toContain(unset);
  });

  it('leaves a file that is not JSON as it is', async () => {
    const file = await place.put('~/.robota/mcp.json', '{ "mcpServers": ');
    await expect(mcp('add', 'one', '--', 'cmd')).rejects.toThrow();
    expect(await readFile(file, 'utf8')).toBe('{ "mcpServers": ');
  });
});

describe('removing and switching MCP servers', () => {
  it('names the scope that a server has, the file of another program, or that it is unknown', async () => {
    await mcp('add', '--scope', 'user', 'one', '--', 'cmd');
    await expect(mcp('remove', '--scope', 'project', 'one')).rejects.toThrow('one is user, not project');
    await expect(mcp('remove', 'two')).rejects.toThrow('Unknown MCP server "two"');
    await place.put('.mcp.json', { mcpServers: { shared: { command: 'cmd' } } });
    await expect(mcp('remove', 'shared')).rejects.toThrow(/\.mcp\.json, which other programs share/);
    expect((await mcp('remove', 'one')).text).toContain('Removed one from');
  });

  it('is told apart from what is so already', async () => {
    await mcp('add', '--scope', 'user', 'one', '--', 'cmd');
    expect((await mcp('enable', 'one')).text).toBe('one is already enabled.');
    expect((await mcp('disable', 'one')).text).toBe('Disabled one, from the next session on.');
    expect((await mcp('disable', 'one')).text).toBe('one is already disabled.');
    expect((await mcp('enable', 'one')).text).toBe('Enabled one, from the next session on.');
    await expect(mcp('disable', '--scope', 'project', 'one')).rejects.toThrow(
      '--scope project: choose local',
    );
    await expect(mcp('disable', 'onne')).rejects.toThrow('Unknown MCP server "onne".');
  });

  it('of a project that is not trusted says so', async () => {
    await place.put('.mcp.json', { mcpServers: { shared: { command: 'cmd' } } });
    await expect(mcp('disable', 'shared')).rejects.toThrow('you have not approved it');
  });
});
