import { emptyFrame, encodeFrame, planFrame, wrapText } from '@robota-sdk/agent-tui';
import { absolute } from '../report.mjs';

const size = { columns: 120, rows: 40 };
const words = 'the quick brown fox jumps over a lazy dog and keeps running through wide fields'.split(' ');
const tailRows = 8;
const edge = '─'.repeat(size.columns);
const lower = [
  ...Array.from(
    { length: 17 },
    (_, index) => `  \x1b[32m✓\x1b[39m Bash(npm test ${index}) \x1b[2m3.2s\x1b[22m`,
  ),
  '  Thinking… 6s · esc interrupts',
  edge,
  ' > ',
  edge,
  ' default · a model · ctx 45% (90K/200K) · $0.12',
];

/** Cost and output of a frame of a stream above 22 rows of tools, editor and status. */
export async function frames(/** @type {import('../bench.mjs').Bench} */ bench) {
  const rounds = bench.quick ? 3 : 10;
  const runs = Array.from({ length: rounds }, () => stream(500));
  return [
    absolute({
      name: 'frame of a 30-row live region',
      ours: Math.min(...runs.map(({ time }) => time)) * 1000,
      unit: 'µs',
      limit: 1000,
    }),
    absolute({
      name: 'bytes written per byte of streamed text',
      ours: Math.max(...runs.map(({ ratio }) => ratio)),
      unit: 'count',
      limit: 20,
    }),
  ];
}

function stream(/** @type {number} */ count) {
  let shown = emptyFrame(size);
  let text = '';
  let streamed = 0;
  let written = 0;
  const start = performance.now();
  for (let frame = 0; frame < count; frame++) {
    const added = `${words.slice(frame % 9, (frame % 9) + 6).join(' ')} `;
    text += added;
    streamed += added.length;
    const lines = wrapText(text, size.columns - 4);
    const commit = lines.splice(0, Math.max(0, lines.length - tailRows));
    if (commit.length > 0) text = lines.join(' ');
    const live = [...lines, ...lower];
    const plan = planFrame(shown, { commit, live, cursor: { row: live.length - 3, column: 3 } }, size);
    shown = plan.shown;
    written += Buffer.byteLength(encodeFrame(plan));
  }
  return { time: (performance.now() - start) / count, ratio: written / streamed };
}
