import { configRow, mcpRow, pluginRow } from '@robota-sdk/agent-admin';
import { argumentHintOf, isOn, takeSubcommand } from '@robota-sdk/agent-config';
import { describe, expect, it } from 'vitest';
import { openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { parseInput } from '../input/parse-input.ts';
import { topicLoaders } from './built-in-commands.ts';
import { commandTopics, findCommandRow, promptRows, terminalRows } from './command-table.ts';

describe('the command table', () => {
  it.each(promptRows.map((row) => [row.name, row] as const))('/%s says everything about itself', (_, row) => {
    expect(row.description).toMatch(/^[A-Z].*[^.]$/);
    expect(row.description.length).toBeLessThanOrEqual(90);
    expect(['run', 'idle']).toContain(row.during);
    expect(['conversation', 'model']).toEqual(expect.arrayContaining([...row.needs]));
    for (const { name, description } of row.subcommands ?? []) {
      expect(description, name).toMatch(/^\p{L}.*[^.]$/u);
    }
    for (const option of row.options ?? [])
      for (const verb of option.of ?? [])
        expect(
          row.subcommands?.map(({ name }) => name),
          option.name,
        ).toContain(verb);
  });

  it('gives no name twice', () => {
    const names = promptRows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const row of promptRows) {
      const words = (row.subcommands ?? []).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
      expect(new Set(words).size, row.name).toBe(words.length);
      for (const name of [row.name, ...(row.aliases ?? [])]) {
        expect(findCommandRow(name)).toBe(row);
        expect(parseInput(`/${name} x`, findCommandRow)).toMatchObject({ kind: 'command', command: row });
      }
    }
  });

  it.each(Object.keys(topicLoaders) as (keyof typeof topicLoaders)[])(
    'has an implementation of every command about the %s, and no other',
    async (topic) => {
      const actions = await topicLoaders[topic]();
      expect(Object.keys(actions).sort()).toEqual(commandTopics[topic].map(({ name }) => name).sort());
      for (const { name, completes = false } of commandTopics[topic])
        expect([name, actions[name]?.complete !== undefined]).toEqual([name, completes]);
    },
  );

  it('is what a session offers, but for the commands of the terminal UI', async () => {
    const { session } = await openScripted(await makeTestProject());
    const offered = promptRows.filter((row) => isOn(row, 'prompt')).map(({ name }) => name);
    expect(
      session
        .listCommands()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(offered.sort());
    for (const { name } of terminalRows) {
      expect(session.findCommand(name)).toBeUndefined();
      expect(session.commands.get(name)).toMatchObject({ name });
      expect((await session.executeCommand('help', name))?.message).toContain('terminal UI only');
    }
    await session.shutdown();
  });

  it('finds subcommands by every name, and suggests one for a mistyped word', () => {
    expect(takeSubcommand(mcpRow, ['rm', 'x'], 'shell')).toEqual({ name: 'remove', words: ['x'] });
    expect(takeSubcommand(pluginRow, [], 'shell')).toEqual({ name: 'list', words: [] });
    expect(takeSubcommand(configRow, ['--json'], 'shell')).toEqual({ name: 'list', words: ['--json'] });
    expect(() => takeSubcommand(mcpRow, ['serve'], 'prompt')).toThrow(/Unknown subcommand "serve"/);
    expect(() => takeSubcommand(configRow, ['warnings'], 'shell')).toThrow(/Unknown subcommand "warnings"/);
    expect(() => takeSubcommand(configRow, ['explian', 'x'], 'prompt')).toThrow(
      /Did you mean \/config explain\?/,
    );
  });

  it('makes the arguments in the help from the subcommands', () => {
    const hint = (name: string) => {
      const row = findCommandRow(name);
      return row && argumentHintOf(row);
    };
    expect(hint('mode')).toBe('[plan|default|acceptEdits|bypassPermissions]');
    expect(hint('context')).toBe('[fold N... | drop N... | restore N... | receipt [N]]');
    expect(hint('permissions')).toBe('[list | check COMMAND]');
    expect(hint('config')).toBe('[list|get|set|unset|explain|path|edit|schema|warnings …]');
    expect(hint('exit')).toBeUndefined();
  });
});
