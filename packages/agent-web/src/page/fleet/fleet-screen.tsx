import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FleetReply, FleetTask } from '../../contract/fleet.ts';
import { messageOf, post } from '../base/api.ts';
import { now as deviceTime } from '../base/clock.ts';
import { type KeyBinding, useKeys } from '../base/keys.ts';
import { navigate } from '../base/router.ts';
import { followSession } from '../base/stream.ts';
import { useResource } from '../base/use-resource.ts';
import { AppShell } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { CopyButton, EmptyState, ErrorCard, Loading } from '../components/notices.tsx';
import { type Status, StatusDot } from '../components/status.tsx';
import { AnswerDialog, type FleetAnswer } from './answer-dialog.tsx';
import { FinishedToday, ScheduleList, SpendingMeter, WorkerList } from './fleet-side.tsx';
import { QueueTable } from './queue-table.tsx';
import { isEnded, needsUser, type TaskActions, TaskRow } from './task-row.tsx';

const hints = [
  { keys: 'j/k', label: 'task' },
  { keys: 'enter', label: 'open' },
  { keys: 'a', label: 'answer' },
  { keys: 'x', label: 'stop' },
  { keys: 'R', label: 'retry' },
  { keys: '?', label: 'all keys' },
];

type InstalledFleet = Extract<FleetReply, { readonly installed: true }>;

/** How often the fleet is read again while the page is seen, in milliseconds. */
const refreshMs = 4000;

/** Tasks, workers, schedules and spending of the fleet. */
export function FleetScreen() {
  const { value, error, reload } = useResource<FleetReply>('/api/fleet');
  const [changed, setChanged] = useState<{ readonly of: FleetReply | undefined; readonly to: FleetReply }>();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => followSession(undefined), []);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  const fleet = changed?.of === value && changed !== undefined ? changed.to : value;
  const send = async (name: string, body: unknown) => {
    try {
      setProblem(undefined);
      const reply = await post<FleetReply>(`/api/fleet/${name}`, body);
      setChanged({ of: value, to: reply });
    } catch (thrown) {
      setProblem(messageOf(thrown));
      reload();
    }
  };
  return (
    <AppShell
      title="Fleet"
      hints={hints}
      bar={<FleetBar fleet={fleet} onDrain={() => void send('drain', {})} />}
    >
      {problem !== undefined && <ErrorCard title="That did not work." message={problem} />}
      {error !== undefined && <ErrorCard title="Cannot read the fleet." message={error} onRetry={reload} />}
      {fleet === undefined && error === undefined && <Loading rows={4} />}
      {fleet?.installed === false && <NotInstalled install={fleet.install} />}
      {fleet?.installed && <FleetContent fleet={fleet} send={send} />}
    </AppShell>
  );
}

function FleetBar({
  fleet,
  onDrain,
}: {
  readonly fleet: FleetReply | undefined;
  readonly onDrain: () => void;
}) {
  const installed = fleet?.installed ? fleet : undefined;
  const hasWorkers = installed?.workers.some(({ isSilent, isDraining }) => !isSilent && !isDraining) ?? false;
  return (
    <>
      <h1>Fleet</h1>
      <span class="dim wide">{installed && countsOf(installed)}</span>
      <span class="grow" />
      {hasWorkers && (
        <Button title="Workers finish the tasks they hold, take no new ones, and end" onClick={onDrain}>
          Drain
        </Button>
      )}
    </>
  );
}

function countsOf({ tasks, workers }: InstalledFleet): string {
  const groups = groupsOf(tasks);
  const live = workers.filter(({ isSilent }) => !isSilent).length;
  return [
    `${groups.running.length} running`,
    `${groups.parked.length} parked`,
    `${groups.queued.length} queued`,
    ...(workers.length === 0 ? [] : [`${live} of ${workers.length} workers`]),
  ].join(' · ');
}

function NotInstalled({ install }: { readonly install: string }) {
  return (
    <EmptyState
      action={
        <p class="fleet-install">
          <code>{install}</code>
          <CopyButton text={install} />
        </p>
      }
    >
      The fleet runs many tasks beside each other, on this machine or on several. It is a package of its own:
    </EmptyState>
  );
}

function groupsOf(tasks: readonly FleetTask[]) {
  const running = tasks.filter(({ state }) => ['preparing', 'running', 'checking'].includes(state));
  const parked = tasks.filter(({ state }) => state === 'parked');
  return {
    parked: [...parked.filter(needsUser), ...parked.filter((task) => !needsUser(task))],
    running,
    queued: tasks.filter(({ state }) => state === 'queued'),
    ended: tasks.filter(isEnded).toReversed(),
  };
}

function FleetContent({
  fleet,
  send,
}: {
  readonly fleet: InstalledFleet;
  readonly send: (name: string, body: unknown) => Promise<void>;
}) {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [asked, setAsked] = useState<FleetTask | undefined>(undefined);
  const groups = groupsOf(fleet.tasks);
  const order = [...groups.parked, ...groups.running, ...groups.queued, ...groups.ended];
  const actions: TaskActions = {
    answer: setAsked,
    stop: ({ id }) => void send('stop', { id }),
    retry: ({ id }) => void send('retry', { id }),
  };
  const pick = (step: number) => {
    const index = order.findIndex(({ id }) => id === chosen);
    const next = order[Math.min(order.length - 1, Math.max(0, index + step))];
    if (!next) return;
    setChosen(next.id);
    document.getElementById(`task-${next.id}`)?.focus();
  };
  const current = order.find(({ id }) => id === (focusedTask() ?? chosen));
  useKeys(
    useMemo(
      () =>
        fleetKeys({ pick, current: () => order.find(({ id }) => id === (focusedTask() ?? chosen)), actions }),
      [fleet, chosen],
    ),
  );
  const answer = (given: FleetAnswer) => {
    if (asked?.question) void send('answer', { id: asked.id, hash: asked.question.hash, ...given });
    setAsked(undefined);
  };
  // Ages are those of the server: the clock of a phone may differ.
  const time = fleet.now + Math.max(0, deviceTime.value - readAt(fleet));
  const list = (tasks: readonly FleetTask[]) =>
    tasks.map((task) => (
      <TaskRow key={task.id} task={task} now={time} isChosen={task.id === current?.id} actions={actions} />
    ));
  return (
    <div class="fleet">
      <div class="fleet-main">
        {fleet.problems.map((text) => (
          <ErrorCard key={text} title="A request cannot be carried out." message={text} />
        ))}
        {order.length === 0 && (
          <EmptyState>
            No tasks yet. Add one with <code>robota fleet add</code>.
          </EmptyState>
        )}
        <Group title="Parked" status="need" note="Parked tasks use no slot" rows={list(groups.parked)} />
        <Group title="Running" status="running" rows={list(groups.running)} />
        {order.length > 0 && <QueueTable tasks={groups.queued} chosen={current?.id} hidden={fleet.hidden} />}
        <Group title="Ended" status="ok" rows={list(groups.ended.slice(0, 12))} />
      </div>
      <aside class="fleet-side" aria-label="Spending, workers and schedules">
        <SpendingMeter costs={fleet.costs} />
        <WorkerList workers={fleet.workers} now={time} />
        <ScheduleList schedules={fleet.schedules} now={time} />
        <FinishedToday tasks={fleet.tasks} now={time} />
      </aside>
      {asked && <AnswerDialog task={asked} onAnswer={answer} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

const readTimes = new WeakMap<object, number>();

/** The time of the device at which a reply was first seen. */
function readAt(fleet: InstalledFleet): number {
  const known = readTimes.get(fleet) ?? Date.now();
  readTimes.set(fleet, known);
  return known;
}

function Group({
  title,
  status,
  note,
  rows,
}: {
  readonly title: string;
  readonly status: Status;
  readonly note?: string;
  readonly rows: readonly preact.JSX.Element[];
}) {
  if (rows.length === 0) return null;
  return (
    <section class="card fleet-card" aria-label={title}>
      <header>
        <StatusDot status={status} />
        <h2>{title}</h2>
        <span class="dim">{rows.length}</span>
        <span class="grow" />
        {note && <span class="small dim wide">{note}</span>}
      </header>
      {rows}
    </section>
  );
}

/** The task that has the focus, or holds it. */
function focusedTask(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-task]')?.dataset.task;
}

function fleetKeys({
  pick,
  current,
  actions,
}: {
  readonly pick: (step: number) => void;
  readonly current: () => FleetTask | undefined;
  readonly actions: TaskActions;
}): readonly KeyBinding[] {
  const withTask = (act: (task: FleetTask) => unknown) => () => {
    const task = current();
    return task === undefined ? false : act(task);
  };
  return [
    { keys: 'j', label: 'Next task', act: () => pick(1) },
    { keys: 'k', label: 'Task before', act: () => pick(-1) },
    { keys: 'down', act: () => pick(1) },
    { keys: 'up', act: () => pick(-1) },
    { keys: 'enter', label: 'Open: answer or review', act: withTask((task) => open(task, actions)) },
    { keys: 'a', label: 'Answer', act: withTask((task) => (needsUser(task) ? actions.answer(task) : false)) },
    { keys: 'x', label: 'Stop', act: withTask((task) => (isEnded(task) ? false : actions.stop(task))) },
    {
      keys: 'R',
      label: 'Retry',
      act: withTask((task) =>
        ['failed', 'stopped', 'parked'].includes(task.state) ? actions.retry(task) : false,
      ),
    },
  ];
}

function open(task: FleetTask, actions: TaskActions): unknown {
  if (needsUser(task)) return actions.answer(task);
  if (task.sessionId === undefined) return false;
  const id = encodeURIComponent(task.id);
  return navigate(isEnded(task) ? `/tasks/${id}/review` : `/s/${encodeURIComponent(task.sessionId)}`);
}
