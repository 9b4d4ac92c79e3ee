import type { FleetReply, FleetTask } from '../../contract/fleet.ts';
import { dollars, modelName, projectOf, shortSpan } from '../base/format.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Tag } from '../components/status.tsx';

type InstalledFleet = Extract<FleetReply, { readonly installed: true }>;

/** Tasks that wait for a worker, in the order in which they are taken. */
export function QueueTable({
  fleet,
  tasks,
  chosen,
  onStop,
}: {
  readonly fleet: InstalledFleet;
  readonly tasks: readonly FleetTask[];
  readonly chosen: string | undefined;
  readonly onStop: (task: FleetTask) => void;
}) {
  const { hidden } = fleet;
  const work = hidden > 0 ? undefined : workLeft(fleet, tasks.length);
  return (
    <section class="card fleet-card" aria-label="Queue">
      <header>
        <Icon name="clock" class="dim" />
        <h2>Queue</h2>
        <span class="dim">{tasks.length}</span>
        <span class="grow" />
        {work !== undefined && (
          <span class="small dim wide">About {shortSpan(work)} of work at the current pace</span>
        )}
        {hidden > 0 && (
          <span class="small dim wide">
            {hidden} more tasks: <code>robota fleet list</code>
          </span>
        )}
      </header>
      {tasks.length === 0 ? (
        <p class="dim fleet-pad">The queue is empty.</p>
      ) : (
        <table class="data-table">
          <thead>
            <tr>
              <th scope="col" class="queue-number">
                #
              </th>
              <th scope="col">Task</th>
              <th scope="col" class="queue-wide">
                Project
              </th>
              <th scope="col" class="queue-wide">
                Model
              </th>
              <th scope="col">Waits for</th>
              <th scope="col" class="number">
                Limit
              </th>
              <th scope="col">
                <span class="spoken">Stop</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task, index) => (
              <QueueRow
                key={task.id}
                task={task}
                number={index + 1}
                isChosen={task.id === chosen}
                onStop={onStop}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Tasks that tell how long one takes. */
const enoughTasks = 3;

/** Milliseconds that the queue takes if its tasks take as long as those before, on the slots that are there. */
function workLeft({ tasks, workers }: InstalledFleet, queued: number): number | undefined {
  const spans = tasks.flatMap(({ state, startedAt, endedAt }) =>
    state === 'done' && startedAt && endedAt ? [Date.parse(endedAt) - Date.parse(startedAt)] : [],
  );
  const slots = workers.reduce((sum, { jobs, isSilent }) => sum + (isSilent ? 0 : jobs), 0);
  if (spans.length < enoughTasks || slots === 0 || queued === 0) return undefined;
  const usual = spans.reduce((sum, span) => sum + span, 0) / spans.length;
  return usual * Math.ceil(queued / slots);
}

function QueueRow({
  task,
  number,
  isChosen,
  onStop,
}: {
  readonly task: FleetTask;
  readonly number: number;
  readonly isChosen: boolean;
  readonly onStop: (task: FleetTask) => void;
}) {
  const { id, name, repo, model, after, labels, maxCost } = task;
  const facts = [projectOf(repo), model === undefined ? '' : modelName(model)];
  return (
    <tr id={`task-${id}`} tabindex={0} class={isChosen ? 'task-chosen' : ''} data-task={id}>
      <td class="dim queue-number">{number}</td>
      <td>
        <code class="dim small">{id}</code> <b>{name}</b>
        <p class="small dim queue-narrow">{facts.filter(Boolean).join(' · ')}</p>
      </td>
      <td class="queue-wide">{facts[0]}</td>
      <td class="queue-wide">{facts[1]}</td>
      <td>
        {after.map((each) => (
          <Tag key={each}>after {each}</Tag>
        ))}
        {labels.map((label) => (
          <Tag key={label}>label {label}</Tag>
        ))}
      </td>
      <td class="number">{maxCost === undefined ? '' : dollars(maxCost)}</td>
      <td class="queue-stop">
        <Button
          kind="icon"
          icon="stop"
          label={`Stop ${name}`}
          title="Stop (x)"
          onClick={() => onStop(task)}
        />
      </td>
    </tr>
  );
}
