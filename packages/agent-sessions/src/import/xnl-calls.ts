/** What a tool answered, in the protocol in which calls are written as text. */
export interface ToolResponse {
  readonly id: string;
  readonly text: string;
}

/** The results in a message; eidolon marks each with the id of its call. */
export function toolResponses(text: string): ToolResponse[] {
  const found = text.matchAll(/<tool_resp\s+id="([^"]*)"\s*#([\w-]*)>([\s\S]*?)<\/?#\2>/g);
  return Array.from(found, ([, id = '', , answer = '']) => ({ id, text: answer }));
}

/** An answer without the calls that are written in it; they are kept as calls. */
export function withoutCalls(text: string): string {
  return text.replace(/!unquote_start\b[\s\S]*?(?:!unquote_end\b|$)/g, '').trim();
}
