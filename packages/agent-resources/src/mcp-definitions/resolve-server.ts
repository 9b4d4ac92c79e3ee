import { resolve } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { escapedLine } from '@robota-sdk/agent-config';
import {
  given,
  isLoopback,
  type JsonObject,
  loadCatalogue,
  type Problem,
  type ProblemHint,
  sentence,
  warning,
} from '@robota-sdk/agent-core';
import {
  type McpDefinition,
  type McpOAuthOptions,
  type McpScope,
  type McpServer,
  type McpServerSettings,
  originText,
} from '../source/server-definition.ts';
import {
  type DefinitionFields,
  type OAuthFields,
  type ReadDefinition,
  readDefinition,
} from './definition-shape.ts';
import { expandVariables } from './expand-variables.ts';
import { insecureHint, machineLoginProblem } from './machine-login.ts';
import { skippedServer } from './read-definitions.ts';
import { hasSecret } from './server-secrets.ts';

/** The variables that fill a definition, and the base of its relative paths. */
export interface DefinitionContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  /** True if secrets may be sent to other machines unencrypted. */
  readonly allowInsecureHttp?: boolean | undefined;
}

/** A server, or why a definition is invalid; notes list parts without effect. */
export type ResolvedServer =
  | { readonly ok: true; readonly server: McpServer; readonly notes: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** Creates a server from a definition. */
export function resolveServer(definition: McpDefinition, place: DefinitionContext): ResolvedServer {
  const fail = ({ why, ...details }: Refusal): ResolvedServer => ({
    ok: false,
    problem: skippedServer(definition, why, details),
  });
  const { value, missing } = expandVariables(definition.written, place.host.env);
  if (missing.length > 0) {
    const why = `${missing.join(', ')} is not set`;
    return fail({
      code: unsetVariableCode,
      why,
      hint: `Set it, or write a default: \${${missing[0]}:-value}.`,
    });
  }
  const key = modelKeyIn(definition, place);
  if (key !== undefined)
    return fail({
      why: `it names ${key}, which holds the key of a model. A project can never use that`,
      hint: { text: 'Define the server yourself with', run: ['mcp', 'add', '--scope', 'user'] },
    });
  const read = readDefinition(value);
  const { fields } = read;
  const [invalid] = read.invalid;
  if (invalid) return fail({ why: invalid.message, hint: invalid.hint });
  const transport = transportIn(read, definition.origin.scope, place);
  if ('why' in transport) return fail(transport);
  const oauth = typeof fields.oauth === 'object' ? oauthOptions(fields.oauth) : undefined;
  const machineProblem = oauth && machineLoginProblem(oauth, transport, place);
  if (machineProblem !== undefined) return fail(machineProblem);
  const isOff = fields.disabled === true || fields.enabled === false;
  return {
    ok: true,
    server: {
      ...definition,
      config: { name: definition.name, transport, ...configOptions(fields) },
      ...(oauth === undefined ? {} : { oauth }),
      ...(isOff ? { disabledBy: originText(definition.origin) } : {}),
    },
    notes: notesOn(value, read).map(({ why, hint }) => noteOn(definition, why, hint)),
  };
}

/** Why a definition is invalid, and the fix. */
interface Refusal {
  readonly why: string;
  readonly code?: string;
  readonly hint?: ProblemHint | undefined;
}

/** The code of a definition that is complete but for a variable of the environment. */
export const unsetVariableCode = 'mcp.unset-variable';

function noteOn({ name, origin }: McpDefinition, why: string, hint: ProblemHint | undefined): Problem {
  const source = { file: origin.source, line: origin.line };
  const message = sentence`The MCP server "${{ server: escapedLine(name) }}": ${{ reason: why }}`;
  return warning('mcp.ignored-field', message, { subject: name, source, hint });
}

/** A variable with a model's key that a project's definition would receive, by its name or its value. */
function modelKeyIn(
  { origin, written }: McpDefinition,
  { host: { env } }: DefinitionContext,
): string | undefined {
  if (origin.scope !== 'project') return undefined;
  const { filled } = expandVariables(written, env);
  const { bearerTokenEnv } = written;
  const named = [...Object.keys(filled), ...(typeof bearerTokenEnv === 'string' ? [bearerTokenEnv] : [])];
  const keys = new Set(loadCatalogue().vendors.flatMap(({ keyVariables }) => keyVariables));
  const values = new Set([...keys].map((name) => env[name]).filter((value) => value));
  return named.find((name) => keys.has(name) || values.has(env[name]));
}

/** The directory in which a server is started. */
export function serverDirectory(written: string, { cwd, host }: DefinitionContext): string {
  return resolve(cwd, written.replace(/^~(?=\/|$)/, host.home));
}

type Transport = McpServerSettings['transport'];

function transportIn(
  { fields, unknown }: ReadDefinition,
  scope: McpScope,
  place: DefinitionContext,
): Transport | Refusal {
  const { type, command, url = fields.httpUrl ?? fields.serverUrl } = fields;
  // Only a program can pass objects of its own process.
  if (type === 'sdk')
    return scope === 'command line'
      ? { kind: 'program' }
      : { why: '"type" is "sdk", which only the program that drives a session can offer' };
  if (command !== undefined && url !== undefined)
    return { why: 'it has both a "command" and a "url"; remove one of them' };
  const isMismatched = (type === 'stdio') !== (command !== undefined);
  if (type !== undefined && isMismatched && (command ?? url) !== undefined)
    return { why: `"type" is "${type}", which does not go with its other fields` };
  if (command !== undefined) return processOf(command, fields, place);
  if (url !== undefined) return addressOf(type === 'sse' ? 'sse' : 'http', url, { fields, place });
  const slip = unknown.find(({ near }) => near === 'command' || near === 'url');
  const hint = slip === undefined ? '' : ` (is "${slip.field}" meant to be "${slip.near}"?)`;
  return { why: `it has neither a "command" to start nor a "url" to reach${hint}` };
}

function processOf(
  command: string,
  { args, env, cwd = '.' }: DefinitionFields,
  place: DefinitionContext,
): Transport {
  return {
    kind: 'stdio',
    command,
    ...(args ? { args } : {}),
    ...(env ? { env } : {}),
    cwd: serverDirectory(cwd, place),
  };
}

interface AddressContext {
  readonly fields: DefinitionFields;
  readonly place: DefinitionContext;
}

function addressOf(
  kind: 'http' | 'sse',
  url: string,
  { fields, place }: AddressContext,
): Transport | Refusal {
  if (!URL.canParse(url)) return { why: `"url" is not a URL: ${JSON.stringify(url)}` };
  const { protocol, host, username, password } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    return { why: `"url" starts with ${protocol}//; only http and https are supported` };
  if (username !== '' || password !== '')
    return {
      why: `the "url" of ${host} contains a user name or password, which cannot be sent that way; give them in "headers"`,
    };
  const { bearerTokenEnv = '', bearerToken = place.host.env[bearerTokenEnv] } = fields;
  if (bearerTokenEnv !== '' && !bearerToken)
    return { code: unsetVariableCode, why: `the variable ${bearerTokenEnv} of "bearerTokenEnv" is not set` };
  const token = bearerToken === undefined ? {} : { Authorization: `Bearer ${bearerToken}` };
  const headers = { ...token, ...fields.headers };
  const isOpen = protocol === 'http:' && !isLoopback(host) && !place.allowInsecureHttp;
  if (isOpen && hasSecret({ kind, url, headers }))
    return { why: `its secrets would go to ${host} unencrypted`, hint: insecureHint };
  return { kind, url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
}

function configOptions(fields: DefinitionFields): Omit<McpServerSettings, 'name' | 'transport'> {
  const { lifecycle, elicitation, startTimeout, timeout } = fields;
  const include = fields.includeTools ?? fields.enabledTools;
  const exclude = fields.excludeTools ?? fields.disabledTools;
  return {
    ...given('startTimeoutMs', startTimeout),
    ...given('callTimeoutMs', timeout),
    ...(lifecycle === 'lazy' ? { lifecycle } : {}),
    ...(elicitation === 'defaults' ? { elicitation } : {}),
    ...(include || exclude ? { tools: { ...given('include', include), ...given('exclude', exclude) } } : {}),
  };
}

/** Other programs write `scopes`, which may be a list. */
function oauthOptions({ scopes, ...oauth }: OAuthFields): McpOAuthOptions {
  const scope = typeof scopes === 'object' ? scopes.join(' ') : (oauth.scope ?? scopes);
  return { ...oauth, ...given('scope', scope) };
}

/** Lists fields that other programs support and Robota ignores. */
function notesOn(
  { headersHelper, alwaysAllow, autoApprove }: JsonObject,
  { unknown }: ReadDefinition,
): Refusal[] {
  const notes: Refusal[] = unknown.map(({ field, near }) => ({
    why: `Unknown field "${escapedLine(field)}"; it is ignored.`,
    hint: near === undefined ? undefined : `Did you mean "${near}"?`,
  }));
  if (headersHelper !== undefined)
    notes.push({
      why: '"headersHelper" is not run.',
      hint: { text: 'Give the header in "headers", or log in with', run: ['mcp', 'login', 'NAME'] },
    });
  if (alwaysAllow !== undefined || autoApprove !== undefined)
    notes.push({
      why: 'Tools that it always allows still need approval.',
      hint: 'Allow them with a rule such as mcp__server__tool.',
    });
  return notes;
}
