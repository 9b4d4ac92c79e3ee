import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type {
  FleetSchedule,
  FleetSpending,
  FleetTask,
  FleetWebhook,
  FleetWorker,
} from '../../contract/fleet.ts';
import { dollars, plural, shortSpan } from '../base/format.ts';
import { Button } from '../components/button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Icon } from '../components/icon.tsx';
import { StatusDot } from '../components/status.tsx';
import { describeCron } from './describe-cron.ts';

/** Spending of today, reservations for calls under way, and the rest of the limit. */
export function SpendingMeter({
  costs,
  onLimit,
}: {
  readonly costs: FleetSpending;
  /** Sets the limit of a day, or removes it. */
  readonly onLimit: (daily: number | null) => Promise<boolean>;
}) {
  const { today, reserved, dailyLimit, total, totalLimit } = costs;
  const free = dailyLimit === undefined ? undefined : Math.max(0, dailyLimit - today - reserved);
  const part = (amount: number) => ({ width: `${Math.min(100, (amount / (dailyLimit ?? 1)) * 100)}%` });
  return (
    <section class="card fleet-card">
      <header>
        <h2 class="grow">Spending today</h2>
        <a class="small accent-text" href="/usage">
          Usage
        </a>
      </header>
      <div class="spending">
        <p>
          <span class="figure-value">{dollars(today)}</span>{' '}
          {dailyLimit !== undefined && <span class="dim">of {dollars(dailyLimit)}</span>}
        </p>
        {free !== undefined && (
          <>
            <span
              class={`meter ${today > (dailyLimit ?? 0) ? 'meter-bad' : ''}`}
              role="img"
              aria-label={`${dollars(today)} spent, ${dollars(reserved)} reserved, ${dollars(free)} free`}
            >
              <i style={part(today)} />
              <i class="spending-reserved" style={part(reserved)} />
            </span>
            <ul class="plot-legend">
              {[
                { name: 'Spent', look: 'series-1', amount: today },
                { name: 'Reserved', look: 'spending-reserved', amount: reserved },
                { name: 'Free', look: 'spending-free', amount: free },
              ].map(({ name, look, amount }) => (
                <li key={name}>
                  <i class={`swatch ${look}`} />
                  {name} {dollars(amount)}
                </li>
              ))}
            </ul>
            <p class="small dim">The queue waits when nothing is free.</p>
          </>
        )}
        {totalLimit !== undefined && (
          <p class="small dim">
            In all {dollars(total)} of {dollars(totalLimit)}.
          </p>
        )}
        <LimitForm limit={dailyLimit} onLimit={onLimit} />
      </div>
    </section>
  );
}

/** The limit of a day, as `robota fleet cost --daily` sets it. */
function LimitForm({
  limit,
  onLimit,
}: {
  readonly limit: number | undefined;
  readonly onLimit: (daily: number | null) => Promise<boolean>;
}) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), [isOpen]);
  if (!isOpen)
    return (
      <Button kind="quiet" class="spending-change" onClick={() => setOpen(true)}>
        {limit === undefined ? 'Set a limit' : 'Change the limit'}
      </Button>
    );
  return (
    <form
      class="form-row"
      onSubmit={async (event) => {
        event.preventDefault();
        const given = String(new FormData(event.currentTarget).get('daily') ?? '');
        if (await onLimit(given === '' ? null : Number(given))) setOpen(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        setOpen(false);
      }}
    >
      <input
        class="field grow"
        name="daily"
        type="number"
        min="0.01"
        step="0.01"
        ref={field}
        aria-label="US dollars a day"
        placeholder="No limit"
        defaultValue={limit === undefined ? '' : String(limit)}
      />
      <Button type="submit">Save</Button>
    </form>
  );
}

/** Workers with their slots; a silent one says since when. */
export function WorkerList({
  workers,
  now,
}: {
  readonly workers: readonly FleetWorker[];
  readonly now: number;
}) {
  const live = workers.filter(({ isSilent }) => !isSilent).length;
  return (
    <section class="card fleet-card">
      <header>
        <h2 class="grow">Workers</h2>
        {workers.length > 0 && (
          <span class="small dim">
            {live} of {workers.length} live
          </span>
        )}
      </header>
      {workers.length === 0 && (
        <p class="dim fleet-pad">
          No worker is running. Start one with <code>robota fleet run</code>.
        </p>
      )}
      <ul class="fleet-list">
        {workers.map((worker) => (
          <WorkerRow key={worker.id} worker={worker} now={now} />
        ))}
      </ul>
    </section>
  );
}

function WorkerRow({ worker, now }: { readonly worker: FleetWorker; readonly now: number }) {
  const { host, jobs, running, labels, beatAt, isSilent, isDraining, isHere } = worker;
  const facts = [isHere ? 'this machine' : '', plural(jobs, 'slot'), ...labels, isDraining ? 'draining' : '']
    .filter(Boolean)
    .join(' · ');
  const span = shortSpan(now - Date.parse(beatAt));
  const beat = span === 'now' ? 'beat now' : `beat ${span} ago`;
  return (
    <li>
      <StatusDot status={isSilent ? 'bad' : 'ok'} label={isSilent ? 'Silent' : 'Live'} />
      <span class="grow">
        <b>{host}</b> <span class="dim small">{facts}</span>
        <br />
        <span class={`small ${isSilent ? 'bad-text' : 'dim'}`}>
          {isSilent ? `silent for ${span}; its tasks return to the queue` : beat}
        </span>
      </span>
      {!isSilent && (
        <span class="slots" role="img" aria-label={`${running} of ${plural(jobs, 'slot')} used`}>
          {Array.from({ length: Math.min(jobs, 32) }, (_, index) => (
            <i key={index} class={index < running ? 'slot-used' : ''} />
          ))}
        </span>
      )}
    </li>
  );
}

/** Tasks that are added again and again, with their next time and their last result. */
export function ScheduleList({
  schedules,
  webhooks,
  now,
  onAdd,
  onRemove,
}: {
  readonly schedules: readonly FleetSchedule[];
  readonly webhooks: readonly FleetWebhook[];
  readonly now: number;
  readonly onAdd: () => void;
  readonly onRemove: (id: string) => void;
}) {
  return (
    <section class="card fleet-card" aria-label="Schedules">
      <header>
        <h2 class="grow">Schedules</h2>
        <Button kind="quiet" icon="plus" keys="s" onClick={onAdd}>
          Add
        </Button>
      </header>
      {schedules.length === 0 && <p class="dim fleet-pad">None. A schedule adds its task again and again.</p>}
      <ul class="fleet-list">
        {schedules.map(({ id, name, cron, timeZone, nextDue, last }) => (
          <li key={id} class="schedule">
            <LastDot state={last?.state} />
            <span class="grow">
              <b>{name}</b>
              <br />
              <span class="small dim" title={`${cron} ${timeZone}`}>
                {describeCron(cron)}
                {last && ` · last: ${last.state}, ${dollars(last.cost)}`}
              </span>
            </span>
            {nextDue !== undefined && (
              <time class="small schedule-due" datetime={nextDue}>
                {Date.parse(nextDue) > now ? `in ${shortSpan(Date.parse(nextDue) - now)}` : 'due'}
              </time>
            )}
            <ConfirmButton
              icon="cross"
              label={`Remove ${name}`}
              text="Remove"
              question={`Remove “${name}”? Tasks that it added stay.`}
              onConfirm={() => onRemove(id)}
            />
          </li>
        ))}
        {webhooks.map(({ name, week, last }) => (
          <li key={name} class="schedule">
            <LastDot state={last} />
            <span class="grow">
              <b>{name}</b>
              <br />
              <span class="small dim">Signed webhook · {plural(week, 'task')} this week</span>
            </span>
            <span class="small schedule-due">on demand</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LastDot({ state }: { readonly state: FleetTask['state'] | undefined }) {
  const isFailed = state === 'failed';
  return <StatusDot status={isFailed ? 'bad' : 'ok'} label={isFailed ? 'Failed' : 'Fine'} />;
}

/** How the tasks of today ended. */
export function FinishedToday({
  tasks,
  now,
  onShow,
}: {
  readonly tasks: readonly FleetTask[];
  readonly now: number;
  readonly onShow: (id: string) => void;
}) {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const ended = tasks.filter(({ endedAt }) => endedAt !== undefined && Date.parse(endedAt) >= midnight);
  const rows = [
    { icon: 'check', tone: 'ok-text', state: 'done', text: 'delivered' },
    { icon: 'cross', tone: 'bad-text', state: 'failed', text: 'failed' },
    { icon: 'deny', tone: 'dim', state: 'stopped', text: 'stopped' },
  ] as const;
  if (ended.length === 0) return null;
  return (
    <section class="card fleet-card">
      <header>
        <h2 class="grow">Finished today</h2>
        <span class="small dim">{ended.length}</span>
      </header>
      <ul class="fleet-list">
        {rows.map(({ icon, tone, state, text }) => {
          const own = ended.filter((task) => task.state === state);
          const last = own.at(-1);
          if (!last) return null;
          return (
            <li key={text}>
              <Icon name={icon} class={tone} />
              <span class="grow">
                {own.length} {text}
              </span>
              <Button kind="quiet" onClick={() => onShow(last.id)}>
                Show<span class="spoken"> those {text}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
