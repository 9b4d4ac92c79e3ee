import { type Message, textOf } from '@robota-sdk/agent-core';

/** The hint for a model that only repeats a call. */
export const copiedHint =
  'The call stands word for word in a text that was read, so it was taken for a quotation and not run. If it is meant, write it with another id; around a quotation write !quote_start and !quote_end.';

/**
 * Detects calls that appear in tool results or user messages: a file or page may contain one, and repeating
 * it must not execute it.
 */
export function copiedCalls(messages: readonly Message[]): (element: string) => boolean {
  let given: string | undefined;
  return (element) => {
    given ??= messages.flatMap(callsGiven).join('\n');
    return given !== '' && given.includes(squeezed(element));
  };
}

function callsGiven(message: Message): string[] {
  if (message.role === 'assistant') return [];
  const text = textOf(message.content);
  return text.includes('<tool_call') ? [squeezed(text)] : [];
}

/** Without the numbers that stand before lines of files, and without white space. */
function squeezed(text: string): string {
  return text.replaceAll(/^ *\d+\t/gm, '').replaceAll(/\s+/g, '');
}
