import { XAxis, YAxis } from './stacked-bars.tsx';
import type { BreakCause } from './usage-numbers.ts';

const ticks = [0, 0.25, 0.5, 0.75, 1];

/** The cached share by day as a line, with the marks of causes of breaks. Its axis starts at 0. */
export function ShareLine({
  days,
  shares,
  causes,
  label,
}: {
  readonly days: readonly string[];
  readonly shares: readonly (number | undefined)[];
  readonly causes: readonly BreakCause[];
  readonly label: string;
}) {
  const width = days.length * 10;
  const points = shares.flatMap((share, index) =>
    share === undefined ? [] : [{ x: index * 10 + 5, y: 100 - share * 100 }],
  );
  const line = points.map(({ x, y }) => `${x} ${y.toFixed(1)}`).join('L');
  const first = points[0];
  const last = points.at(-1);
  return (
    <div class="plot plot-share" role="img" aria-label={label}>
      <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        {ticks.map((value) => (
          <path key={value} class="plot-grid" d={`M0 ${100 - value * 100}H${width}`} />
        ))}
        {first && last && <path class="plot-area" d={`M${first.x} 100L${line}L${last.x} 100z`} />}
        {first && <path class="plot-line" d={`M${line}`} />}
      </svg>
      <YAxis ticks={ticks} end={1} text={(value) => `${value * 100}%`} />
      <XAxis days={days} />
      {causes.map(({ mark, worst, title }) => {
        const index = days.indexOf(worst);
        if (mark === undefined || index < 0) return null;
        const style = {
          left: `${((index + 0.5) / days.length) * 100}%`,
          top: `${100 - (shares[index] ?? 0) * 100}%`,
        };
        return (
          <span key={mark} class="break-mark plot-mark" style={style} title={title} aria-hidden="true">
            {mark}
          </span>
        );
      })}
    </div>
  );
}

/** The course of some numbers without axes. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const largest = Math.max(...values, 1);
  const points = values.map((value, index) => `${index * 10} ${(14 - (value / largest) * 13).toFixed(1)}`);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${Math.max(1, values.length - 1) * 10} 15`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="plot-line" d={`M${points.join('L')}`} />
    </svg>
  );
}
