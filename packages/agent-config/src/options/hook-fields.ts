import {
  type AnyShape,
  checked,
  flag,
  type HookDefinition,
  instance,
  type JsonObject,
  type JsonValue,
  lazy,
  list,
  numberWithin,
  object,
  parseRule,
  Report,
  type Rule,
  record,
  text,
  words,
} from '@robota-sdk/agent-core';

const anything = instance('a value', (value): value is unknown => value !== undefined);
const positive = numberWithin({ exclusiveMinimum: 0 });
const condition = checked(text, 'one rule', (written) => conditionOf(written) !== undefined);

/** Fields for readers only. */
const remarks = {
  name: anything,
  id: anything,
  description: anything,
  comment: anything,
  _comment: anything,
  $comment: anything,
  '//': anything,
};

const groupShape = lazy(() =>
  object({}, { ...remarks, matcher: text, hooks: anything, env: record(anything) }),
);

/** A hook of a built-in type, with the fields of that type. */
function hookShape(own: Readonly<Record<string, AnyShape>>): AnyShape {
  const common = { type: text, timeout: positive, if: condition, once: flag, statusMessage: text };
  return object({}, { ...remarks, ...common, ...own });
}

const shapeOfType: Readonly<Record<string, AnyShape>> = {
  command: lazy(() =>
    hookShape({
      command: text,
      args: list(text),
      shell: words('bash', 'sh', 'powershell'),
      async: flag,
      asyncRewake: flag,
      rewakeMessage: text,
      rewakeSummary: text,
    }),
  ),
  http: lazy(() => hookShape({ url: text, headers: record(anything), allowedEnvVars: list(text) })),
  prompt: lazy(() => hookShape({ prompt: text, model: text, inject: flag })),
  agent: lazy(() => hookShape({ prompt: text, agent: text, model: text, maxTurns: positive })),
};

/** A hook of a type that an SDK user adds. */
const otherHook = lazy(() => object({}, { if: condition }));

/**
 * The fields of a hook that are unknown or have an unusable value. Such a hook may mean something else than it does
 * here, so it approves nothing. Types that an SDK user adds have fields of their own.
 */
export function unclearFields(hook: HookDefinition): readonly string[] {
  const own = Object.hasOwn(shapeOfType, hook.type) ? shapeOfType[hook.type] : undefined;
  return own ? unclearIn(hook, own) : unclearIn(hook, otherHook, 'unfit');
}

/** The same for the fields of a group, which hold for all of its hooks. */
export function unclearGroupFields(group: JsonObject): readonly string[] {
  return unclearIn(group, groupShape);
}

/** The rule that the `if` of a hook holds, which is one rule as permissions have them; nothing where it is none. */
export function conditionOf(written: JsonValue | undefined): Rule | undefined {
  if (typeof written !== 'string') return undefined;
  const parsed = parseRule(written, { source: 'if' });
  return parsed.ok ? parsed.rule : undefined;
}

function unclearIn(value: object, shape: AnyShape, only?: 'unfit'): readonly string[] {
  const report = new Report();
  shape.parse(value, report);
  const unclear = report.problems.filter(({ kind }) => only === undefined || kind === only);
  return [...new Set(unclear.map(({ path }) => String(path[0])))];
}
