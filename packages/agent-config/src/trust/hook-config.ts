import {
  builtInToolNames,
  describeMismatch,
  type HookDefinition,
  instance,
  isReadableMatcher,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  lazy,
  list,
  namesOfTool,
  nearest,
  object,
  type Problem,
  type ProblemHint,
  type ProblemText,
  Report,
  record,
  type Shape,
  sentence,
  shortLine,
  text,
  warning,
} from '@robota-sdk/agent-core';
import { hookEvents } from '../options/hook-events.ts';
import { unclearFields, unclearGroupFields } from '../options/hook-fields.ts';
import { type HookEventName, hookEventNames, isHookEventName } from '../options/hook-names.ts';
import type { SettingsLayer } from '../options/settings.ts';
import { hookSubject } from './hook-subject.ts';
import type { TrustGate } from './trust-gate.ts';

/** Hooks of one event that share a matcher. */
export interface HookGroup {
  readonly event: HookEventName;
  /** Empty for every subject. */
  readonly matcher: string;
  readonly hooks: readonly HookDefinition[];
  /** Added to the environment of these hooks. */
  readonly env?: Readonly<Record<string, string>>;
  /** The file they stand in. */
  readonly source: string;
  /** For hooks of a repository: whether one is still what the user agreed to. */
  readonly isUnchanged?: (hook: HookDefinition) => Promise<boolean>;
  /** Set for hooks that a skill brings while it is in use: `once` holds for them. */
  readonly isTemporary?: true;
  /** Fields of the group that are unknown or cannot be used. */
  readonly unclear?: readonly string[];
}

interface LayerOptions {
  /** Decides which hooks of a repository may run. */
  readonly gate: TrustGate;
  readonly problems: Problem[];
}

/** The hooks of all settings files; a repository's count only as far as the user agreed to them. */
export function hooksOfLayers(
  layers: readonly SettingsLayer[],
  { gate, problems }: LayerOptions,
): HookGroup[] {
  if (areHooksOff(layers)) return [];
  return layers.flatMap(({ source, fromProject, value }) => {
    const groups = parseHooks(value.hooks, { source, problems });
    return fromProject ? trustedGroups(groups, gate) : groups;
  });
}

/** The approved hooks of a repository. */
export function trustedGroups(groups: readonly HookGroup[], gate: TrustGate): HookGroup[] {
  return groups.flatMap((group) => {
    const hooks = group.hooks.filter((hook) => gate.allows(hookSubject(group, hook)));
    const isUnchanged = (hook: HookDefinition) => gate.isUnchanged(hookSubject(group, hook));
    return hooks.length === 0 ? [] : [{ ...group, hooks, isUnchanged }];
  });
}

/** True if the user has switched all hooks off; a repository can't. */
export function areHooksOff(layers: readonly SettingsLayer[]): boolean {
  return layers.some(({ fromProject, value }) => !fromProject && value.disableAllHooks === true);
}

interface ParseOptions {
  readonly source: string;
  readonly problems: Problem[];
}

/** Reads `{EventName: [{matcher, hooks: [definition]}]}`; unusable parts are reported and skipped. */
export function parseHooks(value: JsonValue | undefined, options: ParseOptions): HookGroup[] {
  if (value === undefined) return [];
  const events = parseReported(record(instance('a value', isValue)), value, { ...options, path: ['hooks'] });
  reportUnknownEvents(Object.keys(events ?? {}), options);
  return Object.entries(events ?? {}).flatMap(([event, written]) => {
    if (!isHookEventName(event)) return [];
    const groups = entriesOf(event, written, { ...options, path: ['hooks', event] });
    return groups.flatMap((group) => groupOf(event, group, options));
  });
}

/** Stands for an entry that may be meant as a guard and cannot be used. Its type is unknown, so it fails when it is due. */
const unusable: HookDefinition = { type: 'unusable' };

/** The entries of a list, or the only one without a list. Unusable entries are reported. */
function entriesOf(event: HookEventName, written: JsonValue, options: ParseOptions & { path: KeyPath }) {
  const entries = groupShape.parse(written) === undefined ? written : [written];
  const parsed = parseReported(list(groupShape), entries, options) ?? [];
  const isComplete = Array.isArray(entries) && entries.length === parsed.length;
  return isComplete || !hookEvents[event].failsClosed ? parsed : [...parsed, unusable];
}

const isValue = (value: unknown): value is JsonValue => value !== undefined;
/** Groups and definitions keep all fields: those of other types of hooks are not known here. */
const groupShape = lazy(() => record(instance('a value', isValue)));

function parseReported<T>(shape: Shape<T>, value: JsonValue, options: ParseOptions & { path: KeyPath }) {
  const report = new Report();
  const parsed = report.at(options.path, shape, value);
  for (const found of report.problems) {
    const event = String(found.path[1] ?? 'hooks');
    const message = `${describeMismatch(found).message}. ${isGuard(event) ? needApproval : 'It is ignored.'}`;
    complain(options, { event, message });
  }
  return parsed;
}

const needApproval = 'Calls it matches need your approval.';

function isGuard(event: string): boolean {
  return isHookEventName(event) && hookEvents[event].failsClosed === true;
}

/** The label of a hook: its command, URL or first words. */
export function hookLabel(hook: HookDefinition): string {
  const text = [commandLine(hook), hook.url, hook.prompt, hook.agent].find(
    (value) => typeof value === 'string',
  );
  return shortLine(String(text ?? hook.type), 100);
}

/** The command line of a command hook; undefined for other types. */
export function commandLine({ command, args }: HookDefinition): string | undefined {
  if (typeof command !== 'string') return undefined;
  const words = Array.isArray(args) ? args.map(String) : [];
  return [command, ...words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : `'${word}'`))].join(' ');
}

function groupOf(event: HookEventName, group: JsonObject, options: ParseOptions): HookGroup[] {
  // A definition in place of a group counts as a group.
  const path = ['hooks', event, 'hooks'];
  const definitions =
    group.hooks === undefined
      ? [withoutGroupFields(group)]
      : entriesOf(event, group.hooks, { ...options, path });
  const hooks = definitions.flatMap((definition) => definitionOf(event, definition, options));
  if (hooks.length === 0) return [];
  const matcher = text.parse(group.matcher) ?? '';
  const isReadable = isReadableMatcher(matcher, (word) =>
    builtInToolNames.flatMap(namesOfTool).includes(word),
  );
  if (!isReadable) {
    const message = sentence`Invalid matcher "${{ matcher }}" in "hooks.${{ event }}". It matches everything, and approves nothing.`;
    const hint =
      'Write names of tools or a regular expression; a rule such as Bash(git *) belongs into "if".';
    complain(options, { event, message, hint });
  } else if (hookEvents[event].isAboutCall) reportUnknownTools(event, matcher, options);
  const env = record(text).parse(group.env);
  const unclear = group.hooks === undefined ? [] : unclearGroupFields(group);
  const parsed: HookGroup = {
    event,
    matcher,
    hooks,
    source: options.source,
    ...(env ? { env } : {}),
    ...(unclear.length > 0 ? { unclear } : {}),
  };
  reportUnclear(parsed, options);
  return [isReadable ? parsed : { ...parsed, unclear: [...unclear, 'matcher'] }];
}

/** The fields of a hook and its group that are not understood, quoted; empty where all are. */
export function describeUnclear(hook: HookDefinition, group: Pick<HookGroup, 'unclear'>): string {
  return [...unclearFields(hook), ...(group.unclear ?? [])].map((field) => `"${field}"`).join(', ');
}

function reportUnclear(group: HookGroup, options: ParseOptions): void {
  for (const hook of group.hooks) {
    const { event } = group;
    const where = `The ${event} hook "${hookLabel(hook)}"`;
    const fields = describeUnclear(hook, group);
    const effect = isGuard(event) ? needApproval : 'It approves nothing.';
    if (fields !== '') {
      const message = sentence`${{ where }} has unknown or unusable fields: ${{ fields }}. ${{ effect }}`;
      complain(options, { event, message, hint: 'See docs/hooks.md.' });
    }
    if (hook.if !== undefined && !hookEvents[event].isAboutCall)
      complain(options, {
        event,
        message: sentence`${{ where }} never runs: "if" needs a tool call, and ${{ event }} has none.`,
      });
  }
}

function withoutGroupFields({ matcher: _matcher, env: _env, ...definition }: JsonObject): JsonObject {
  return definition;
}

/** A word of a matcher that is in no tool's name, but almost one, is likely mistyped. */
function reportUnknownTools(event: HookEventName, matcher: string, options: ParseOptions): void {
  const names = builtInToolNames.flatMap(namesOfTool);
  for (const tool of matcher.split('|').map((word) => word.trim())) {
    if (!/^[A-Za-z]+$/.test(tool) || names.some((name) => name.includes(tool))) continue;
    const [near] = nearest(tool, builtInToolNames);
    if (near === undefined) continue;
    const cased = near.toLowerCase() === tool.toLowerCase() ? ' Names are case-sensitive.' : '';
    const message = sentence`Unknown tool "${{ tool }}" in a matcher of "hooks.${{ event }}".${{ cased }}`;
    complain(options, { code: 'hook.unknown-tool', event, message, hint: `Did you mean ${near}?` });
  }
}

/** Fields that tell the type of a definition that does not name it, and that type. */
const typeOfField = { command: 'command', url: 'http', prompt: 'prompt', agent: 'agent' } as const;
const typeShape = lazy(() => object({}, { type: text, command: text, url: text, prompt: text, agent: text }));

function definitionOf(event: string, definition: JsonObject, options: ParseOptions): HookDefinition[] {
  const fields = typeShape.parse(definition) ?? {};
  const implied = Object.entries(typeOfField).find(([field]) => field in fields)?.[1];
  const type = fields.type ?? implied;
  if (type !== undefined) return [{ ...definition, type }];
  complain(options, { event, message: sentence`A hook of "hooks.${{ event }}" has no "type".` });
  return isGuard(event) ? [unusable] : [];
}

/** A name that is almost one of ours is likely mistyped; all others are events of another agent, and reported together. */
function reportUnknownEvents(events: readonly string[], options: ParseOptions): void {
  const unknown = events.filter((event) => !isHookEventName(event));
  const foreign = unknown.filter((event) => nearest(event, hookEventNames).length === 0);
  for (const event of unknown) {
    const [near] = nearest(event, hookEventNames);
    if (near === undefined) continue;
    const message = sentence`Unknown hook event "${{ event }}".`;
    complain(options, { code: 'hook.misspelt-event', event, message, hint: `Did you mean ${near}?` });
  }
  const [event] = foreign;
  if (event === undefined) return;
  const names = foreign.map((each) => `"${each}"`).join(', ');
  const message = `Unknown hook ${foreign.length === 1 ? 'event' : 'events'} ${names}. Hooks there do not run.`;
  complain(options, {
    code: 'hook.foreign-event',
    event,
    message,
    hint: 'See docs/hooks.md for the events.',
  });
}

interface HookComplaint {
  readonly code?: string;
  readonly event: string;
  readonly message: string | ProblemText;
  readonly hint?: ProblemHint;
}

function complain({ source, problems }: ParseOptions, complaint: HookComplaint): never[] {
  const { code = 'hook.invalid', event, message, hint } = complaint;
  problems.push(warning(code, message, { subject: event, source: { file: source }, hint, isInactive: true }));
  return [];
}
