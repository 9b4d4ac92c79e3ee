import { type PermissionRules, parseJson } from '@robota-sdk/agent-core';
import type { Settings } from '../options/settings.ts';
import { optionRows } from '../options/settings-shape.ts';
import { shownValue, valueText } from './shown-value.ts';

/** Settings before and after their files were read again. */
export interface SettingsChange {
  readonly before: Settings;
  readonly after: Settings;
  readonly changed: readonly (keyof Settings)[];
  /** Files that were read before and are gone. */
  readonly gone: readonly string[];
  isLive(key: keyof Settings): boolean;
}

/** Describes changed settings line by line; a removed protection gets a separate line. */
export function describeChanges(change: SettingsChange): string[] {
  const { changed, isLive, gone } = change;
  const live = changed.filter(isLive).map((key) => describeOne(key, change));
  const later = changed.filter((key) => !isLive(key)).map(nameOf);
  return [
    ...gone.map((file) => `${file} is gone.`),
    ...(live.length === 0 ? [] : [`The changed settings are now in effect: ${live.join(', ')}.`]),
    ...lostGuards(change),
    ...(later.length === 0
      ? []
      : [`The changed settings take effect in the next session: ${later.join(', ')}.`]),
  ];
}

function describeOne(key: keyof Settings, { before, after }: SettingsChange): string {
  const name = nameOf(key);
  if (key === 'permissions') return `${name} (${describeRules(before.permissions, after.permissions)})`;
  if (key === 'terminal') return describeTerminal(before.terminal, after.terminal);
  const [old, now] = [textOf(before, key), textOf(after, key)];
  return `${name} (${now}, was ${old})`;
}

function textOf(settings: Settings, key: keyof Settings): string {
  const value = settings[key];
  if (value === undefined) return 'not set';
  return valueText(shownValue(parseJson(JSON.stringify(value)) ?? null, [key]));
}

function describeTerminal(before: Settings['terminal'], after: Settings['terminal']): string {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Settings['terminal']>;
  return [...keys]
    .filter((key) => before[key] !== after[key])
    .map((key) => `${key} (${valueText(after[key])}, was ${valueText(before[key])})`)
    .join(', ');
}

const lists = ['deny', 'ask', 'allow'] as const;

function describeRules(before: PermissionRules, after: PermissionRules): string {
  const parts = lists.flatMap((list) => {
    const [added, removed] = [missingIn(before, after, list), missingIn(after, before, list)];
    return [
      ...(added.length === 0 ? [] : [`${list} + ${added.join(' ')}`]),
      ...(removed.length === 0 ? [] : [`${list} - ${removed.join(' ')}`]),
    ];
  });
  return parts.length === 0 ? 'the same rules, elsewhere' : parts.join('; ');
}

function lostGuards({ before, after, changed }: SettingsChange): string[] {
  if (!changed.includes('permissions')) return [];
  const lost = (['deny', 'ask'] as const).flatMap((list) =>
    missingIn(after.permissions, before.permissions, list).map((text) => `${list} ${text}`),
  );
  return lost.length === 0
    ? []
    : [`Fewer things are protected now. No longer in effect: ${lost.join(', ')}.`];
}

/** The rules that the one has and the other has not. */
function missingIn(one: PermissionRules, other: PermissionRules, list: keyof PermissionRules): string[] {
  const known = new Set(one[list].map(({ text }) => text));
  return [...new Set(other[list].map(({ text }) => text))].filter((text) => !known.has(text));
}

function nameOf(key: keyof Settings): string {
  return optionRows.find(([name]) => name === key)?.[1].key ?? key;
}
