/** Files that name the version of Robota outside the packages' package.json, and the text around it. */
const places = [
  ['package.json', '"version": "', '"'],
  ['packages/agent-cli/src/arguments/version.ts', "export const version = '", "'"],
  ['packages/agent-resources/src/mcp/open-servers.ts', "name: 'robota', version: '", "'"],
  ['action/action.yml', "Exact version of Robota.\n    required: false\n    default: '", "'"],
  ['action/README.md', 'robota-sdk/robota/action@v', ' '],
  ['examples/github-action/nightly.yml', 'robota-sdk/robota/action@v', '\n'],
  ['docs/terminal.md', '```text\nRobota ', '\n'],
];

/**
 * These files with another version in them.
 * @param {(file: string) => string} read
 * @param {string} version
 * @returns {[file: string, text: string][]}
 */
export function withVersionEverywhere(read, version) {
  return places.map(([file = '', before = '', after = '']) => {
    const text = read(file);
    const start = text.indexOf(before) + before.length;
    const end = text.indexOf(after, start);
    if (start < before.length || end < 0)
      throw new Error(`${file} no longer names the version after: ${before}`);
    return [file, text.slice(0, start) + version + text.slice(end)];
  });
}
