import { randomUUID } from 'node:crypto';
import {
  type AgentRun,
  type Authorizer,
  executeTools,
  silentInterface,
  textOf,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { SubagentHost } from '../source/subagent-host.ts';

/** A shell command in a text, to be replaced by its output. */
export interface ShellSnippet {
  readonly command: string;
  /** The requester, for the question: `The skill review`. */
  readonly asker: string;
  readonly host: SubagentHost;
  readonly workspace: Workspace;
  readonly signal: AbortSignal;
  /** Variables for the command, in addition to the usual environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Judges the call. Default: the host's judge. */
  readonly authorize?: Authorizer['authorize'];
}

/**
 * Runs a command as a call of Bash, with all its checks: hooks, permissions, questions, checkpoints, sandbox and
 * limits. The returned text describes failures.
 */
export async function runSnippet(snippet: ShellSnippet): Promise<string> {
  const { host, command } = snippet;
  const tools = host.session.surroundings.tools ?? host.options.tools;
  const bash = tools.find(({ name }) => name === 'Bash');
  if (!bash) return refuseSnippet(snippet, 'Bash is not among the tools of this session.');
  const call = {
    type: 'tool-call',
    id: `snippet_${randomUUID()}`,
    name: 'Bash',
    input: { command },
  } as const;
  const run = { ...runOf(snippet), tools: [bash] };
  const { results, denials } = await executeTools({ run, emit: () => {}, parentId: '' }, [call]);
  const [denial] = denials;
  if (denial) return refuseSnippet(snippet, denial.reason);
  const [result] = results;
  const text = result ? textOf(result.content) : '';
  return !result?.isError && text === '(no output)' ? '' : text;
}

/** Reports that a command was not run, and returns its replacement text. */
export function refuseSnippet(
  { host, asker, command }: Pick<ShellSnippet, 'host' | 'asker' | 'command'>,
  reason: string,
): string {
  host.session.notify({ level: 'warning', text: `${asker}: \`${command}\` was not run: ${reason}` });
  return notRun(command, reason);
}

/** The replacement text of a command that was not run. */
export function notRun(command: string, reason: string): string {
  return `[The command \`${command}\` was not run: ${reason}]`;
}

function runOf({ host, workspace, signal, env, asker, authorize = host.authorize }: ShellSnippet): AgentRun {
  const { session, options } = host;
  const { limitOutput } = options;
  const { outputDir, state } = session;
  return {
    history: [],
    system: '',
    models: session.models,
    thinking: 'off',
    tools: [],
    toolEnvironment: {
      workspace,
      state,
      env: { ...options.env, ...env },
      outputDir,
      ui: options.terminal ?? silentInterface,
    },
    hooks: session.hooks,
    queue: session.queue,
    signal,
    authorize: (request, given) => authorize(request, given, { asker }),
    ...(options.beforeExecute === undefined ? {} : { beforeExecute: options.beforeExecute }),
    ...(limitOutput ? { limitOutput: (output, call) => limitOutput(output, call, outputDir) } : {}),
  };
}
