import { type Message, textOf } from '@robota-sdk/agent-core';

/** What the model is told of a call that it only repeats. */
export const copiedHint =
  'The call stands word for word in a text that was read, so it was taken for a quotation and not run. If it is meant, write it with another id; around a quotation write !quote_start and !quote_end.';

/**
 * Tells whether a call stands in what tools and people gave: a file or a page may hold one, and a model that repeats its
 * text must not carry it out.
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
