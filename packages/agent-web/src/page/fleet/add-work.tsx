import { useState } from 'preact/hooks';
import type { FleetReply } from '../../contract/fleet.ts';
import { messageOf, post } from '../base/api.ts';
import { WorkFields } from '../board/new-session.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { cronOf, describeCron, type Rhythm } from './describe-cron.ts';

export interface AddWorkProps {
  readonly kind: 'task' | 'schedule';
  /** Tasks may bring a command as their check. */
  readonly allowsChecks: boolean;
  readonly onDone: (fleet: FleetReply) => void;
  readonly onClose: () => void;
}

/** The form for a new task, or for one that is added again and again. */
export function AddWork({ kind, allowsChecks, onDone, onClose }: AddWorkProps) {
  const isSchedule = kind === 'schedule';
  const add = async (form: FormData) => {
    try {
      onDone(await post<FleetReply>(`/api/fleet/${isSchedule ? 'schedules/add' : 'add'}`, workIn(form)));
      return undefined;
    } catch (thrown) {
      return messageOf(thrown);
    }
  };
  return (
    <FormDialog
      title={isSchedule ? 'Add a schedule' : 'Add a task'}
      action="Add"
      onSubmit={add}
      onClose={onClose}
    >
      <WorkFields />
      {isSchedule && <WhenFields />}
      <MoreFields allowsChecks={allowsChecks} isSchedule={isSchedule} />
    </FormDialog>
  );
}

const rhythms: readonly (readonly [Rhythm, string])[] = [
  ['day', 'Every day'],
  ['weekdays', 'Monday to Friday'],
  ['1', 'Mondays'],
  ['2', 'Tuesdays'],
  ['3', 'Wednesdays'],
  ['4', 'Thursdays'],
  ['5', 'Fridays'],
  ['6', 'Saturdays'],
  ['0', 'Sundays'],
  ['hour', 'Every hour'],
  ['cron', 'Five fields, as cron'],
];

function WhenFields() {
  const [rhythm, setRhythm] = useState<Rhythm>('day');
  const [cron, setCron] = useState('0 2 * * *');
  const isCron = rhythm === 'cron';
  return (
    <>
      <div class="form-row">
        <label>
          When
          <select
            class="field"
            name="rhythm"
            value={rhythm}
            onChange={(event) => setRhythm(event.currentTarget.value as Rhythm)}
          >
            {rhythms.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        {isCron ? (
          <label>
            Minute, hour, day, month, weekday
            <input
              class="field"
              name="cron"
              required
              value={cron}
              onInput={(event) => setCron(event.currentTarget.value)}
            />
          </label>
        ) : (
          <label>
            At
            <input class="field" name="at" type="time" required defaultValue="02:00" />
          </label>
        )}
      </div>
      {isCron && describeCron(cron) !== cron && <p class="small dim">{describeCron(cron)}</p>}
      <div class="form-row">
        <label>
          Time zone
          <input
            class="field"
            name="timeZone"
            required
            defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone}
          />
        </label>
        <label>
          If no worker ran then
          <select class="field" name="missed">
            <option value="run-once">Run once, later</option>
            <option value="skip">Leave it out</option>
          </select>
        </label>
      </div>
    </>
  );
}

function MoreFields({
  allowsChecks,
  isSchedule,
}: {
  readonly allowsChecks: boolean;
  readonly isSchedule: boolean;
}) {
  return (
    <details class="form-more">
      <summary>More</summary>
      <label>
        Name
        <input class="field" name="name" maxLength={100} placeholder="The first line of the task" />
      </label>
      <div class="form-row">
        <label>
          Limit in US dollars
          <input class="field" name="maxCost" type="number" min="0.01" step="0.01" placeholder="None" />
        </label>
        <label>
          Attempts
          <input class="field" name="attempts" type="number" min="1" max="20" placeholder="1" />
        </label>
      </div>
      <div class="form-row">
        <label>
          Delivered as
          <select class="field" name="deliver">
            <option value="">Branch</option>
            <option value="draft-pr">Draft pull request</option>
            <option value="pr">Pull request</option>
            <option value="patch">Patch</option>
            <option value="none">Not at all</option>
          </select>
        </label>
        <label>
          Labels of its worker
          <input class="field" name="labels" placeholder="Any worker" />
        </label>
      </div>
      {!isSchedule && (
        <label>
          After these tasks
          <input class="field" name="after" placeholder="Ids or names, with commas between them" />
        </label>
      )}
      {allowsChecks && (
        <label>
          Check that has to pass
          <input class="field" name="check" placeholder="npm test" />
        </label>
      )}
    </details>
  );
}

/** The fields that were filled in, as the server takes them. */
function workIn(form: FormData): Readonly<Record<string, unknown>> {
  const { cwd, rhythm, at, cron, ...texts } = Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  ) as Record<string, string>;
  const numbers = ['maxCost', 'attempts'].flatMap((name) =>
    texts[name] === undefined ? [] : [[name, Number(texts[name])]],
  );
  const lists = ['labels', 'after'].flatMap((name) =>
    texts[name] === undefined
      ? []
      : [
          [
            name,
            texts[name]
              .split(',')
              .map((each) => each.trim())
              .filter(Boolean),
          ],
        ],
  );
  return {
    repo: cwd,
    ...texts,
    ...Object.fromEntries([...numbers, ...lists]),
    ...(rhythm === undefined ? {} : { cron: cronOf(rhythm as Rhythm, { at, cron }) }),
  };
}
