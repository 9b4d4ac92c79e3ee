import {
  type AssistantContent,
  type Message,
  pluralize,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import { summaryOf } from '../entry/summary-message.ts';
import { cutMiddle } from '../window/cut-middle.ts';

const resultCharacters = 2_000;
const inputCharacters = 1_000;

/**
 * A conversation as plain text for a summarizing model, at most about `maxCharacters` long: the middle is cut, because
 * the beginning and the end matter most. Earlier summaries are omitted.
 */
export function serializeConversation(messages: readonly Message[], maxCharacters: number): string {
  const parts = messages.filter((message) => summaryOf(message) === undefined).map(serializeMessage);
  const whole = parts.filter((part) => part !== '').join('\n\n');
  return cutMiddle(whole, maxCharacters);
}

function serializeMessage(message: Message): string {
  switch (message.role) {
    case 'user':
      return `## User\n${userText(message.content)}`;
    case 'assistant': {
      const body = message.content.map(assistantText).filter((text) => text !== '');
      return body.length === 0 ? '' : `## Assistant\n${body.join('\n')}`;
    }
    case 'tool': {
      const heading = message.isError ? 'Failed result' : 'Result';
      return `## ${heading} of ${message.toolName}\n${cutMiddle(userText(message.content), resultCharacters)}`;
    }
  }
}

/** The text of a message, with a count of its images. */
export function userText(content: readonly UserContent[]): string {
  const images = content.filter((block) => block.type === 'image').length;
  const text = textOf(content);
  return images === 0 ? text : `${text}\n[${pluralize(images, 'image')}]`;
}

function assistantText(block: AssistantContent): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.text === '' ? '' : `(thinking) ${cutMiddle(block.text, resultCharacters)}`;
    case 'tool-call':
      return `-> ${block.name} ${cutMiddle(JSON.stringify(block.input), inputCharacters)}`;
    case 'server-tool':
      return `-> ${block.name}: ${block.summary}`;
  }
}
