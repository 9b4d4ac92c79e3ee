import type { FleetTask } from '../../contract/fleet.ts';
import { dollars, modelName, projectOf } from '../base/format.ts';
import { Icon } from '../components/icon.tsx';
import { Tag } from '../components/status.tsx';

/** Tasks that wait for a worker, in the order in which they are taken. */
export function QueueTable({
  tasks,
  chosen,
  hidden,
}: {
  readonly tasks: readonly FleetTask[];
  readonly chosen: string | undefined;
  readonly hidden: number;
}) {
  return (
    <section class="card fleet-card">
      <header>
        <Icon name="clock" class="dim" />
        <h2>Queue</h2>
        <span class="dim">{tasks.length}</span>
        <span class="grow" />
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
            </tr>
          </thead>
          <tbody>
            {tasks.map((task, index) => (
              <QueueRow key={task.id} task={task} number={index + 1} isChosen={task.id === chosen} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function QueueRow({
  task,
  number,
  isChosen,
}: {
  readonly task: FleetTask;
  readonly number: number;
  readonly isChosen: boolean;
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
    </tr>
  );
}
