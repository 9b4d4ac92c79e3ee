import {
  defaultRetryPolicy,
  given,
  type Message,
  type ModelChoice,
  runAgent,
  textOf,
} from '@robota-sdk/agent-core';
import { agentModels, subagentHost } from '@robota-sdk/agent-resources';
import { type Conversation, spokenContent } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { standaloneRun } from '../state/standalone-run.ts';

/** Characters of each message that are sent. */
const sentLength = 1500;
/** Enough for a model that thinks a little first. */
const maxOutput = 400;

export interface SmallRequest {
  readonly system: string;
  /** Messages of the conversation that it is about. */
  readonly said: readonly Message[];
  readonly signal: AbortSignal;
}

/**
 * Asks the small model about the conversation, and charges the session. Undefined if there is no small model or the
 * budget is spent.
 */
export async function askSmallModel(
  session: InteractiveSession,
  { system, said, signal }: SmallRequest,
): Promise<string | undefined> {
  const own = session.getSession();
  const choice = smallModel(own, session.settings?.compaction.model);
  if (!choice || (await own.spending.check(signal))) return undefined;
  const text = said.map(elementOf).join('\n');
  const run = {
    ...standaloneRun(own, signal),
    system,
    // The text must not leak through a vendor's web search.
    models: [{ ...choice, webSearch: false }] as const,
    webSearch: false,
    tools: [],
    prompt: { content: [{ type: 'text', text } as const] },
    maxTurns: 1,
    maxOutput,
    retry: { ...defaultRetryPolicy, maxRetries: 0 },
  };
  const { usage, cost, turns, model: used, text: written, status } = await runAgent(run, () => {});
  if (signal.aborted) return undefined;
  const spent = { usage, cost, modelCalls: turns };
  if (turns > 0) own.spending.charge(spent);
  if (turns > 0) await own.keepSpent(spent, { purpose: 'titles', ...given('model', used) });
  return status === 'completed' ? written : undefined;
}

function elementOf({ role, content }: Message): string {
  const text = role === 'user' ? textOf(spokenContent(content)) : textOf(content);
  return `<${role}>\n${text.slice(0, sentLength)}\n</${role}>`;
}

/** The model for summaries, otherwise the newest haiku if the session uses Anthropic. */
function smallModel(own: Conversation, configured: string | undefined): ModelChoice | undefined {
  const host = own.state.get(subagentHost);
  try {
    if (configured !== undefined) return host.connect(configured).choice;
    const { models } = agentModels(host, 'haiku');
    return /haiku/.test(models[0].model.id) ? models[0] : undefined;
  } catch {
    return undefined;
  }
}
