import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AgentError, decodeJson, errorMessage, isJsonObject } from '@robota-sdk/agent-core';
import type { McpServerOptions } from '../source/server-definition.ts';
import { readDefinitions } from './read-definitions.ts';

/** Reads servers from a file or from JSON, for `--mcp-config`. */
export function parseMcpConfig(given: string): Readonly<Record<string, McpServerOptions>> {
  const isInline = given.trimStart().startsWith('{');
  const source = isInline ? '--mcp-config' : `--mcp-config ${given}`;
  const read = decodeJson(isInline ? given : textOf(given));
  if (!read.ok) throw new AgentError('usage', `${source} is not JSON: ${read.error}. Correct it.`);
  const { value } = read;
  if (!isJsonObject(value) || (value.mcpServers === undefined && value.servers === undefined))
    throw new AgentError(
      'usage',
      `${source}: expected an object like {"mcpServers": {"name": {"command": "…"}}}.`,
    );
  const { definitions, problems } = readDefinitions(value, { scope: 'command line', source, text: '' });
  const [problem] = problems;
  if (problem !== undefined) throw new AgentError('usage', problem.message, problem);
  return Object.fromEntries(definitions.map(({ name, written }) => [name, written as McpServerOptions]));
}

function textOf(path: string): string {
  try {
    return readFileSync(resolve(path), 'utf8').replace(/^\ufeff/, '');
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file' : errorMessage(thrown);
    throw new AgentError(
      'usage',
      `--mcp-config ${path}: ${why}. Name a file with "mcpServers", or give JSON.`,
    );
  }
}
