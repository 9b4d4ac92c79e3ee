import {
  type HookDefinition,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseRule,
  type Rule,
} from '@robota-sdk/agent-core';

/** True if a value can be used for a field. */
type FieldCheck = (value: JsonValue) => boolean;

const text: FieldCheck = (value) => typeof value === 'string';
const flag: FieldCheck = (value) => typeof value === 'boolean';
const count: FieldCheck = (value) => typeof value === 'number' && value > 0;
const texts: FieldCheck = (value) => Array.isArray(value) && value.every((each) => typeof each === 'string');
const table: FieldCheck = (value) => isJsonObject(value);
const anything: FieldCheck = () => true;

type Fields = Readonly<Record<string, FieldCheck>>;

/** Fields for readers only. */
const remarks: Fields = {
  name: anything,
  id: anything,
  description: anything,
  comment: anything,
  _comment: anything,
  $comment: anything,
  '//': anything,
};

const common: Fields = {
  ...remarks,
  type: text,
  timeout: count,
  if: (value) => typeof value === 'string' && conditionOf(value) !== undefined,
  once: flag,
  statusMessage: text,
};

const groupFields: Fields = { ...remarks, matcher: text, hooks: anything, env: table };

/** The fields of each built-in type beside the common ones. */
const fieldsOfType: Readonly<Record<string, Fields>> = {
  command: {
    command: text,
    args: texts,
    shell: (value) => value === 'bash' || value === 'sh' || value === 'powershell',
    async: flag,
    asyncRewake: flag,
    rewakeMessage: text,
    rewakeSummary: text,
  },
  http: { url: text, headers: table, allowedEnvVars: texts },
  prompt: { prompt: text, model: text, inject: flag },
  agent: { prompt: text, agent: text, model: text, maxTurns: count },
};

/**
 * The fields of a hook that are unknown or have an unusable value. Such a hook may mean something else than it does
 * here, so it approves nothing. Types that an SDK user adds have fields of their own.
 */
export function unclearFields(hook: HookDefinition): readonly string[] {
  const own = Object.hasOwn(fieldsOfType, hook.type) ? fieldsOfType[hook.type] : undefined;
  return unclearIn(hook, own ? { ...common, ...own } : { if: common.if ?? anything }, own === undefined);
}

/** The same for the fields of a group, which hold for all of its hooks. */
export function unclearGroupFields(group: JsonObject): readonly string[] {
  return unclearIn(group, groupFields, false);
}

/** The rule that the `if` of a hook holds, which is one rule as permissions have them; nothing where it is none. */
export function conditionOf(written: JsonValue | undefined): Rule | undefined {
  if (typeof written !== 'string' || severalRules.test(written)) return undefined;
  const parsed = parseRule(written, { source: 'if' });
  return parsed.ok ? parsed.rule : undefined;
}

const severalRules = /\)\s*(?:[|,;&]|\bor\b|\band\b)\s*\w+\s*(?:\(|$)/i;

function unclearIn(value: JsonObject, fields: Fields, isOpen: boolean): readonly string[] {
  return Object.entries(value).flatMap(([name, item]) => {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isClear = check ? check(item) : isOpen;
    return isClear ? [] : [name];
  });
}
