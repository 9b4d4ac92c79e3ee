/** A problem in a user's file, and its line. */
export interface FileProblem {
  readonly line: number;
  readonly message: string;
}

/** A JSON text, which may have comments and trailing commas, with the lines of its values. */
export interface JsonDocument {
  readonly value: unknown;
  /** The syntax error, if any. */
  readonly problem?: FileProblem;
  /** The line of the value that is reached by these keys, or of the nearest thing around it. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Reads a JSON text that a user wrote. */
export async function readJsonDocument(written: string): Promise<JsonDocument> {
  const text = written.replace(/^\ufeff/, '');
  // The parser is loaded only if the user has such a file.
  const { findNodeAtLocation, parse, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const lineOf = (path: readonly (string | number)[]): number => {
    const node = tree && findNodeAtLocation(tree, [...path]);
    if (node) return lineAt(node.parent?.type === 'property' ? node.parent.offset : node.offset);
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const [first] = errors;
  if (!first) return { value, lineOf };
  const message = `This is not JSON (${printParseErrorCode(first.error)}).`;
  return { value: undefined, problem: { line: lineAt(first.offset), message }, lineOf };
}
