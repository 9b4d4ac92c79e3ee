import { useRef } from 'preact/hooks';
import { axisFor, type DayColumn, dayName, labelledDays, type Series } from './usage-numbers.ts';

export interface StackedBarsProps {
  readonly columns: readonly DayColumn[];
  readonly series: readonly Series[];
  /** The sentence that says what the plot shows. */
  readonly label: string;
  readonly format: (value: number) => string;
  /** The text of a step of the axis. */
  readonly tick: (value: number) => string;
  /** A line across, with its text. */
  readonly limit?: { readonly value: number; readonly text: string };
  /** The day that the keyboard or the pointer is at. */
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

/** Bars by day, one part for each model. Shapes stretch with the plot; texts do not. */
export function StackedBars(props: StackedBarsProps) {
  const { columns, series, label, tick, limit, chosen, onChoose } = props;
  const box = useRef<HTMLDivElement>(null);
  const isOver = limit !== undefined && (columns.at(-1)?.total ?? 0) > limit.value;
  const line = `plot-limit ${isOver ? 'plot-limit-over' : ''}`;
  const largest = Math.max(0, ...columns.map(({ total }) => total), limit?.value ?? 0);
  const { end, ticks } = axisFor(largest);
  const width = columns.length * 10;
  const follow = (event: PointerEvent) => {
    const { left, width: wide } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const index = Math.floor(((event.clientX - left) / wide) * columns.length);
    onChoose(index >= 0 && index < columns.length ? index : undefined);
  };
  return (
    <div
      ref={box}
      class="plot"
      role="img"
      aria-label={label}
      onPointerMove={follow}
      onPointerLeave={() => onChoose(undefined)}
    >
      <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        {ticks.map((value) => (
          <path key={value} class="plot-grid" d={`M0 ${100 - (value / end) * 100}H${width}`} />
        ))}
        {series.map(({ colour }, index) => (
          <path key={colour} class={`series-${colour}`} d={barsOf(columns, index, end)} />
        ))}
        {limit && <path class={line} d={`M0 ${100 - (limit.value / end) * 100}H${width}`} />}
        {chosen !== undefined && <path class="plot-cursor" d={`M${chosen * 10 + 5} 0V100`} />}
      </svg>
      <YAxis ticks={ticks} end={end} text={tick} />
      <XAxis days={columns.map(({ day }) => day)} />
      {limit && (
        <span class="plot-limit-text" style={{ bottom: `${(limit.value / end) * 100}%` }}>
          {limit.text}
        </span>
      )}
      {chosen !== undefined && <PlotTooltip {...props} chosen={chosen} />}
    </div>
  );
}

/** The rectangles of one series, above those of the series before it. */
function barsOf(columns: readonly DayColumn[], series: number, end: number): string {
  return columns
    .map(({ values }, index) => {
      const value = values[series] ?? 0;
      if (value <= 0) return '';
      const below = values.slice(0, series).reduce((sum, each) => sum + each, 0);
      const height = (value / end) * 100;
      const x = index * 10 + 1.5;
      return `M${x} ${(100 - (below / end) * 100).toFixed(2)}v-${height.toFixed(2)}h7v${height.toFixed(2)}z`;
    })
    .join('');
}

/** Numbers of one day, beside its bar. */
function PlotTooltip({ columns, series, format, chosen }: StackedBarsProps & { readonly chosen: number }) {
  const column = columns[chosen];
  if (!column) return null;
  const place = ((chosen + 0.5) / columns.length) * 100;
  const side = place > 50 ? { right: `${100 - place + 2}%` } : { left: `${place + 2}%` };
  return (
    <div class="plot-tooltip" style={side} aria-hidden="true">
      <p>
        <b class="grow">{dayName(column.day, 'weekday')}</b>
        <b>{format(column.total)}</b>
      </p>
      {series.map(({ name, colour }, index) =>
        (column.values[index] ?? 0) > 0 ? (
          <p key={colour}>
            <i class={`swatch series-${colour}`} />
            <span class="grow cut">{name}</span>
            {format(column.values[index] ?? 0)}
          </p>
        ) : null,
      )}
    </div>
  );
}

export function YAxis({
  ticks,
  end,
  text,
}: {
  readonly ticks: readonly number[];
  readonly end: number;
  readonly text: (value: number) => string;
}) {
  return (
    <>
      {ticks.map((value) => (
        <span key={value} class="plot-y" style={{ bottom: `${(value / end) * 100}%` }} aria-hidden="true">
          {text(value)}
        </span>
      ))}
    </>
  );
}

export function XAxis({ days }: { readonly days: readonly string[] }) {
  const labelled = [...labelledDays(days)].sort((a, b) => a - b);
  return (
    <>
      {labelled.map((index, order) => (
        <span
          key={index}
          // A phone has room for every second label; the last one stays.
          class={`plot-x ${(labelled.length - 1 - order) % 2 === 1 ? 'plot-x-odd' : ''}`}
          style={{ left: `${((index + 0.5) / days.length) * 100}%` }}
          aria-hidden="true"
        >
          {dayName(days[index] ?? '')}
        </span>
      ))}
    </>
  );
}

/** Fills of the series where the user's colours leave only two. */
export function Hatches() {
  return (
    <svg class="spoken" aria-hidden="true">
      <pattern id="hatch-2" width="4" height="4" patternUnits="userSpaceOnUse">
        <path class="hatch" d="M-1 5 5 -1" />
      </pattern>
      <pattern id="hatch-3" width="4" height="3" patternUnits="userSpaceOnUse">
        <path class="hatch" d="M0 1.5H4" />
      </pattern>
    </svg>
  );
}

/** The names of the series, with their colours. */
export function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul class="plot-legend">
      {series.map(({ name, colour }) => (
        <li key={colour}>
          <i class={`swatch series-${colour}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** The numbers of a plot as a table. */
export function PlotTable({
  columns,
  series,
  format,
  label,
}: Pick<StackedBarsProps, 'columns' | 'series' | 'format' | 'label'>) {
  return (
    <section class="plot-table" tabindex={0} aria-label={label}>
      <table class="data-table">
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name, colour }) => (
              <th key={colour} scope="col" class="number">
                {name}
              </th>
            ))}
            <th scope="col" class="number">
              In all
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ day, values, total }) => (
            <tr key={day}>
              <th scope="row">
                <time datetime={day}>{dayName(day)}</time>
              </th>
              {series.map(({ colour }, index) => (
                <td key={colour} class="number">
                  {(values[index] ?? 0) > 0 ? format(values[index] ?? 0) : '–'}
                </td>
              ))}
              <td class="number">
                <b>{format(total)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
