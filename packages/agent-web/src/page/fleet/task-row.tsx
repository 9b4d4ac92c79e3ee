import type { ComponentChildren } from 'preact';
import { askedText, type FleetStep, type FleetTask, fleetSteps } from '../../contract/fleet.ts';
import { clock, dollars, modelName, plural, projectOf, shortSpan } from '../base/format.ts';
import { Button } from '../components/button.tsx';
import { MoreMenu } from '../components/more-menu.tsx';
import { Meter, Tag } from '../components/status.tsx';

export interface TaskActions {
  readonly answer: (task: FleetTask) => void;
  readonly say: (task: FleetTask) => void;
  readonly stop: (task: FleetTask) => void;
  readonly retry: (task: FleetTask) => void;
}

/** True if a task waits for an answer of the user. */
export function needsUser({ state, question }: FleetTask): boolean {
  return state === 'parked' && question !== undefined;
}

export function isEnded({ state }: FleetTask): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped';
}

/** A worker holds it, so that its agent can be told something. */
export function isUnderWay({ state }: FleetTask): boolean {
  return state === 'preparing' || state === 'running' || state === 'checking';
}

/** As `robota fleet retry` takes them; a question is answered instead. */
export function canRetry(task: FleetTask): boolean {
  return ['failed', 'stopped', 'parked'].includes(task.state) && !needsUser(task);
}

/** A task that runs, waits or has ended, and below it what belongs to it. */
export function TaskRow({
  task,
  now,
  isChosen,
  actions,
  children,
}: {
  readonly task: FleetTask;
  readonly now: number;
  readonly isChosen: boolean;
  readonly actions: TaskActions;
  readonly children?: ComponentChildren;
}) {
  const { id, name, cost, maxCost, step } = task;
  const span = spanOf(task, now);
  return (
    <article
      class={`task-row ${task.state === 'parked' ? 'task-parked' : ''} ${isChosen ? 'task-chosen' : ''}`}
      id={`task-${id}`}
      tabindex={0}
      aria-label={`${name}, ${task.state}`}
      data-task={id}
    >
      <div class="task-name">
        <p>
          <code class="dim small">{id}</code>
          <b class="cut">
            <TaskName task={task} />
          </b>
          <StateTag task={task} />
        </p>
        <p class="small dim cut">{factsOf(task)}</p>
      </div>
      <div class="task-progress">
        {step && <StepTrack step={step} isDone={task.state === 'done'} />}
        <p class="task-activity cut" title={activityOf(task)}>
          {activityOf(task)}
        </p>
      </div>
      <div class="task-cost small">
        <span>
          <b>{dollars(cost)}</b> {maxCost !== undefined && <span class="dim">of {dollars(maxCost)}</span>}
        </span>
        {maxCost !== undefined && (
          <Meter
            share={cost / maxCost}
            tone={cost > maxCost ? 'bad' : 'accent'}
            label={`${Math.round((cost / maxCost) * 100)}% of its limit`}
          />
        )}
      </div>
      <span class="task-span small dim">{span}</span>
      <TaskButtons task={task} actions={actions} />
      {children}
    </article>
  );
}

/** The name leads to the transcript once there is one. */
function TaskName({ task: { name, sessionId } }: { readonly task: FleetTask }) {
  return sessionId === undefined ? (
    <span>{name}</span>
  ) : (
    <a href={`/s/${encodeURIComponent(sessionId)}`}>{name}</a>
  );
}

function StateTag({ task }: { readonly task: FleetTask }) {
  if (needsUser(task)) return <Tag tone="need">Question</Tag>;
  if (task.state === 'parked') return <Tag>Waiting</Tag>;
  if (task.state === 'failed') return <Tag tone="bad">Failed</Tag>;
  if (task.state === 'done') return <Tag tone="ok">Done</Tag>;
  return task.state === 'stopped' ? <Tag>Stopped</Tag> : null;
}

function TaskButtons({ task, actions }: { readonly task: FleetTask; readonly actions: TaskActions }) {
  const { id, name, state } = task;
  const isReviewable = state === 'done' && task.sessionId !== undefined;
  return (
    <span class="task-buttons">
      {needsUser(task) && (
        <Button kind="primary" keys="a" onClick={() => actions.answer(task)}>
          Answer
        </Button>
      )}
      {isReviewable && (
        <Button href={`/tasks/${encodeURIComponent(id)}/review`} label={`Review ${name}`}>
          Review
        </Button>
      )}
      {canRetry(task) && (
        <Button keys="R" label={`Retry ${name}`} onClick={() => actions.retry(task)}>
          Retry
        </Button>
      )}
      {!isEnded(task) && (
        <MoreMenu label={`More actions for ${name}`}>
          {task.sessionId !== undefined && (
            <Button kind="quiet" icon="terminal" href={`/s/${encodeURIComponent(task.sessionId)}`}>
              Transcript
            </Button>
          )}
          {isUnderWay(task) && (
            <Button kind="quiet" icon="comment" keys="m" onClick={() => actions.say(task)}>
              Message
            </Button>
          )}
          <Button kind="quiet" icon="stop" keys="x" onClick={() => actions.stop(task)}>
            Stop
          </Button>
        </MoreMenu>
      )}
    </span>
  );
}

/** The steps of a task, with the one it is at. */
function StepTrack({ step, isDone }: { readonly step: FleetStep; readonly isDone: boolean }) {
  const at = fleetSteps.indexOf(step);
  return (
    <ol class="step-track" aria-label={`Step ${at + 1} of ${fleetSteps.length}: ${step}`}>
      {fleetSteps.map((each, index) => (
        <li key={each} class={isDone || index < at ? 'step-done' : index === at ? 'step-now' : ''}>
          <span>{each}</span>
        </li>
      ))}
    </ol>
  );
}

function factsOf(task: FleetTask): string {
  const { repo, model, attempts, maxAttempts, turns, worker, branch, changes } = task;
  return [
    projectOf(repo),
    model === undefined ? '' : modelName(model),
    maxAttempts > 1 ? `attempt ${attempts} of ${maxAttempts}` : '',
    turns > 0 ? plural(turns, 'turn') : '',
    worker === undefined ? '' : `on ${hostOf(worker)}`,
    task.state === 'parked' ? 'slot freed' : '',
    branch ?? '',
    changes === undefined ? '' : `${plural(changes.files, 'file')} +${changes.added} −${changes.removed}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function hostOf(worker: string): string {
  return worker.replace(/-[^-]*$/, '');
}

/** The question, the reason or the action of a task. */
function activityOf(task: FleetTask): string {
  const { question, reason, activity } = task;
  if (question && needsUser(task)) return `Asks: ${askedText(question)}`;
  if (reason?.until !== undefined) return `${reason.message} Resumes at ${clock(Date.parse(reason.until))}.`;
  return reason?.message ?? activity ?? '';
}

function spanOf({ startedAt, endedAt, createdAt }: FleetTask, now: number): string {
  return shortSpan((endedAt === undefined ? now : Date.parse(endedAt)) - Date.parse(startedAt ?? createdAt));
}
