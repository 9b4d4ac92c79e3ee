import type { ToolSpec } from '@robota-sdk/agent-core';

/** How models begin a call in their own format, which their server should have recognized. */
const openers = [
  '<tool_call>',
  '[TOOL_CALLS]',
  '<|python_tag|>',
  '<|tool_calls_section_begin|>',
  '<|tool_call|>',
  '<｜tool▁calls▁begin｜>',
];

/** The opener of a call that a text ends with; undefined where the text only speaks of one. */
export function writtenCallOpener(
  text: string,
  tools: readonly Pick<ToolSpec, 'name'>[],
): string | undefined {
  if (tools.length === 0) return undefined;
  for (const opener of openers) {
    const at = text.lastIndexOf(opener);
    const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
    if (at < 0 || line.trim() !== '') continue;
    const rest = text.slice(at + opener.length).trim();
    const namesTool = tools.some(({ name }) => rest.slice(0, 200).includes(name));
    const isCall = /^[{[<]/.test(rest) || tools.some(({ name }) => rest.startsWith(name));
    if (namesTool && isCall && /[}\]>]$/.test(rest)) return opener;
  }
  return undefined;
}
