import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { UsageReply } from '../../contract/usage.ts';
import { download, messageOf } from '../base/api.ts';
import { dollars, modelName, projectOf, shortCount } from '../base/format.ts';
import { type KeyBinding, useKeys } from '../base/keys.ts';
import { followSession } from '../base/stream.ts';
import { useResource } from '../base/use-resource.ts';
import { AppShell } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { EmptyState, ErrorCard, Loading } from '../components/notices.tsx';
import { Segmented } from '../components/segmented.tsx';
import { Budgets } from './budgets.tsx';
import { CacheBreakTable } from './cache-break-table.tsx';
import { Figures } from './figures.tsx';
import { RankedBars } from './ranked-bars.tsx';
import { ShareLine } from './share-line.tsx';
import { Hatches, Legend, PlotTable, StackedBars } from './stacked-bars.tsx';
import {
  type BreakCause,
  causesOf,
  columnsOf,
  type DayColumn,
  dayAfter,
  dayName,
  daysBetween,
  type Series,
  seriesOf,
  sharesOf,
  today,
  tokenText,
} from './usage-numbers.ts';

const hints = '1/2/3 range · ←/→ day · p project · t table · e export CSV';

const ranges = [
  { value: '7', text: '7 d' },
  { value: '30', text: '30 d' },
  { value: '90', text: '90 d' },
] as const;
type Range = (typeof ranges)[number]['value'];

/** Cost and tokens by day, project, model, tool and agent, with the numbers of `robota usage`. */
export function UsageScreen() {
  const [range, setRange] = useState<Range>('30');
  const [project, setProject] = useState('');
  const [isTable, setTable] = useState(false);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => followSession(undefined), []);
  const until = today();
  const since = dayAfter(until, 1 - Number(range));
  const query = new URLSearchParams({ since, until, ...(project === '' ? {} : { project }) });
  const { value: usage, error, reload } = useResource<UsageReply>(`/api/usage?${query}`);
  const last = useRef<UsageReply | undefined>(undefined);
  if (usage) last.current = usage;
  const exportCsv = () => {
    setProblem(undefined);
    download(`/api/usage.csv?${query}`, `robota-usage-${since}-${until}.csv`).catch((thrown: unknown) =>
      setProblem(messageOf(thrown)),
    );
  };
  const days = Number(range);
  useKeys(
    useMemo(
      () =>
        usageKeys({ days, setRange, setTable, setChosen, exportCsv, focus: () => select.current?.focus() }),
      [range, project],
    ),
  );
  const shown = usage ?? last.current;
  return (
    <AppShell
      title="Usage"
      hints={hints}
      bar={
        <>
          <h1>Usage</h1>
          <span class="dim wide">
            {dayName(since, 'long')} – {dayName(until, 'long')}
          </span>
          <span class="grow" />
          <Segmented label="Range" options={ranges} value={range} onChange={setRange} />
          <select
            ref={select}
            class="field usage-project"
            aria-label="Project"
            value={project}
            onChange={(event) => setProject(event.currentTarget.value)}
          >
            <option value="">All projects</option>
            {shown?.projects.map((each) => (
              <option key={each} value={each}>
                {projectOf(each)}
              </option>
            ))}
          </select>
          <Button icon="download" keys="e" label="Export CSV" onClick={exportCsv}>
            <span class="wide">CSV</span>
          </Button>
        </>
      }
    >
      {problem !== undefined && <ErrorCard title="Cannot export." message={problem} onRetry={exportCsv} />}
      {error !== undefined && <ErrorCard title="Cannot read the usage." message={error} onRetry={reload} />}
      {shown === undefined && error === undefined && <Loading rows={4} />}
      {shown && (
        <UsageContent
          usage={shown}
          isTable={isTable}
          setTable={setTable}
          chosen={chosen}
          onChoose={setChosen}
        />
      )}
    </AppShell>
  );
}

interface KeyActions {
  readonly days: number;
  readonly setRange: (range: Range) => void;
  readonly setTable: (change: (before: boolean) => boolean) => void;
  readonly setChosen: (change: (before: number | undefined) => number | undefined) => void;
  readonly exportCsv: () => void;
  readonly focus: () => void;
}

function usageKeys({
  days,
  setRange,
  setTable,
  setChosen,
  exportCsv,
  focus,
}: KeyActions): readonly KeyBinding[] {
  const move = (step: number) =>
    setChosen((before) => Math.min(days - 1, Math.max(0, (before ?? (step > 0 ? -1 : days)) + step)));
  return [
    { keys: '1', label: '7 days', act: () => setRange('7') },
    { keys: '2', label: '30 days', act: () => setRange('30') },
    { keys: '3', label: '90 days', act: () => setRange('90') },
    { keys: 'left', label: 'Day before', act: () => move(-1) },
    { keys: 'right', label: 'Day after', act: () => move(1) },
    { keys: 'p', label: 'Project', act: focus },
    { keys: 't', label: 'Plots as tables', act: () => setTable((before) => !before) },
    { keys: 'e', label: 'Export CSV', act: exportCsv },
    { keys: 'esc', act: () => setChosen(() => undefined) },
  ];
}

interface ContentProps {
  readonly usage: UsageReply;
  readonly isTable: boolean;
  readonly setTable: (isTable: boolean) => void;
  readonly chosen: number | undefined;
  readonly onChoose: (index: number | undefined) => void;
}

function UsageContent({ usage, isTable, setTable, chosen, onChoose }: ContentProps) {
  const numbers = useMemo(() => {
    const series = seriesOf(usage);
    return {
      series,
      costs: columnsOf(usage, series, 'cost'),
      tokens: columnsOf(usage, series, 'tokens'),
      causes: causesOf(usage),
      shares: sharesOf(usage),
      days: daysBetween(usage.since, usage.until),
    };
  }, [usage]);
  if (usage.report.sessions === 0)
    return (
      <EmptyState>
        No usage in this time. Choose a longer range, or run <code>robota</code> in a project.
      </EmptyState>
    );
  const { series, costs, tokens, causes, shares, days } = numbers;
  const hasCosts = costs.some(({ total }) => total > 0);
  const plots = { series, isTable, setTable, chosen, onChoose };
  const limit = usage.budgets.day;
  return (
    <div class="usage">
      <Hatches />
      <Figures usage={usage} tokens={tokens} causes={causes} />
      <p class="spoken" role="status">
        {chosen !== undefined && spokenDay(hasCosts ? costs[chosen] : tokens[chosen], series, hasCosts)}
      </p>
      <div class={hasCosts ? 'usage-pair' : ''}>
        {hasCosts && (
          <Plot
            {...plots}
            title="Cost by day"
            hasLegend
            columns={costs}
            format={(value) => dollars(value)}
            tick={(value) => `$${value < 1000 ? Number(value.toFixed(2)) : shortCount(value)}`}
            {...(limit === undefined ? {} : { limit: { value: limit, text: `Budget ${dollars(limit)}` } })}
          />
        )}
        <Plot
          {...plots}
          title="Tokens by day"
          columns={tokens}
          format={tokenText}
          tick={axisTokens}
          hasLegend={!hasCosts}
        />
      </div>
      <section class="card usage-cache">
        <div>
          <header>
            <h2>Cached share</h2>
            <span class="dim small">{marksText(causes)}</span>
          </header>
          <ShareLine days={days} shares={shares} causes={causes} label={shareSentence(days, shares)} />
          <Saved usage={usage} lost={causes.reduce((sum, { cost }) => sum + cost, 0)} />
        </div>
        <CacheBreakTable causes={causes} />
      </section>
      <Rankings usage={usage} />
      <p class="small dim">
        The same numbers in the terminal: <code>robota usage --since {usage.since}</code>
        {usage.unpriced.length > 0 && '. Models without a price count as tokens only.'}
      </p>
    </div>
  );
}

interface PlotProps extends Omit<ContentProps, 'usage'> {
  readonly title: string;
  /** The plot beside it may have the same one. */
  readonly hasLegend: boolean;
  readonly series: readonly Series[];
  readonly columns: readonly DayColumn[];
  readonly format: (value: number) => string;
  readonly tick: (value: number) => string;
  readonly limit?: { readonly value: number; readonly text: string };
}

function Plot({ title, isTable, setTable, hasLegend, ...plot }: PlotProps) {
  const label = plotSentence(title, plot.columns, plot.format);
  return (
    <section class="card usage-plot">
      <header>
        <h2>{title}</h2>
        {hasLegend && <Legend series={plot.series} />}
        <Button kind="quiet" onClick={() => setTable(!isTable)}>
          {isTable ? 'Plot' : 'Table'}
          <span class="spoken"> of {title.toLowerCase()}</span>
        </Button>
      </header>
      {isTable ? <PlotTable {...plot} label={label} /> : <StackedBars {...plot} label={label} />}
    </section>
  );
}

/** The amount paid beside the price without a cache. */
function Saved({ usage, lost }: { readonly usage: UsageReply; readonly lost: number }) {
  const paid = usage.report.rows.find(({ by }) => by === 'total')?.cost ?? 0;
  if (usage.saved === undefined || !(paid > 0)) return null;
  const whole = paid + usage.saved;
  return (
    <ul class="usage-saved">
      <li>
        <span>
          Paid <span class="dim">{lost > 0 && `of which cache breaks ${dollars(lost)}`}</span>
        </span>
        <b>{dollars(paid)}</b>
        <span class="meter">
          <i style={{ width: `${((paid - lost) / whole) * 100}%` }} />
          <i class="meter-lost" style={{ width: `${(lost / whole) * 100}%` }} />
        </span>
      </li>
      <li>
        <span>The same without a cache</span>
        <span>{dollars(whole)}</span>
        <span class="meter">
          <i class="series-4" style={{ width: '100%' }} />
        </span>
      </li>
    </ul>
  );
}

function Rankings({ usage }: { readonly usage: UsageReply }) {
  const rows = (by: string) => usage.report.rows.filter((row) => row.by === by);
  const tools = rows('tool');
  const outside = tools.filter(({ name }) => name.startsWith('('));
  const rest = outside.reduce((sum, { cost }) => sum + cost, 0);
  return (
    <div class="usage-ranked">
      <RankedBars
        title="By project"
        rows={rows('project')}
        nameOf={projectOf}
        unit="session"
        countOf={({ name }) => usage.projectSessions[name] ?? 0}
      />
      <RankedBars title="By model" rows={rows('model')} nameOf={modelName} unit="call" />
      <RankedBars
        title="By tool"
        rows={tools.filter((row) => !outside.includes(row))}
        nameOf={(name) => name}
        unit="call"
        {...(rest > 0
          ? { note: `Cost of the answers that called each tool. ${dollars(rest)} belongs to no tool.` }
          : {})}
      />
      <RankedBars title="By agent" rows={rows('agent')} nameOf={agentName} unit="call" />
      <Budgets budgets={usage.budgets} />
    </div>
  );
}

/** `A and B are explained in the table`. */
function marksText(causes: readonly BreakCause[]): string {
  const marks = causes.flatMap(({ mark }) => mark ?? []);
  if (marks.length === 0) return '';
  return `${new Intl.ListFormat('en').format(marks)} ${marks.length === 1 ? 'is' : 'are'} explained in the table`;
}

function agentName(name: string): string {
  if (name === 'main') return 'main conversation';
  return name === 'fleet' ? 'fleet tasks' : name;
}

function axisTokens(value: number): string {
  return value >= 1e6 ? `${Number((value / 1e6).toFixed(1))}M` : tokenText(value);
}

function plotSentence(
  title: string,
  columns: readonly DayColumn[],
  format: (value: number) => string,
): string {
  const highest = columns.reduce<DayColumn | undefined>(
    (most, day) => (most === undefined || day.total > most.total ? day : most),
    undefined,
  );
  if (!highest || highest.total === 0) return `${title}: nothing in this period.`;
  return `${title}, stacked by model. Highest: ${format(highest.total)} on ${dayName(highest.day, 'long')}.`;
}

function shareSentence(days: readonly string[], shares: readonly (number | undefined)[]): string {
  const known = shares.flatMap((share, index) =>
    share === undefined ? [] : [{ share, day: days[index] ?? '' }],
  );
  if (known.length === 0) return 'Cached share by day: nothing was sent.';
  const sorted = known.toSorted((a, b) => a.share - b.share);
  const text = (share = 0) => `${Math.round(share * 100)}%`;
  const [low] = sorted;
  return `Cached share by day, between ${text(low?.share)} and ${text(sorted.at(-1)?.share)}. Lowest on ${dayName(low?.day ?? '', 'long')}.`;
}

function spokenDay(column: DayColumn | undefined, series: readonly Series[], hasCosts: boolean): string {
  if (!column) return '';
  const format = hasCosts ? dollars : tokenText;
  const parts = series.flatMap(({ name }, index) => {
    const value = column.values[index] ?? 0;
    return value > 0 ? `${name} ${format(value)}` : [];
  });
  return `${dayName(column.day, 'long')}: ${format(column.total)}. ${parts.join(', ')}`;
}
