import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { FleetReply, FleetTask } from '../../contract/fleet.ts';
import { messageOf, post } from '../base/api.ts';
import { now as deviceTime } from '../base/clock.ts';
import { focusSoon } from '../base/focus.ts';
import { type KeyBinding, useKeys } from '../base/keys.ts';
import { navigate } from '../base/router.ts';
import { followSession } from '../base/stream.ts';
import { useResource } from '../base/use-resource.ts';
import { AppShell } from '../components/app-shell.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { CopyButton, EmptyState, ErrorCard, Loading } from '../components/notices.tsx';
import { type Status, StatusDot } from '../components/status.tsx';
import { AddWork, type AddWorkProps } from './add-work.tsx';
import { FinishedToday, ScheduleList, SpendingMeter, WorkerList } from './fleet-side.tsx';
import { QueueTable } from './queue-table.tsx';
import { TaskMessage } from './task-message.tsx';
import { TaskQuestion } from './task-question.tsx';
import { canRetry, isEnded, isUnderWay, needsUser, type TaskActions, TaskRow } from './task-row.tsx';

const hints = 'j/k task · enter open · a answer · x stop · R retry · n add task';

type InstalledFleet = Extract<FleetReply, { readonly installed: true }>;

/** How often the fleet is read again while the page is seen, in milliseconds. */
const refreshMs = 4000;

type Send = (name: string, body: unknown) => Promise<boolean>;

/** Tasks, workers, schedules and spending of the fleet. */
export function FleetScreen() {
  const { value, error, reload } = useResource<FleetReply>('/api/fleet');
  const [changed, setChanged] = useState<{ readonly of: FleetReply | undefined; readonly to: FleetReply }>();
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [adding, setAdding] = useState<AddWorkProps['kind'] | undefined>(undefined);
  useEffect(() => followSession(undefined), []);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), refreshMs);
    return () => clearInterval(timer);
  }, [reload]);
  const fleet = changed?.of === value && changed !== undefined ? changed.to : value;
  const isInstalled = fleet?.installed === true;
  const add = useCallback((kind: AddWorkProps['kind']) => setAdding(kind), []);
  useKeys(useMemo(() => (isInstalled ? addKeys(add) : []), [isInstalled, add]));
  const send: Send = async (name, body) => {
    try {
      setProblem(undefined);
      const reply = await post<FleetReply>(`/api/fleet/${name}`, body);
      setChanged({ of: value, to: reply });
      return true;
    } catch (thrown) {
      setProblem(messageOf(thrown));
      reload();
      return false;
    }
  };
  return (
    <AppShell
      title="Fleet"
      hints={hints}
      bar={<FleetBar fleet={fleet} onDrain={() => void send('drain', {})} onAdd={() => add('task')} />}
    >
      {problem !== undefined && <ErrorCard title="That did not work." message={problem} />}
      {error !== undefined && <ErrorCard title="Cannot read the fleet." message={error} onRetry={reload} />}
      {fleet === undefined && error === undefined && <Loading rows={4} />}
      {fleet?.installed === false && <NotInstalled install={fleet.install} />}
      {fleet?.installed && <FleetContent fleet={fleet} send={send} onAdd={add} />}
      {fleet?.installed && adding && (
        <AddWork
          kind={adding}
          allowsChecks={fleet.allowsChecks}
          onDone={(reply) => {
            setChanged({ of: value, to: reply });
            setAdding(undefined);
          }}
          onClose={() => setAdding(undefined)}
        />
      )}
    </AppShell>
  );
}

function addKeys(add: (kind: AddWorkProps['kind']) => void): readonly KeyBinding[] {
  return [
    { keys: 'n', label: 'Add a task', act: () => add('task') },
    { keys: 's', label: 'Add a schedule', act: () => add('schedule') },
  ];
}

function FleetBar({
  fleet,
  onDrain,
  onAdd,
}: {
  readonly fleet: FleetReply | undefined;
  readonly onDrain: () => void;
  readonly onAdd: () => void;
}) {
  const installed = fleet?.installed ? fleet : undefined;
  const hasWorkers = installed?.workers.some(({ isSilent, isDraining }) => !isSilent && !isDraining) ?? false;
  return (
    <>
      <h1>Fleet</h1>
      <span class="dim wide cut">{installed && countsOf(installed)}</span>
      <span class="grow" />
      {hasWorkers && (
        <ConfirmButton
          icon="pause"
          text="Drain"
          question="Workers finish the tasks they hold, take no new ones, and end."
          onConfirm={onDrain}
        />
      )}
      {installed && (
        <Button kind="primary" icon="plus" keys="n" label="Add task" onClick={onAdd}>
          <span class="wide">Add task</span>
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
  onAdd,
}: {
  readonly fleet: InstalledFleet;
  readonly send: Send;
  readonly onAdd: (kind: AddWorkProps['kind']) => void;
}) {
  const [chosen, setChosen] = useState(taskInAddress);
  const [asked, setAsked] = useState(
    () => fleet.tasks.find((task) => task.id === chosen && needsUser(task))?.id,
  );
  const groups = groupsOf(fleet.tasks);
  const order = [...groups.parked, ...groups.running, ...groups.queued, ...groups.ended];
  const show = ({ id }: FleetTask) => {
    setChosen(id);
    setAsked(id);
  };
  const actions: TaskActions = {
    answer: show,
    say: show,
    stop: ({ id }) => void send('stop', { id }),
    retry: ({ id }) => void send('retry', { id }),
  };
  const pick = (step: number) => {
    // Arrows choose among the answers of an open question.
    if (document.activeElement?.closest('.task-question')) return false;
    const index = order.findIndex(({ id }) => id === (focusedTask() ?? chosen));
    const next = order[Math.min(order.length - 1, Math.max(0, index + step))];
    if (!next) return false;
    setChosen(next.id);
    return focusTask(next.id);
  };
  const current = order.find(({ id }) => id === (focusedTask() ?? chosen));
  useKeys(
    useMemo(
      () =>
        fleetKeys({
          pick,
          current: () => order.find(({ id }) => id === (focusedTask() ?? chosen)),
          asked,
          actions,
        }),
      [fleet, chosen, asked],
    ),
  );
  const close = (id: string) => {
    setAsked(undefined);
    focusSoon(rowOf(id));
  };
  const tell = async (task: FleetTask, name: string, body: object) => {
    if (await send(name, { id: task.id, ...body })) close(task.id);
  };
  // Ages are those of the server: the clock of a phone may differ.
  const time = fleet.now + Math.max(0, deviceTime.value - readAt(fleet));
  const list = (tasks: readonly FleetTask[]) =>
    tasks.map((task) => (
      <TaskRow key={task.id} task={task} now={time} isChosen={task.id === current?.id} actions={actions}>
        {task.id === asked && <TaskPanel task={task} tell={tell} onClose={() => close(task.id)} />}
      </TaskRow>
    ));
  return (
    <div class="fleet">
      <div class="fleet-main">
        {fleet.problems.map((text) => (
          <ErrorCard key={text} title="A request cannot be carried out." message={text} />
        ))}
        {order.length === 0 && (
          <EmptyState action={<Button onClick={() => onAdd('task')}>Add a task</Button>}>
            No tasks yet. Add one here, or with <code>robota fleet add</code>.
          </EmptyState>
        )}
        <Group title="Parked" status="need" note="Parked tasks use no slot" rows={list(groups.parked)} />
        <Group title="Running" status="running" rows={list(groups.running)} />
        {order.length > 0 && (
          <QueueTable fleet={fleet} tasks={groups.queued} chosen={current?.id} onStop={actions.stop} />
        )}
        <Group title="Ended" status="ok" rows={list(groups.ended.slice(0, 12))} />
      </div>
      <aside class="fleet-side" aria-label="Spending, workers and schedules">
        <SpendingMeter costs={fleet.costs} onLimit={(daily) => send('limits', { daily })} />
        <WorkerList workers={fleet.workers} now={time} />
        <ScheduleList
          webhooks={fleet.webhooks}
          schedules={fleet.schedules}
          now={time}
          onAdd={() => onAdd('schedule')}
          onRemove={(id) => void send('schedules/remove', { id })}
        />
        <FinishedToday tasks={fleet.tasks} now={time} onShow={focusTask} />
      </aside>
    </div>
  );
}

/** Details below a task: its question, or a field for a message. */
function TaskPanel({
  task,
  tell,
  onClose,
}: {
  readonly task: FleetTask;
  readonly tell: (task: FleetTask, name: string, body: object) => Promise<void>;
  readonly onClose: () => void;
}) {
  if (needsUser(task))
    return (
      <TaskQuestion
        task={task}
        onAnswer={(given) => void tell(task, 'answer', { hash: task.question?.hash, ...given })}
        onClose={onClose}
      />
    );
  if (!isUnderWay(task)) return null;
  return <TaskMessage task={task} onSend={(text) => void tell(task, 'say', { text })} onClose={onClose} />;
}

/** The selector of the row of a task. */
function rowOf(id: string): string {
  return `#${CSS.escape(`task-${id}`)}`;
}

/** The task of an address such as `/fleet#task-t-116`, which gets the focus. */
function taskInAddress(): string | undefined {
  const { hash } = location;
  if (!hash.startsWith('#task-')) return undefined;
  const id = decodeURIComponent(hash.slice('#task-'.length));
  focusSoon(rowOf(id));
  return id;
}

function focusTask(id: string): void {
  document.getElementById(`task-${id}`)?.focus();
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
  asked,
  actions,
}: {
  readonly pick: (step: number) => unknown;
  /** The task whose question is open. */
  readonly asked: string | undefined;
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
    {
      keys: 'enter',
      label: 'Open: answer, follow or review',
      // The key confirms the answer of an open question.
      act: withTask((task) => (task.id === asked ? false : open(task, actions))),
    },
    { keys: 'a', label: 'Answer', act: withTask((task) => (needsUser(task) ? actions.answer(task) : false)) },
    { keys: 'm', label: 'Message', act: withTask((task) => (isUnderWay(task) ? actions.say(task) : false)) },
    { keys: 'x', label: 'Stop', act: withTask((task) => (isEnded(task) ? false : actions.stop(task))) },
    {
      keys: 'R',
      label: 'Retry',
      act: withTask((task) => (canRetry(task) ? actions.retry(task) : false)),
    },
  ];
}

function open(task: FleetTask, actions: TaskActions): unknown {
  if (needsUser(task)) return actions.answer(task);
  if (task.sessionId === undefined) return false;
  const id = encodeURIComponent(task.id);
  return navigate(isEnded(task) ? `/tasks/${id}/review` : `/s/${encodeURIComponent(task.sessionId)}`);
}
