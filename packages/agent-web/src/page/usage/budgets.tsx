import type { UsageReply } from '../../contract/usage.ts';
import { dollars } from '../base/format.ts';
import { Meter } from '../components/status.tsx';

/** The budgets of the settings, and how much of each is spent. */
export function Budgets({ budgets }: { readonly budgets: UsageReply['budgets'] }) {
  const { day, session, turn, today, dearest } = budgets;
  const isEmpty = day === undefined && session === undefined && turn === undefined;
  return (
    <section class="card usage-budgets">
      <header>
        <h2 class="grow">Budgets</h2>
        {!isEmpty && <span class="small dim">of your settings</span>}
      </header>
      {isEmpty && (
        <p class="dim usage-pad">
          None. <code>robota config set budget.day 10</code> stops at $10 a day, and asks.
        </p>
      )}
      <ul>
        {day !== undefined && <Spent name="Today" spent={today} limit={day} />}
        {session !== undefined && <Spent name="Most expensive session" spent={dearest} limit={session} />}
        {turn !== undefined && (
          <li>
            <span>One prompt</span>
            <span>at most {dollars(turn)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

function Spent({
  name,
  spent,
  limit,
}: {
  readonly name: string;
  readonly spent: number;
  readonly limit: number;
}) {
  const isOver = spent > limit;
  const text = `${dollars(spent)} of ${dollars(limit)}${isOver ? ', over budget' : ''}`;
  return (
    <li>
      <span>{name}</span>
      <span class={isOver ? 'bad-text' : ''}>{text}</span>
      <Meter share={spent / limit} tone={isOver ? 'bad' : 'accent'} label={`${name}: ${text}`} />
    </li>
  );
}
