import {
  amount,
  anyObject,
  checked,
  defaultRetryPolicy,
  either,
  flag,
  lazy,
  list,
  numberWithin,
  object,
  type PermissionMode,
  parseDuration,
  permissionModes,
  profileShape,
  type RetryPolicy,
  record,
  singleProfileShape,
  type TypeOf,
  text,
  whole,
  withDefault,
  words,
} from '@robota-sdk/agent-core';
import { defaultCompaction } from '@robota-sdk/agent-sessions';
import { hookEventNames } from './hook-names.ts';
import { expectedLanguage, isLanguage } from './language.ts';

export const texts = list(text);

/** Fields of the line at the foot of the screen. */
const footerFields = [
  'mode',
  'agent',
  'model',
  'context',
  'cost',
  'tokens',
  'messages',
  'thinking',
  'tasks',
  'drafts',
  'compaction',
  'folder',
  'branch',
  'help',
] as const;

export const footer = list(words(...footerFields));
export const textsByName = record(text);

/** A model by name, or the older form of a single profile. */
export const modelOrProfile = either(text, singleProfileShape);

export const profiles = list(whole(profileShape));

export const language = checked(text, expectedLanguage, isLanguage);

/** The permission mode as older files name it. */
export const trustLevel = words('safe', 'moderate', 'full', ...permissionModes);

/** Our name of a permission mode. */
export function modeOfTrust(level: TypeOf<typeof trustLevel>): PermissionMode {
  if (level === 'safe') return 'plan';
  if (level === 'moderate') return 'default';
  return level === 'full' ? 'acceptEdits' : level;
}

const delays = () => ({
  maxRetries: withDefault(amount, defaultRetryPolicy.maxRetries),
  baseDelayMs: withDefault(amount, defaultRetryPolicy.baseDelayMs),
  maxDelayMs: withDefault(amount, defaultRetryPolicy.maxDelayMs),
  maxRetryAfterMs: withDefault(amount, defaultRetryPolicy.maxRetryAfterMs),
});

export const retry = lazy(() => object({}, { enabled: withDefault(flag, true), ...delays() }));

/** The policy of written fields; the others are as usual. */
export function retryPolicyOf({ enabled = true, ...written }: TypeOf<typeof retry>): RetryPolicy {
  const policy = { ...defaultRetryPolicy, ...written };
  return enabled ? policy : { ...policy, maxRetries: 0 };
}

/** A time such as `90s`, `30m`, `6h` or `1h30m`; `always` for as long as it takes, `never` for not at all. */
export const patience = lazy(() =>
  checked(text, 'a time such as 30m or 6h, "always" or "never"', (value) => patienceOf(value) !== undefined),
);

/** Milliseconds. */
export function patienceOf(value: string): number | undefined {
  if (value === 'always') return Number.POSITIVE_INFINITY;
  return value === 'never' ? 0 : parseDuration(value);
}

export const hooks = lazy(() =>
  object(
    {},
    Object.fromEntries(
      hookEventNames.map((name) => [
        name,
        list(object({}, { matcher: text, hooks: list(object({ type: text })), env: textsByName })),
      ]),
    ),
  ),
);

const sandboxMode = words('off', 'auto', 'required');

export const sandbox = lazy(() =>
  either(
    sandboxMode,
    object(
      {},
      {
        mode: sandboxMode,
        network: either(text, object({}, { allow: texts })),
        writable: texts,
        readable: texts,
        hidden: texts,
      },
    ),
  ),
);

/** The command whose output is the line at the foot of the screen, as Claude Code writes it. */
export const statusLine = lazy(() => object({ type: words('command'), command: text }, { padding: amount }));

export const ratio = numberWithin({ exclusiveMinimum: 0, maximum: 1 });

/** The compaction of single models, by `vendor/id` or id. */
export const compactionByModel = lazy(() =>
  record(
    object(
      {},
      {
        enabled: withDefault(flag, defaultCompaction.enabled),
        ratio: withDefault(ratio, defaultCompaction.ratio),
        reserveTokens: withDefault(amount, defaultCompaction.reserveTokens),
        keepRecentTokens: withDefault(amount, defaultCompaction.keepRecentTokens),
      },
    ),
  ),
);

export const marketplaces = lazy(() => record(object({}, { source: either(text, anyObject) })));
