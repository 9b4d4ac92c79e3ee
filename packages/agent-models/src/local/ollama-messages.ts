import {
  type AssistantMessage,
  type JsonObject,
  type Message,
  type ModelRequest,
  type ToolMessage,
  textOf,
  toolCallsOf,
  type UserContent,
} from '@robota-sdk/agent-core';

const hiddenImage = '[an image, which this model cannot see]';

/** The conversation as Ollama's messages; the same messages always give the same bytes, so that its cache stays good. */
export function ollamaMessages({ model, system, messages }: ModelRequest): readonly JsonObject[] {
  const canSee = model.images;
  const sent: JsonObject[] = system === '' ? [] : [{ role: 'system', content: system }];
  for (const message of messages) sent.push(...sentMessage(message, canSee));
  return sent;
}

function sentMessage(message: Message, canSee: boolean): readonly JsonObject[] {
  if (message.role === 'user') return [{ role: 'user', ...contentOf(message.content, canSee) }];
  return message.role === 'tool' ? [resultOf(message, canSee)] : answerOf(message);
}

function answerOf(message: AssistantMessage): readonly JsonObject[] {
  const calls = toolCallsOf(message);
  const content = textOf(message.content);
  if (content === '' && calls.length === 0) return [];
  const thinking = message.content.map((block) => (block.type === 'thinking' ? block.text : '')).join('');
  return [
    {
      role: 'assistant',
      content,
      // Models that think between calls lose the thread without it; later turns do without.
      ...(thinking !== '' && calls.length > 0 ? { thinking } : {}),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } })),
          }),
    },
  ];
}

function resultOf(message: ToolMessage, canSee: boolean): JsonObject {
  const { content, ...images } = contentOf(message.content, canSee);
  return {
    role: 'tool',
    tool_name: message.toolName,
    tool_call_id: message.toolCallId,
    content: content === '' ? '(no output)' : content,
    ...images,
  };
}

function contentOf(
  content: readonly UserContent[],
  canSee: boolean,
): { readonly content: string; readonly images?: readonly string[] } {
  const texts = content.flatMap((block) => {
    if (block.type === 'text') return [block.text];
    return canSee ? [] : [hiddenImage];
  });
  const images = content.flatMap((block) => (block.type === 'image' && canSee ? [block.data] : []));
  return { content: texts.join('\n'), ...(images.length === 0 ? {} : { images }) };
}
