import { AgentError } from '@robota-sdk/agent-core';

/** How the user calls a command: `robota mcp list` in a shell, `/mcp list` in a session. */
export type CommandPrefix = 'robota ' | '/';

/** A command in a message, unless it already has its prefix. */
const bareCommand =
  /(?<![\w/.-]|robota )(mcp|plugin) (?=(?:list|get|add|add-json|remove|enable|disable|test|login|logout|install|uninstall|update|search|marketplace|validate|new|approve|toolchain)\b)/g;

/** Runs a request, and writes the commands in its answer or error as the user calls them. */
export async function namingCommands<T extends { readonly text: string }>(
  prefix: CommandPrefix,
  run: () => Promise<T>,
): Promise<T> {
  const named = (text: string) => text.replaceAll(bareCommand, `${prefix}$1 `);
  try {
    const answer = await run();
    return { ...answer, text: named(answer.text) };
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    const { message, ...details } = thrown.problem;
    throw new AgentError(thrown.code, named(message), { ...details, problems: thrown.problems });
  }
}
