import type { UsageRow } from '@robota-sdk/agent-usage';
import { useState } from 'preact/hooks';
import { dollars, plural } from '../base/format.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { tokensOf, tokenText } from './usage-numbers.ts';

export interface RankedBarsProps {
  readonly title: string;
  readonly rows: readonly UsageRow[];
  /** The name of a row as users know it. */
  readonly nameOf: (name: string) => string;
  readonly unit: string;
  /** How many of the unit a row has; its calls unless given. */
  readonly countOf?: (row: UsageRow) => number;
  readonly note?: string;
}

const shownRows = 5;

/** Rows from the largest to the smallest, by cost or by tokens. */
export function RankedBars(props: RankedBarsProps) {
  const { title, rows, nameOf, unit, countOf = ({ calls }) => calls, note } = props;
  const hasCosts = rows.some(({ cost }) => cost > 0);
  const [wish, setWish] = useState<'cost' | 'tokens'>('cost');
  const [isWhole, setWhole] = useState(false);
  const measure = hasCosts ? wish : 'tokens';
  const sizeOf = (row: UsageRow) => (measure === 'cost' ? row.cost : tokensOf(row));
  const sorted = rows.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const largest = Math.max(...sorted.map(sizeOf), Number.EPSILON);
  const shown = isWhole ? sorted : sorted.slice(0, shownRows);
  return (
    <section class="card usage-ranks">
      <header>
        <h2 class="grow">{title}</h2>
        {hasCosts && (
          <Button
            kind="quiet"
            title="Show the other measure"
            onClick={() => setWish(measure === 'cost' ? 'tokens' : 'cost')}
          >
            {measure === 'cost' ? 'Cost' : 'Tokens'}
            <Icon name="down" />
            <span class="spoken">, switch the measure</span>
          </Button>
        )}
      </header>
      {rows.length === 0 && <p class="dim usage-pad">Nothing in this time.</p>}
      <ul>
        {shown.map((row) => (
          <li key={row.name} title={row.name}>
            <span class="cut">{nameOf(row.name)}</span>
            <span>
              {measure === 'tokens' ? tokenText(tokensOf(row)) : row.cost > 0 ? dollars(row.cost) : '–'}
            </span>
            <span class="meter">
              <i style={{ width: `${(sizeOf(row) / largest) * 100}%` }} />
            </span>
            <small class="dim">{plural(countOf(row), unit)}</small>
          </li>
        ))}
      </ul>
      {sorted.length > shownRows && (
        <Button kind="quiet" class="usage-more" expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${sorted.length}`}
        </Button>
      )}
      {note && <p class="small dim usage-pad">{note}</p>}
    </section>
  );
}
