import { isJsonObject, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { FleetCommand } from '../contract/client.ts';

type Shape = (command: JsonObject) => boolean;

/** The fields that each kind of command needs to be carried out. */
const shapes: Readonly<Record<FleetCommand['type'], Shape>> = {
  add: ({ id, spec, at }) => isId(id) && isSpec(spec) && isTime(at),
  stop: ({ id }) => isId(id),
  retry: ({ id }) => isId(id),
  answer: ({ id, hash, decision, text }) =>
    isId(id) &&
    typeof hash === 'string' &&
    (decision === 'allow' || decision === 'deny' || decision === 'text') &&
    (text === undefined || typeof text === 'string'),
  say: ({ id, text }) => isId(id) && typeof text === 'string',
  drain: () => true,
  schedule: ({ schedule }) => isSchedule(schedule),
  unschedule: ({ id }) => typeof id === 'string',
  budget: ({ total, daily }) => isLimit(total) && isLimit(daily),
};

/** True for a command that this version can carry out. Commands of later versions are none. */
export function isCommand(value: unknown): value is FleetCommand {
  if (!isJsonObject(value) || typeof value.type !== 'string' || !Object.hasOwn(shapes, value.type))
    return false;
  return shapes[value.type as FleetCommand['type']](value);
}

/** Ids become names of directories and of refs. */
function isId(id: JsonValue | undefined): boolean {
  return typeof id === 'string' && /^[A-Za-z0-9][\w-]{0,99}$/.test(id);
}

function isSpec(spec: JsonValue | undefined): boolean {
  if (!isJsonObject(spec)) return false;
  const areTexts = [spec.name, spec.prompt, spec.repo].every((each) => typeof each === 'string');
  const areLists = [spec.after, spec.labels].every(isTexts);
  const areNumbers = [spec.attempts, spec.priority].every((each) => Number.isSafeInteger(each));
  return areTexts && areLists && areNumbers && isJsonObject(spec.permissions) && isJsonObject(spec.origin);
}

function isSchedule(schedule: JsonValue | undefined): boolean {
  if (!isJsonObject(schedule) || !isSpec(schedule.spec)) return false;
  const areTexts = [schedule.id, schedule.cron, schedule.timeZone].every((each) => typeof each === 'string');
  return (
    areTexts && isTime(schedule.createdAt) && (schedule.missed === 'run-once' || schedule.missed === 'skip')
  );
}

function isTexts(list: JsonValue | undefined): boolean {
  return Array.isArray(list) && list.every((each) => typeof each === 'string');
}

function isTime(time: JsonValue | undefined): boolean {
  return typeof time === 'string' && !Number.isNaN(Date.parse(time));
}

function isLimit(limit: JsonValue | undefined): boolean {
  return limit === undefined || limit === null || (typeof limit === 'number' && limit >= 0);
}
