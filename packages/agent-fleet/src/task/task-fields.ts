import {
  type AnyShape,
  checked,
  count,
  either,
  flag,
  integer,
  list,
  mapped,
  numberWithin,
  object,
  parseDuration,
  permissionModes,
  type Shape,
  text,
  words,
} from '@robota-sdk/agent-core';

const mostAttempts = 20;
const longestName = 100;

const line = checked(
  text,
  'a text of one line',
  (value) => value.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(value),
);
/** A text that a database can keep. */
const storable = checked(
  text,
  'a text without NUL and half characters',
  (value) => !/[\0\p{Cs}]/u.test(value),
);
/** Names that git takes as such; a leading dash would be an option to it. */
const revision = checked(line, 'a branch, a tag or a commit', (value) => /^[^-\s:]\S*$/.test(value));
const label = checked(text, 'a label of letters, digits, ".", "_" and "-"', (value) =>
  /^[A-Za-z0-9_][\w.-]{0,63}$/.test(value),
);
const name = checked(
  line,
  `a text of one line and at most ${longestName} characters`,
  (value) => value.trim() === value && value.length <= longestName,
);
const command = checked(storable, 'a command line', (value) => value.trim() !== '');
const duration = checked(text, 'a duration such as 30m or 1h', (value) => parseDuration(value) !== undefined);
const rules = many(storable);

/** The fields of a task file under the names that files, lines of JSON and options share. */
export const taskFields = {
  name,
  repo: checked(line, 'a directory or a git URL', (value) => !value.startsWith('-') && !value.includes('::')),
  base: revision,
  setup: command,
  check: command,
  baseline: words('require', 'skip'),
  model: line,
  'max-cost': numberWithin({ exclusiveMinimum: 0 }),
  'max-time': mapped(duration, (value) => parseDuration(value) ?? 0),
  'max-turns': count,
  attempts: checked(count, `an integer from 1 to ${mostAttempts}`, (value) => value <= mostAttempts),
  keep: words('first', 'all'),
  after: many(name),
  permissions: object({}, { mode: words(...permissionModes), allow: rules, ask: rules, deny: rules }),
  ask: words('park', 'deny'),
  deliver: words('branch', 'draft-pr', 'pr', 'patch', 'none'),
  sandbox: mapped(either(flag, words('on', 'off')), (value) => value === true || value === 'on'),
  labels: many(label),
  priority: checked(integer, 'an integer from 0 to 1000000', (value) => value >= 0 && value <= 1_000_000),
} as const satisfies Readonly<Record<string, AnyShape>>;

/** The fields of a task and its prompt, as they were written. */
export const taskShape = object({ prompt: text }, taskFields);

/** A list of texts, or one text alone. */
function many(item: Shape<string>): Shape<readonly string[]> {
  return mapped(either(list(item), item), (value) => (typeof value === 'string' ? [value] : value));
}
