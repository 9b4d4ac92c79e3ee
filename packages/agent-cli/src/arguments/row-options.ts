import { AgentError, type CommandOption, type ReadOptions } from '@robota-sdk/agent-sdk/front-end';
import { findShellRow } from './shell-rows.ts';

/** The options that a command or one of its subcommands takes, from the command table. */
export function optionsOf(command: string, subcommand?: string): readonly CommandOption[] {
  const options = findShellRow(command)?.options ?? [];
  return options.filter(({ of }) => of === undefined || subcommand === undefined || of.includes(subcommand));
}

/** Fails where there are words that mean nothing. */
export function refuseWords({ words }: ReadOptions, command: string): void {
  const [word] = words;
  if (word !== undefined) throw new AgentError('usage', `${command} takes no "${word}". See --help.`);
}
