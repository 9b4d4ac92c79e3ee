import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk';
import { type InteractiveSession, type Message, spokenContent } from '@robota-sdk/agent-sdk';
import type { SessionChannel } from './session-channel.ts';
import { planOf } from './session-updates.ts';
import { contentOf, kindOf, rawOutputOf, titleOf } from './tool-call-view.ts';

/** Tells an editor all that was said and done on the active branch, what was summed up since included. */
export async function replayHistory(channel: SessionChannel, session: InteractiveSession): Promise<void> {
  let plan: SessionUpdate | undefined;
  for (const message of historyOf(session)) {
    for (const update of updatesOf(message, session.place.cwd)) await channel.update(update);
    if (message.role === 'tool' && message.display?.kind === 'todos') plan = planOf(message.display.items);
  }
  if (plan) await channel.update(plan);
}

/** The messages as they were said; a session that is not kept has only what the model sees. */
function historyOf(session: InteractiveSession): readonly Message[] {
  const kept = session.getSession().branches.exported;
  if (!kept) return session.getMessages();
  const entries = new Map([...kept.entries()].map((entry) => [entry.id, entry]));
  const messages: Message[] = [];
  for (let entry = entries.get(kept.leafId ?? ''); entry; entry = entries.get(entry.parentId ?? ''))
    if (entry.type === 'message') messages.push(entry.message);
  return messages.reverse();
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
      content: contentOf(message, cwd),
      rawOutput: rawOutputOf(message),
    },
  ];
}

/** What nobody typed is not shown as if somebody had. */
const typed: ReadonlySet<string | undefined> = new Set([undefined, 'steering', 'follow-up', 'command']);

function userUpdates({ content, origin, id }: Extract<Message, { role: 'user' }>): SessionUpdate[] {
  if (!typed.has(origin)) return [];
  return spokenContent(content).map((block) => {
    const shown: ContentBlock =
      block.type === 'text'
        ? { type: 'text', text: block.text }
        : { type: 'image', mimeType: block.mimeType, data: block.data };
    return { sessionUpdate: 'user_message_chunk', content: shown, messageId: id };
  });
}

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
          title: titleOf(block),
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
