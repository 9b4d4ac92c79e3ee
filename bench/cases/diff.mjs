import { compareLists, diffTexts } from '@robota-sdk/agent-diff';
import { createRenderStyle, Diff } from '@robota-sdk/agent-tui';
import { absolute, compared } from '../report.mjs';

const width = 120;
const screen = 40;

/** Time to compare files, and to show a screen of a small and of a huge diff. */
export async function diff(/** @type {import('../bench.mjs').Bench} */ bench) {
  const rounds = bench.quick ? 5 : 30;
  const small = diffTexts({ path: 'a.ts', after: fileOf(50) });
  const huge = diffTexts({ path: 'a.ts', after: fileOf(10_000) });
  const before = fileOf(10_000);
  const edited = before.replaceAll('value50', 'other50');
  const lines = before.split('\n');
  const shuffled = lines.map((_, index) => lines[(index * 7919) % lines.length] ?? '');
  return [
    compared({
      name: 'diff, first screen of 10,000 lines beside 50 lines',
      ours: least(rounds, () => painted(huge, 0)),
      reference: least(rounds, () => painted(small, 0)),
      unit: 'count',
      limit: 1,
    }),
    absolute({
      name: 'diff, first screen of 10,000 lines',
      ours: least(rounds, () => timeOf(() => painted(huge, 0))),
      unit: 'ms',
      limit: 20,
    }),
    absolute({
      name: 'diff, last screen of 10,000 lines',
      ours: least(rounds, () => timeOf(() => painted(huge, 10_000 - screen))),
      unit: 'ms',
      limit: 20,
    }),
    absolute({
      name: 'diff, comparing files of 10,000 lines',
      ours: least(rounds, () => timeOf(() => diffTexts({ path: 'a.ts', before, after: edited }))),
      unit: 'ms',
      limit: 50,
    }),
    absolute({
      name: 'diff, comparing 10,000 lines with the same in another order',
      ours: least(Math.min(rounds, 5), () => timeOf(() => compareLists(lines, shuffled))),
      unit: 'ms',
      limit: 500,
    }),
  ];
}

function fileOf(/** @type {number} */ count) {
  return Array.from({ length: count }, (_, index) => `export const value${index} = total(${index});\n`).join(
    '',
  );
}

/** How many stretches of text were painted for a screen of a diff. */
function painted(/** @type {ReturnType<typeof diffTexts>} */ shown, /** @type {number} */ start) {
  let count = 0;
  const look = createRenderStyle({
    paint: (_, text) => {
      count++;
      return text;
    },
  });
  new Diff({ diff: shown, look }).rows(width, start, start + screen);
  return count;
}

function timeOf(/** @type {() => unknown} */ work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function least(/** @type {number} */ rounds, /** @type {() => number} */ measure) {
  return Math.min(...Array.from({ length: rounds }, measure));
}
