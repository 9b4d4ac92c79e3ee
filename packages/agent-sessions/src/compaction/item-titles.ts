import {
  type AssistantMessage,
  type Message,
  shortLine,
  type ToolCallContent,
  tellingArgument,
  textOf,
  toolCallsOf,
  type UserMessage,
} from '@robota-sdk/agent-core';
import { isBranchSummary } from '../entry/project-entry.ts';
import { withoutHeading } from '../entry/without-heading.ts';

const longestTitle = 80;

/** A short title for each message by id: the author and the first words, or the tool with its main argument. */
export function itemTitles(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = new Map<string, string>();
  const titles = new Map<string, string>();
  for (const message of messages) {
    for (const call of toolCallsOf(message)) calls.set(call.id, callTitle(call));
    titles.set(message.id, shortLine(titleOf(message, calls).slice(0, longestTitle * 4), longestTitle));
  }
  return titles;
}

function titleOf(message: Message, calls: ReadonlyMap<string, string>): string {
  switch (message.role) {
    case 'user':
      return userTitle(message);
    case 'tool':
      return `result: ${calls.get(message.toolCallId) ?? message.toolName}`;
    case 'assistant':
      return answerTitle(message);
  }
}

function userTitle(message: UserMessage): string {
  const { origin = 'prompt' } = message;
  if (isBranchSummary(message)) return 'summary of another branch';
  return origin === 'summary' ? 'summary' : `${origin}: ${withoutHeading(message)}`;
}

function answerTitle(message: AssistantMessage): string {
  const calls = toolCallsOf(message);
  const text = textOf(message.content).trim();
  if (calls.length > 0) return `call: ${calls.map(callTitle).join(', ')}`;
  return text === '' ? 'thinking' : `answer: ${text}`;
}

/** The tool and its telling argument. */
function callTitle(call: ToolCallContent): string {
  return `${call.name} ${tellingArgument(call)}`.trim();
}
