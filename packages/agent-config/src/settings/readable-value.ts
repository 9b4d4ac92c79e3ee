import type { JsonValue } from '@robota-sdk/agent-core';
import { valueText } from './shown-value.ts';

/** A readable setting: milliseconds and bytes in larger units, exactly; everything else as `valueText`. */
export function readableValue(key: string, value: JsonValue | undefined): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return valueText(value);
  if (key.endsWith('Ms')) return inUnits(value, times);
  return key.endsWith('Bytes') ? inUnits(value, sizes) : valueText(value);
}

type Units = readonly (readonly [name: string, size: number])[];

const times: Units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
  ['ms', 1],
];
const sizes: Units = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
  ['bytes', 1],
];

function inUnits(value: number, units: Units): string {
  let rest = value;
  const parts: string[] = [];
  for (const [name, size] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${name}`);
    rest -= count * size;
  }
  return parts.join(' ');
}
