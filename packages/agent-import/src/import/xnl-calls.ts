/** The result of a tool, in the protocol in which calls are text. */
export interface ToolResponse {
  readonly id: string;
  readonly text: string;
}

/** The results in a message; eidolon marks each with the id of its call. */
export function toolResponses(text: string): ToolResponse[] {
  const responses: ToolResponse[] = [];
  let open: { readonly id: string; readonly mark: string; readonly start: number } | undefined;
  for (const { 0: all, 1: id, 2: mark = '', 3: closing, index } of text.matchAll(marks)) {
    if (open === undefined && id !== undefined) open = { id, mark, start: index + all.length };
    else if (open !== undefined && closing === open.mark) {
      responses.push({ id: open.id, text: text.slice(open.start, index) });
      open = undefined;
    }
  }
  return responses;
}

/** The beginning of a result with its id and mark, or the mark that ends one. */
const marks = /<tool_resp\s+id="([^"]*)"\s*#([\w-]*)>|<\/?#([\w-]*)>/g;

/** An answer without the calls that are written in it; they are kept as calls. */
export function withoutCalls(text: string): string {
  return text.replace(/!unquote_start\b[\s\S]*?(?:!unquote_end\b|$)/g, '').trim();
}
