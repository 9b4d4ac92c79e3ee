import { readFileSync } from 'node:fs';
import {
  AgentError,
  decodeJson,
  errorMessage,
  isJsonObject,
  type JsonObject,
} from '@robota-sdk/agent-sdk/front-end';

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'this is a directory',
  EACCES: 'the file may not be read',
};

/** Reads the file of an option; an error says what is wrong with it. */
export function readOptionFile(
  option: string,
  path: string,
  advice = 'Name a file that can be read.',
): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    const why = unreadable[code] ?? errorMessage(thrown);
    throw new AgentError('usage', `--${option} ${path}: ${why}. ${advice}`);
  }
}

/** Reads an option that is JSON itself, or a file with it; an error says what is wrong with it. */
export function jsonOption(option: string, given: string): JsonObject {
  const isInline = given.trimStart().startsWith('{');
  const name = isInline ? `--${option}` : `--${option} ${given}`;
  const read = decodeJson(
    isInline ? given : readOptionFile(option, given, 'Name a file, or give JSON itself.'),
  );
  if (!read.ok) throw new AgentError('usage', `${name} is not JSON: ${read.error}. Correct it.`);
  if (isJsonObject(read.value)) return read.value;
  throw new AgentError('usage', `${name}: expected an object like {"key": …}.`);
}
