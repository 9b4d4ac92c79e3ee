/** Runs `robota mcp serve`. */
export async function serveCommand(_words: readonly string[]): Promise<number> {
  return 0;
}
