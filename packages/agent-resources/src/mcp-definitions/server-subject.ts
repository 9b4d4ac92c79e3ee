import type { TrustDraft, TrustSubject } from '@robota-sdk/agent-config';
import { scriptsOf } from '@robota-sdk/agent-config';
import { isJsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { type McpDefinition, originText } from '../source/server-definition.ts';
import { expandVariables } from './expand-variables.ts';
import { type DefinitionContext, serverDirectory } from './resolve-server.ts';

/** A repository's server as a subject of trust: what it starts or reaches, and the rest of its definition. */
export function serverSubject({ name, written }: Pick<McpDefinition, 'name' | 'written'>): TrustSubject {
  const { command, args, url, ...rest } = written;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => word !== undefined);
  const main = command === undefined ? url : words.map(quoted).join(' ');
  const lines = [
    ...(main === undefined ? [] : [typeof main === 'string' ? main : JSON.stringify(main)]),
    ...(args === undefined || Array.isArray(args) ? [] : [`args: ${JSON.stringify(args)}`]),
    ...Object.entries(rest)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
  ];
  return { kind: 'mcp-server', name, content: lines.join('\n') };
}

/** The subject with its location and the scripts that would run, after expanding variables. */
export function serverDraft(definition: McpDefinition, { cwd, host }: DefinitionContext): TrustDraft {
  const { origin } = definition;
  const { value: written } = expandVariables(definition.written, host.env);
  const { command, args, env } = written;
  const words = [command, ...(Array.isArray(args) ? args : [])].map((word) => String(word ?? ''));
  const directory = typeof written.cwd === 'string' ? serverDirectory(written.cwd, { cwd, host }) : cwd;
  const variables = isJsonObject(env)
    ? Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)]))
    : {};
  const scripts = command === undefined ? {} : scriptsOf(words.map(quoted).join(' '), directory, variables);
  return { ...serverSubject(definition), source: originText(origin), ...scripts };
}

/** Quotes a word as a shell would, so that the user sees where each argument ends. */
function quoted(word: JsonValue): string {
  const text = typeof word === 'string' ? word : JSON.stringify(word);
  return /^[\w@%+=:,./${}-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
