import { AgentError, type JsonObject, schemaProblem } from '@robota-sdk/agent-sdk/front-end';
import { jsonOption } from './json-option.ts';

/** Reads `--json-schema`, a file or JSON itself; an error says what is wrong with it. */
export function readSchema(given: string | undefined): JsonObject | undefined {
  if (given === undefined) return undefined;
  const schema = jsonOption('json-schema', given);
  const problem = schemaProblem(schema);
  if (problem === undefined) return schema;
  const name = given.trimStart().startsWith('{') ? '--json-schema' : `--json-schema ${given}`;
  throw new AgentError('usage', `${name}: ${problem}.`);
}
