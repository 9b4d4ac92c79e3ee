import type { JsonObject, JsonValue } from '@robota-sdk/agent-core';
import type { FleetRequest } from '../console/fleet-console.ts';
import { taskFields } from '../task/task-fields.ts';

/** Fields that are no single text: numbers, and those that several options or values make. */
const numbers: ReadonlySet<string> = new Set(['max-cost', 'max-turns', 'attempts', 'priority']);
const joined: ReadonlySet<string> = new Set(['after', 'labels', 'permissions']);

/** The fields of a task that the options of a command give. */
export function optionFields(request: FleetRequest): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const name of Object.keys(taskFields)) {
    const value = joined.has(name) ? undefined : request.value(name);
    if (value === undefined) continue;
    // A wrong number stays a text, which the field refuses by its name.
    const isNumber = numbers.has(name) && value.trim() !== '' && !Number.isNaN(Number(value));
    fields[name] = isNumber ? Number(value) : value;
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
