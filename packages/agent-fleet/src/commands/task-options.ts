import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';
import type { FleetRequest } from '../console/fleet-console.ts';

/** Options with the names of the fields of a task file. */
const texts = [
  'name',
  'repo',
  'base',
  'setup',
  'check',
  'baseline',
  'model',
  'max-time',
  'keep',
  'ask',
  'deliver',
  'sandbox',
] as const;
const numbers = ['max-cost', 'max-turns', 'attempts', 'priority'] as const;

/** The fields of a task that the options of a command give. */
export function fieldsOf(request: FleetRequest): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const name of texts) {
    const value = request.value(name);
    if (value !== undefined) fields[name] = value;
  }
  for (const name of numbers) {
    const value = request.value(name);
    // A wrong number stays a text, which the field refuses by its name.
    if (value !== undefined)
      fields[name] = value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value);
  }
  if (request.has('after')) fields.after = [...request.values('after')];
  if (request.has('label')) fields.labels = [...request.values('label')];
  const permissions = permissionsOf(request);
  return Object.keys(permissions).length === 0 ? fields : { ...fields, permissions };
}

function permissionsOf(request: FleetRequest): JsonObject {
  const mode = request.value('permission-mode');
  return {
    ...(mode === undefined ? {} : { mode }),
    ...(request.has('allow') ? { allow: [...request.values('allow')] } : {}),
    ...(request.has('deny') ? { deny: [...request.values('deny')] } : {}),
  };
}
