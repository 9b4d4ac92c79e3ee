import { randomUUID } from 'node:crypto';

const code = Array.from(
  { length: 2000 },
  (_, line) => `const value${line} = compute(${line * 7}, '${line}');`,
).join('\n');

const answer = {
  role: /** @type {const} */ ('assistant'),
  model: { vendor: 'anthropic', id: 'claude-sonnet-4-6', api: /** @type {const} */ ('anthropic') },
  usage: { input: 900, output: 80, cacheRead: 20_000, cacheWrite: 400 },
  cost: 0.01,
};

/**
 * The messages of a conversation that reads files: prompt, call, result, answer, over and over. `size` is the mean size
 * of their lines, about.
 * @returns {import('@robota-sdk/agent-core').Message}
 */
export function sampleMessage(/** @type {number} */ index, /** @type {number} */ size) {
  const base = { id: randomUUID(), parentId: null, timestamp: 1_800_000_000_000 + index };
  const text = (/** @type {number} */ length) => [
    { type: /** @type {const} */ ('text'), text: `${index} ${code.slice(index % 100, Math.max(1, length))}` },
  ];
  const call = { type: /** @type {const} */ ('tool-call'), id: `t${index - (index % 4)}`, name: 'Read' };
  switch (index % 4) {
    case 0:
      return { ...base, role: 'user', content: text(size / 4) };
    case 1:
      return {
        ...base,
        ...answer,
        content: [{ ...call, input: { file_path: `src/file-${index}.ts` } }],
        stopReason: 'tool-calls',
      };
    case 2:
      return {
        ...base,
        role: 'tool',
        toolCallId: call.id,
        toolName: 'Read',
        content: text(size * 3.2),
        status: 'success',
        isError: false,
      };
    default:
      return { ...base, ...answer, content: text(size / 4), stopReason: 'end' };
  }
}
