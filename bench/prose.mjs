const answer = `the server keeps every session in a file of its own, and a line of it is written before the next
request goes out. that is why nothing is lost when the machine stops: what the model was told is on the disk.

- *reading* a session takes the lines one after the other and skips what it cannot read,
- *writing* appends, and waits for the disk where it has to,
- **forking** copies the lines up to a point, with \`parentId\` as it was.

\`\`\`ts
export async function append(handle: FileHandle, entry: Entry): Promise<void> {
  const line = JSON.stringify(entry);
  await handle.appendFile(line + '\\n');
}
\`\`\`

| part | what it does | where |
|---|---|---|
| store | finds and opens | \`store.ts\` |
| handle | appends and closes | \`handle.ts\` |

so a test that ends the process at any moment finds a file that opens, and at most one half line at its end.

`;
const tokens = answer.match(/\s*\S{1,6}/g) ?? [];

/** So many tokens of an answer with paragraphs, lists, code and a table, over and over. */
export function proseTokens(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) => {
    const token = String(tokens[index % tokens.length]);
    return index % tokens.length === 0 && index > 0 ? `\n\n${token}` : token;
  });
}
