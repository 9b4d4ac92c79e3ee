import { AgentError, type ProblemHint } from '@robota-sdk/agent-core';

/** How the user calls a command: `robota mcp list` in a shell, `/mcp list` in a session. */
export type CommandPrefix = 'robota ' | '/';

/** Stands before the commands in answers and errors. */
const placeholder = '{robota}';

/** Runs a request, and fills the prefix of commands into its answer or error. */
export async function namingCommands<T extends { readonly text: string }>(
  prefix: CommandPrefix,
  run: () => Promise<T>,
): Promise<T> {
  const named = (text: string) => text.replaceAll(placeholder, prefix);
  try {
    const answer = await run();
    return { ...answer, text: named(answer.text) };
  } catch (thrown) {
    if (!AgentError.is(thrown)) throw thrown;
    const { problem, problems } = thrown;
    const hint: ProblemHint | undefined =
      typeof problem.hint === 'string' ? named(problem.hint) : problem.hint;
    throw new AgentError(thrown.code, named(problem.message), { ...problem, hint, problems, cause: thrown });
  }
}
