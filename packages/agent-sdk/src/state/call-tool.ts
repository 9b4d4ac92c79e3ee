import { randomUUID } from 'node:crypto';
import {
  AgentError,
  type AgentRun,
  didYouMean,
  executeTools,
  type JsonValue,
  type ToolMessage,
} from '@robota-sdk/agent-core';
import { subagentHost } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { standaloneRun } from './standalone-run.ts';

/** A call that the session's model did not make. */
export interface ToolRequest {
  readonly name: string;
  readonly input: JsonValue;
  readonly signal: AbortSignal;
  /** Receives the call's progress. */
  progress?(text: string): void;
  /** Tools to choose from. Default: those of the session. */
  readonly tools?: AgentRun['tools'];
  /** Decides instead of the session's rules and questions. */
  readonly authorize?: AgentRun['authorize'];
}

/**
 * Runs one tool of a session for a program, judged by the same hooks, rules and questions as a call of the model; the
 * conversation does not hear of it.
 */
export async function callTool(
  session: { getSession(): Conversation },
  { name, input, signal, progress = () => {}, ...given }: ToolRequest,
): Promise<ToolMessage> {
  const own = session.getSession();
  const { authorize } = own.state.get(subagentHost);
  const { tools = own.surroundings.tools ?? [] } = given;
  if (!tools.some((tool) => tool.name === name)) {
    const names = tools.map((tool) => tool.name);
    throw new AgentError('usage', `Unknown tool "${name}".`, { hint: didYouMean(name, names) });
  }
  const run: AgentRun = {
    ...standaloneRun(own, signal),
    tools,
    hooks: own.hooks,
    authorize: given.authorize ?? authorize,
  };
  const id = `call-${randomUUID().slice(0, 8)}`;
  const call = { type: 'tool-call', id, name, input } as const;
  const { results } = await executeTools(
    {
      run,
      parentId: id,
      emit: (event) => {
        if (event.type === 'tool-progress') progress(event.text);
      },
    },
    [call],
  );
  const [result] = results;
  if (result) return result;
  throw new AgentError('tool', `The call of ${name} came to nothing. Try again.`);
}
