import { type Message, textOf, toolCallsOf } from '@robota-sdk/agent-core';
import { type Entry, spokenContent } from '@robota-sdk/agent-sessions';
import { toolStateOf } from '../state/tool-state.ts';
import { preview } from './task-state.ts';

const resultLines = 5;

/** The conversation of an agent as text: prompts, answers, calls and results. Only grows at its end. */
export function renderTranscript(entries: readonly Entry[]): string {
  return entries.map((entry) => (entry.type === 'message' ? renderMessage(entry.message) : '')).join('');
}

function renderMessage(message: Message): string {
  if (message.role === 'user')
    return message.origin === 'reminder'
      ? ''
      : `> ${textOf(spokenContent(message.content)).replaceAll('\n', '\n> ')}\n\n`;
  if (message.role === 'tool') return `${indented(textOf(message.content))}\n`;
  const said = textOf(message.content).trim();
  const calls = toolCallsOf(message).map((call) => {
    const { toolName, firstArg } = toolStateOf(call);
    return `⏺ ${toolName}(${preview(firstArg)})\n`;
  });
  return `${said === '' ? '' : `${said}\n\n`}${calls.join('')}`;
}

function indented(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, resultLines).map((line) => `  ⎿ ${preview(line, 160)}`);
  const rest = lines.length - resultLines;
  return [...shown, ...(rest > 0 ? [`    … ${rest} more lines`] : [])].join('\n');
}
