import { resolve } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { oneLine } from '@robota-sdk/agent-config';
import {
  isJsonObject,
  isLoopback,
  type JsonObject,
  type JsonValue,
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
  type McpServerConfig,
  originText,
} from '../source/server-definition.ts';
import { type StrayField, strayFields } from './definition-fields.ts';
import { expandVariables } from './expand-variables.ts';
import { insecureHint, machineFields, machineLoginProblem } from './machine-login.ts';
import { skippedServer } from './read-definitions.ts';
import { hasSecret } from './server-secrets.ts';

/** The variables that fill a definition, and the base of its relative paths. */
export interface DefinitionContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  /** True if secrets may go to other machines unencrypted. */
  readonly allowInsecureHttp?: boolean | undefined;
}

/** A server, or why a definition is none; notes are about what of it has no effect. */
export type ResolvedServer =
  | { readonly ok: true; readonly server: McpServer; readonly notes: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** Makes a server of a definition. */
export function resolveServer(definition: McpDefinition, place: DefinitionContext): ResolvedServer {
  const fail = ({ why, ...details }: Refusal): ResolvedServer => ({
    ok: false,
    problem: skippedServer(definition, why, details),
  });
  const { value, missing } = expandVariables(definition.written, place.host.env);
  if (missing.length > 0) {
    const why = `${missing.join(', ')} is not set`;
    return fail({ code: unsetVariable, why, hint: `Set it, or write a default: \${${missing[0]}:-value}.` });
  }
  const key = modelKeyIn(definition, place);
  if (key !== undefined)
    return fail({
      why: `it names ${key}, which holds the key of a model. A project can never use that`,
      hint: { text: 'Define the server yourself with', run: ['mcp', 'add', '--scope', 'user'] },
    });
  const read = new DefinitionReader(value, place, definition.origin.scope);
  const transport = read.transport();
  const config = transport && read.config(definition.name, transport);
  if (!config || read.problem !== undefined) return fail(read.problem ?? { why: 'it cannot be read' });
  const oauth = read.oauth();
  const machineProblem = oauth && machineLoginProblem(oauth, config.transport, place);
  if (machineProblem !== undefined) return fail(machineProblem);
  const isOff = value.disabled === true || value.enabled === false;
  return {
    ok: true,
    server: {
      ...definition,
      config,
      ...(oauth === undefined ? {} : { oauth }),
      ...(isOff ? { disabledBy: originText(definition.origin) } : {}),
    },
    notes: notesOn(value).map(({ why, hint }) => noteOn(definition, why, hint)),
  };
}

/** Why a definition is no server, and what to do about it. */
interface Refusal {
  readonly why: string;
  readonly code?: string;
  readonly hint?: ProblemHint | undefined;
}

/** The code of a definition that is complete but for a variable of the environment. */
export const unsetVariable = 'mcp.unset-variable';

function noteOn({ name, origin }: McpDefinition, why: string, hint: ProblemHint | undefined): Problem {
  const source = { file: origin.source, line: origin.line };
  const message = sentence`The MCP server "${{ server: oneLine(name) }}": ${{ reason: why }}`;
  return warning('mcp.ignored-field', message, { subject: name, source, hint });
}

/** A variable with the key of a model that a definition of a project would take, by its name or by its value. */
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
export function directoryOf(written: string, { cwd, host }: DefinitionContext): string {
  return resolve(cwd, written.replace(/^~(?=\/|$)/, host.home));
}

type Transport = McpServerConfig['transport'];

class DefinitionReader {
  readonly #value: JsonObject;
  readonly #place: DefinitionContext;
  readonly #scope: McpScope;
  problem: Refusal | undefined;

  constructor(value: JsonObject, place: DefinitionContext, scope: McpScope) {
    this.#value = value;
    this.#place = place;
    this.#scope = scope;
  }

  transport(): Transport | undefined {
    const { type, command } = this.#value;
    const url = this.#value.url ?? this.#value.httpUrl ?? this.#value.serverUrl;
    if (type === 'sdk') return this.#program();
    if (command !== undefined && url !== undefined)
      return this.#fail('it has both a "command" and a "url"; remove one of them');
    if (command === undefined && url === undefined) return this.#fail(this.#whatIsMissing());
    const kind = kindOf(type, command === undefined ? 'http' : 'stdio');
    if (kind === undefined)
      return this.#fail(`unknown "type" ${JSON.stringify(type)}; available: stdio, http, sse`);
    if ((kind === 'stdio') !== (command !== undefined))
      return this.#fail(`"type" is "${String(type)}", which does not go with its other fields`);
    return kind === 'stdio' ? this.#process() : this.#address(kind, url ?? '');
  }

  /** Only a program can give what lives in it. */
  #program(): Transport | undefined {
    if (this.#scope === 'command line') return { kind: 'program' };
    return this.#fail('"type" is "sdk", which only the program that drives a session can offer');
  }

  config(name: string, transport: Transport): McpServerConfig | undefined {
    const { includeTools, enabledTools, excludeTools, disabledTools, lifecycle, elicitation } = this.#value;
    const include = this.#texts('includeTools', includeTools ?? enabledTools);
    const exclude = this.#texts('excludeTools', excludeTools ?? disabledTools);
    if (lifecycle !== undefined && !lifecycles.includes(lifecycle))
      this.#fail(`unknown "lifecycle" ${JSON.stringify(lifecycle)}; available: eager, lazy`);
    if (elicitation !== undefined && elicitation !== 'ask' && elicitation !== 'defaults')
      this.#fail(`unknown "elicitation" ${JSON.stringify(elicitation)}; available: ask, defaults`);
    const startTimeoutMs = this.#milliseconds('startTimeout');
    const callTimeoutMs = this.#milliseconds('timeout');
    return {
      name,
      transport,
      ...(startTimeoutMs === undefined ? {} : { startTimeoutMs }),
      ...(callTimeoutMs === undefined ? {} : { callTimeoutMs }),
      ...(lifecycle === 'lazy' ? { lifecycle } : {}),
      ...(elicitation === 'defaults' ? { elicitation } : {}),
      ...(include || exclude
        ? { tools: { ...(include ? { include } : {}), ...(exclude ? { exclude } : {}) } }
        : {}),
    };
  }

  oauth(): McpOAuthOptions | undefined {
    const { oauth } = this.#value;
    if (!isJsonObject(oauth)) return undefined;
    const { clientId, clientSecret, clientMetadataUrl, callbackPort, scope, scopes } = oauth;
    const wanted = Array.isArray(scopes) ? scopes.join(' ') : (scope ?? scopes);
    return {
      ...machineFields(oauth),
      ...(typeof clientId === 'string' ? { clientId } : {}),
      ...(typeof clientSecret === 'string' ? { clientSecret } : {}),
      ...(typeof clientMetadataUrl === 'string' ? { clientMetadataUrl } : {}),
      ...(typeof callbackPort === 'number' ? { callbackPort } : {}),
      ...(typeof wanted === 'string' ? { scope: wanted } : {}),
    };
  }

  #whatIsMissing(): string {
    const slip = strayFields(this.#value).find(({ near }) => near === 'command' || near === 'url');
    const hint = slip === undefined ? '' : ` (is "${slip.field}" meant to be "${slip.near}"?)`;
    return `it has neither a "command" to start nor a "url" to reach${hint}`;
  }

  #process(): Transport | undefined {
    const { command, cwd } = this.#value;
    if (typeof command !== 'string' || command.trim() === '') return this.#fail('"command" must be a text');
    if (cwd !== undefined && typeof cwd !== 'string') return this.#fail('"cwd" must be a text');
    const args = this.#texts('args', this.#value.args);
    const env = this.#pairs('env');
    return {
      kind: 'stdio',
      command,
      ...(args ? { args } : {}),
      ...(env ? { env } : {}),
      cwd: directoryOf(cwd ?? '.', this.#place),
    };
  }

  #address(kind: 'http' | 'sse', url: JsonValue): Transport | undefined {
    if (typeof url !== 'string' || !URL.canParse(url))
      return this.#fail(`"url" is not a URL: ${JSON.stringify(url)}`);
    const { protocol, host, username, password } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:')
      return this.#fail(`"url" starts with ${protocol}//; only http and https are supported`);
    if (username !== '' || password !== '')
      return this.#fail(
        `the "url" of ${host} holds a user name or a password, which cannot be sent that way; give them in "headers"`,
      );
    const { bearerToken } = this.#value;
    const token =
      typeof bearerToken === 'string' ? { Authorization: `Bearer ${bearerToken}` } : this.#token();
    const headers = { ...token, ...this.#pairs('headers') };
    const isOpen = protocol === 'http:' && !isLoopback(host) && !this.#place.allowInsecureHttp;
    if (isOpen && hasSecret({ kind, url, headers }))
      return this.#fail(`its secrets would go to ${host} unencrypted`, insecureHint);
    return { kind, url, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
  }

  /** pi's adapter names the variable that holds a token. */
  #token(): Readonly<Record<string, string>> {
    const { bearerTokenEnv } = this.#value;
    if (typeof bearerTokenEnv !== 'string') return {};
    const token = this.#place.host.env[bearerTokenEnv];
    if (token) return { Authorization: `Bearer ${token}` };
    this.problem ??= {
      code: unsetVariable,
      why: `the variable ${bearerTokenEnv} of "bearerTokenEnv" is not set`,
    };
    return {};
  }

  #texts(key: string, value: JsonValue | undefined): readonly string[] | undefined {
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every(isPlain)) return value.map(String);
    return this.#fail(`"${key}" must be a list of texts`);
  }

  #pairs(key: 'env' | 'headers'): Readonly<Record<string, string>> | undefined {
    const value = this.#value[key];
    if (value === undefined) return undefined;
    const isRight = isJsonObject(value) && Object.values(value).every(isPlain);
    if (!isRight) return this.#fail(`"${key}" must be an object with texts`);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, String(item)]));
  }

  #milliseconds(key: 'startTimeout' | 'timeout'): number | undefined {
    const value = this.#value[key];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && value > 0) return value;
    return this.#fail(`"${key}" must be a number of milliseconds above 0`);
  }

  #fail(why: string, hint?: ProblemHint): undefined {
    this.problem ??= { why, hint };
    return undefined;
  }
}

/** `keep-alive` starts with the session, like every server that is not lazy. */
const lifecycles: readonly JsonValue[] = ['eager', 'lazy', 'keep-alive'];

function isPlain(item: JsonValue): boolean {
  return typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean';
}

function kindOf(type: JsonValue | undefined, usual: 'stdio' | 'http'): 'stdio' | 'http' | 'sse' | undefined {
  if (type === undefined) return usual;
  if (typeof type !== 'string') return undefined;
  const word = type.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (word === 'stdio' || word === 'local') return 'stdio';
  if (word === 'sse') return 'sse';
  return ['http', 'streamablehttp', 'remote'].includes(word) ? 'http' : undefined;
}

/** Lists fields that other programs support and Robota ignores. */
function notesOn(value: JsonObject): Refusal[] {
  const { headersHelper, alwaysAllow, autoApprove } = value;
  return [
    ...strayFields(value).map(strayNote),
    ...(headersHelper === undefined
      ? []
      : [
          {
            why: '"headersHelper" is not run.',
            hint: { text: 'Give the header in "headers", or log in with', run: ['mcp', 'login', 'NAME'] },
          },
        ]),
    ...(alwaysAllow === undefined && autoApprove === undefined
      ? []
      : [
          {
            why: 'Tools that it always allows still need approval.',
            hint: 'Allow them with a rule such as mcp__server__tool.',
          },
        ]),
  ];
}

function strayNote({ field, near }: StrayField): Refusal {
  const hint = near === undefined ? undefined : `Did you mean "${near}"?`;
  return { why: `Unknown field "${oneLine(field)}"; it is ignored.`, hint };
}
