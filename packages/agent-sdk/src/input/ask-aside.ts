import { AgentError, given, type RunOutcome, runAgent } from '@robota-sdk/agent-core';
import { type Conversation, repairMessages } from '@robota-sdk/agent-sessions';
import { standaloneRun } from '../state/standalone-run.ts';

const instruction =
  'The user asks a side question. Answer it from this conversation alone, in a few sentences. Call no tools, and do not continue the work: it continues by itself.';

/**
 * Answers a question about the conversation without becoming part of it. A separate request, so an active run is not
 * disturbed. Tools are listed, because the history refers to them and the cached prefix includes them, but a call ends
 * the answer.
 */
export async function askAside(own: Conversation, question: string, signal: AbortSignal): Promise<string> {
  const unpaid = await own.spending.check(signal);
  if (unpaid) throw new AgentError(unpaid.code, unpaid.message);
  const text = `<aside>\n${instruction}\n\n${question}\n</aside>`;
  const run = {
    ...standaloneRun(own, signal),
    history: repairMessages(own.messages),
    prompt: { content: [{ type: 'text', text } as const] },
    thinking: own.thinking,
    maxTurns: 1,
  };
  const outcome = await runAgent(run, () => {});
  const { usage, cost, turns } = outcome;
  const used = { usage, cost, modelCalls: turns };
  own.spending.charge(used);
  await own.keepSpent(used, { purpose: 'asides', ...given('model', outcome.model) });
  const answer = outcome.text.trim();
  const problem = problemOf(outcome);
  if (answer !== '' && problem) return `${answer}\n\nThe answer is incomplete: ${problem.message}`;
  if (answer !== '') return answer;
  if (problem) throw problem;
  throw new AgentError(
    'tool',
    'The conversation does not answer this. Ask it as a prompt, so that tools can be used.',
  );
}

/** The reason for which an answer was cut off. A call of a tool only ends it. */
function problemOf({ status, error }: RunOutcome): AgentError | undefined {
  if (status === 'aborted') return new AgentError('aborted', 'Interrupted.');
  return error && error.code !== 'max-turns' ? new AgentError(error.code, error.message) : undefined;
}
