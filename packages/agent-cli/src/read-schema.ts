import { readFile } from 'node:fs/promises';
import {
  AgentError,
  errorMessage,
  isJsonObject,
  type JsonObject,
  schemaProblem,
} from '@robota-sdk/agent-sdk';

/** Reads the file of `--json-schema`; an error says what is wrong with it. */
export async function readSchema(path: string | undefined): Promise<JsonObject | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    const why = unreadable[thrown.code ?? ''] ?? thrown.message;
    throw new AgentError('usage', `--json-schema ${path}: ${why}. Name a file with a JSON Schema in it.`);
  });
  const schema = parseSchema(text, path);
  if (!isJsonObject(schema))
    throw new AgentError('usage', `--json-schema ${path}: expected an object like {"type": "object", …}.`);
  const problem = schemaProblem(schema);
  if (problem !== undefined) throw new AgentError('usage', `--json-schema ${path}: ${problem}.`);
  return schema;
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a directory',
  EACCES: 'the file may not be read',
};

function parseSchema(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new AgentError('usage', `--json-schema ${path} is not JSON: ${errorMessage(thrown)}. Correct it.`);
  }
}
