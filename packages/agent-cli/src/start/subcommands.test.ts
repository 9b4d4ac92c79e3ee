import { AgentError, subcommandsOn } from '@robota-sdk/agent-sdk/front-end';
import { describe, expect, it } from 'vitest';
import { commandHelp } from '../arguments/command-help.ts';
import { helpText } from '../arguments/help.ts';
import { optionsOf } from '../arguments/row-options.ts';
import { findShellRow, shellRows } from '../arguments/shell-rows.ts';
import { findSubcommand } from './subcommands.ts';

const find = (words: readonly string[]) => findSubcommand(words, async () => 0);

describe('the commands of robota', () => {
  it('are those of the help, each once', () => {
    const named = [...helpText().matchAll(/^ {2}robota ([a-z]+)/gm)].map(([, name]) => name);
    expect(named).toEqual(shellRows.map(({ name }) => name));
    expect(new Set(named).size).toBe(named.length);
  });

  it.each(shellRows.map((row) => [row.name, row] as const))(
    'robota %s exists, with its help',
    (name, row) => {
      expect(find([name])).toBeTypeOf('function');
      expect(find(['help', name])).toBeTypeOf('function');
      expect(row.description).toMatch(/^[A-Z].*[^.]$/);
      const help = commandHelp(row);
      expect(help).toMatch(new RegExp(`^robota ${name}: `));
      expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(125);
      for (const subcommand of subcommandsOn(row, 'shell')) {
        expect(find([name, subcommand.name])).toBeTypeOf('function');
        for (const alias of subcommand.aliases ?? []) expect(find([name, alias])).toBeTypeOf('function');
        expect(help).toContain(`robota ${name} ${subcommand.name}`);
      }
      for (const option of row.options ?? []) expect(help).toContain(`--${option.name}`);
    },
  );

  it('refuse a subcommand that only a session has, and suggest the one that was meant', () => {
    expect(() => find(['config', 'warnings'])).toThrow(/Unknown subcommand "warnings"/);
    expect(() => find(['mcp', 'lsit'])).toThrow(/Did you mean robota mcp list\? Put a prompt in quotes/);
    expect(() => find(['cost'])).toThrow(/Use robota -p \/cost\./);
    expect(() => find(['doctr'])).toThrow(AgentError);
  });

  it('read the options of their rows', () => {
    const namesOf = (...row: Parameters<typeof optionsOf>) => optionsOf(...row).map(({ name }) => name);
    expect(namesOf('sessions', 'show')).toEqual(['all', 'cwd', 'database', 'json', 'full', 'follow']);
    expect(namesOf('sessions', 'export')).not.toContain('json');
    expect(namesOf('logout')).toEqual([]);
    expect(findShellRow('tree')).toBeUndefined();
  });
});
