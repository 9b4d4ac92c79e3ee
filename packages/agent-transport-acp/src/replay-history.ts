import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import {
  type Entry,
  type InteractiveSession,
  type Message,
  spokenContent,
} from '@robota-sdk/agent-sdk/front-end';
import type { SessionChannel } from './session-channel.ts';
import { planOf } from './session-updates.ts';
import { kindOf, rawOutputOf, resultContent, textBlock, toolCallTitle } from './tool-call-view.ts';

/** Replays the active branch to an editor, including summarized messages. */
export async function replayHistory(channel: SessionChannel, session: InteractiveSession): Promise<void> {
  let plan: SessionUpdate | undefined;
  for (const entry of session.branches.exported?.path() ?? []) {
    if (entry.type === 'shell') await channel.update(shellUpdate(entry));
    if (entry.type !== 'message') continue;
    const { message } = entry;
    for (const update of updatesOf(message, session.place.cwd)) await channel.update(update);
    if (message.role === 'tool' && message.display?.kind === 'todos') plan = planOf(message.display.items);
  }
  if (plan) await channel.update(plan);
}

/** A command of the user looks like a call that ran it. */
function shellUpdate({ id, command, output, status, exitCode, durationMs }: ShellEntry): SessionUpdate {
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id,
    title: `! ${command}`,
    kind: 'execute',
    status: status === 'success' ? 'completed' : 'failed',
    content: [textBlock(output)],
    rawOutput: { status, durationMs, exitCode },
  };
}

function updatesOf(message: Message, cwd: string): SessionUpdate[] {
  if (message.role === 'user') return userUpdates(message);
  if (message.role === 'assistant')
    return message.content.flatMap((block) => assistantUpdate(block, message.id));
  return [
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: message.toolCallId,
      status: message.isError ? 'failed' : 'completed',
      content: resultContent(message, cwd),
      rawOutput: rawOutputOf(message),
    },
  ];
}

/** Only typed messages are shown as the user's. */
const typed: ReadonlySet<string | undefined> = new Set([undefined, 'steering', 'follow-up', 'command']);

function userUpdates({ content, origin, id, shown }: Extract<Message, { role: 'user' }>): SessionUpdate[] {
  if (!typed.has(origin)) return [];
  const said = spokenContent(content);
  const typedBlocks =
    shown === undefined
      ? said
      : [{ type: 'text', text: shown } as const, ...said.filter(({ type }) => type !== 'text')];
  return typedBlocks.map((block) => {
    const part: ContentBlock =
      block.type === 'text'
        ? { type: 'text', text: block.text }
        : { type: 'image', mimeType: block.mimeType, data: block.data };
    return { sessionUpdate: 'user_message_chunk', content: part, messageId: id };
  });
}

type ShellEntry = Extract<Entry, { type: 'shell' }>;
type AssistantBlock = Extract<Message, { role: 'assistant' }>['content'][number];

function assistantUpdate(block: AssistantBlock, messageId: string): SessionUpdate[] {
  const chunk = (text: string) => ({ content: { type: 'text', text } as const, messageId });
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ sessionUpdate: 'agent_message_chunk', ...chunk(block.text) }];
    case 'thinking':
      return block.text === '' ? [] : [{ sessionUpdate: 'agent_thought_chunk', ...chunk(block.text) }];
    case 'tool-call':
      return [
        {
          sessionUpdate: 'tool_call',
          toolCallId: block.id,
          title: toolCallTitle(block),
          name: block.name,
          kind: kindOf(block),
          status: 'pending',
          rawInput: block.input,
        },
      ];
    case 'server-tool':
      return block.phase === 'result'
        ? []
        : [
            {
              sessionUpdate: 'tool_call',
              toolCallId: block.id,
              title: `${block.name} ${block.summary}`.trim(),
              kind: 'fetch',
              status: 'completed',
            },
          ];
  }
}
