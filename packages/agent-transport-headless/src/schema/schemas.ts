import type { AnyShape } from '@robota-sdk/agent-core';
import {
  credentialsSchema,
  type JsonObject,
  modelsSchema,
  settingsSchema,
} from '@robota-sdk/agent-sdk/front-end';
import { eventShapes } from './event-shapes.ts';
import { inputShapes } from './input-shapes.ts';
import { outputShapes } from './output-shapes.ts';

/** Every schema by its name, those of whole channels first. */
export function schemas(): Readonly<Record<string, JsonObject>> {
  return {
    output: { description: 'A line of stream-json output.', ...anyOf(outputShapes) },
    input: { description: 'A line of stream-json input.', ...anyOf(inputShapes) },
    json: { description: 'What --output-format json prints.', ...outputShapes.result.json },
    'agent-event': { description: 'Events of a run in the SDK.', ...anyOf(eventShapes) },
    ...jsonOf(outputShapes),
    ...jsonOf(inputShapes),
    ...jsonOf(eventShapes),
    settings: settingsSchema(),
    models: modelsSchema(),
    credentials: credentialsSchema,
  };
}

function anyOf(shapes: Readonly<Record<string, AnyShape>>): JsonObject {
  return { anyOf: Object.values(jsonOf(shapes)) };
}

function jsonOf(shapes: Readonly<Record<string, AnyShape>>): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(Object.entries(shapes).map(([name, { json }]) => [name, json]));
}
