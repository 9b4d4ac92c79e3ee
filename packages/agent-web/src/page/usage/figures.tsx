import type { ComponentChildren } from 'preact';
import type { UsageReply } from '../../contract/usage.ts';
import { dollars, plural } from '../base/format.ts';
import { Meter } from '../components/status.tsx';
import { Sparkline } from './share-line.tsx';
import { type BreakCause, type DayColumn, dayName, sentOf, tokensOf, tokenText } from './usage-numbers.ts';

/** One number with its name and what belongs to it. */
function Figure({
  title,
  value,
  children,
}: {
  readonly title: string;
  readonly value: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card figure">
      <h2>{title}</h2>
      <p class="figure-value">{value}</p>
      {children}
    </section>
  );
}

/** Cost, tokens, cached share and breaks in one line. */
export function Figures({
  usage,
  tokens,
  causes,
}: {
  readonly usage: UsageReply;
  readonly tokens: readonly DayColumn[];
  readonly causes: readonly BreakCause[];
}) {
  const total = usage.report.rows.find(({ by }) => by === 'total');
  if (!total) return null;
  const lost = causes.reduce((sum, { cost }) => sum + cost, 0);
  const lostShare = total.cost > 0 ? lost / total.cost : 0;
  const lostText = `${Math.round(lostShare * 100)}% of all cost`;
  const again = causes.reduce((sum, cause) => sum + cause.tokens, 0);
  const breaks = causes.reduce((sum, { count }) => sum + count, 0);
  const share = total.cachedShare ?? 0;
  const all = tokensOf(total);
  return (
    <div class="figures">
      <CostFigure usage={usage} cost={total.cost} />
      <Figure title="Tokens" value={tokenText(all)}>
        <p class="figure-detail">
          {tokenText(sentOf(total))} in, {tokenText(total.output)} out
        </p>
        <Sparkline values={tokens.map((day) => day.total)} />
        <p class="dim small">{tokenText(all / Math.max(1, tokens.length))} on an average day</p>
      </Figure>
      <Figure title="Cached share" value={total.cachedShare === null ? '–' : `${Math.round(share * 100)}%`}>
        <p class="figure-detail">of input tokens read from cache</p>
        <Meter share={share} label={`${Math.round(share * 100)}% read from cache`} />
        <p class="dim small">
          {usage.saved === undefined
            ? `${tokenText(total.cacheRead)} tokens`
            : `Saved ${dollars(usage.saved)}`}
        </p>
      </Figure>
      <Figure title="Cache breaks" value={dollars(lost)}>
        <p class="figure-detail">
          {breaks === 0
            ? 'None in this period'
            : `${plural(breaks, 'break')} read ${tokenText(again)} tokens again`}
        </p>
        <Meter share={lostShare} tone="bad" label={lostText} />
        <p class="dim small">{lostText}</p>
      </Figure>
    </div>
  );
}

/** Spending of today beside its budget; without one, this month and its forecast. */
function CostFigure({ usage, cost }: { readonly usage: UsageReply; readonly cost: number }) {
  const { day, today, month, forecast } = usage.budgets;
  const name = dayName(usage.until, 'long').split(' ').at(-1);
  if (usage.report.rows.every((row) => row.cost === 0))
    return (
      <Figure title="Cost" value="–">
        <p class="figure-detail">No prices are known for these models</p>
      </Figure>
    );
  const isOver = day !== undefined && today > day;
  const [spent, limit] = day === undefined ? [month, forecast] : [today, day];
  const budget = `${dollars(today)} of ${dollars(limit)}${isOver ? ', over budget' : ''}`;
  return (
    <Figure title="Cost" value={dollars(cost)}>
      <p class={`figure-detail ${isOver ? 'bad-text' : ''}`}>
        {day === undefined ? `${name}: ${dollars(month)}` : `Today: ${budget}`}
      </p>
      <Meter
        share={limit > 0 ? spent / limit : 0}
        tone={isOver ? 'bad' : 'accent'}
        label={`${dollars(spent)} of ${day === undefined ? 'the forecast' : "today's budget"} of ${dollars(limit)}`}
      />
      <p class="dim small">
        {day === undefined ? 'Forecast' : `${name}: ${dollars(month)}, forecast`} {dollars(forecast)}
      </p>
    </Figure>
  );
}
