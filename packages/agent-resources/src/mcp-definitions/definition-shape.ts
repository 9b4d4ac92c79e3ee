import {
  checked,
  describeMismatch,
  either,
  flag,
  instance,
  type JsonObject,
  lazy,
  list,
  mapped,
  meantKey,
  number,
  numberWithin,
  object,
  type Problem,
  Report,
  record,
  type Shape,
  type ShapeProblem,
  type TypeOf,
  text,
  words,
} from '@robota-sdk/agent-core';
import { oauthGrants } from '../source/server-definition.ts';

/** Arguments and variables: numbers and flags become text. */
const scalar: Shape<string> = mapped(
  instance('a string', (value): value is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof value),
  ),
  String,
);

const milliseconds = checked(
  numberWithin({ exclusiveMinimum: 0 }),
  'a number of milliseconds above 0',
  () => true,
);

const transports: Readonly<Record<string, 'stdio' | 'http' | 'sse' | 'sdk'>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  streamablehttp: 'http',
  remote: 'http',
  sse: 'sse',
  sdk: 'sdk',
};

/** Programs write the same type as `streamable-http`, `streamableHttp` and `http`. */
function transportOf(type: string): (typeof transports)[string] | undefined {
  const word = type.toLowerCase().replaceAll(/[^a-z]/g, '');
  return Object.hasOwn(transports, word) ? transports[word] : undefined;
}

const oauthShape = lazy(() =>
  object(
    {},
    {
      clientId: text,
      clientSecret: text,
      clientMetadataUrl: text,
      callbackPort: number,
      scope: text,
      scopes: either(text, list(text)),
      grant: words(...oauthGrants),
      privateKeyFile: text,
      signingAlgorithm: text,
      idpTokenEndpoint: text,
      idpClientId: text,
      idToken: text,
    },
  ),
);

/** A server as files have it, once its variables are filled in. */
const definitionShape = lazy(() =>
  object(
    {},
    {
      type: mapped(
        checked(text, '"stdio", "http" or "sse"', (type) => transportOf(type) !== undefined),
        transportOf,
      ),
      command: checked(text, 'a command', (command) => command.trim() !== ''),
      args: list(scalar),
      env: record(scalar),
      cwd: text,
      url: text,
      httpUrl: text,
      serverUrl: text,
      headers: record(scalar),
      bearerToken: text,
      // Names the variable with a token, for pi's adapter.
      bearerTokenEnv: text,
      timeout: milliseconds,
      startTimeout: milliseconds,
      includeTools: list(scalar),
      enabledTools: list(scalar),
      excludeTools: list(scalar),
      disabledTools: list(scalar),
      // `keep-alive` starts with the session, like every server that is not lazy.
      lifecycle: words('eager', 'lazy', 'keep-alive'),
      elicitation: words('ask', 'defaults'),
      oauth: either(oauthShape, flag),
      disabled: flag,
      enabled: flag,
      name: text,
    },
  ),
);

/** The fields of a definition. */
export type DefinitionFields = TypeOf<typeof definitionShape>;
/** The fields of a login. */
export type OAuthFields = TypeOf<typeof oauthShape>;

/** Fields of other programs that do not affect what is started, reached or offered. */
const foreignFields: ReadonlySet<string> = new Set([
  'headersHelper',
  'alwaysAllow',
  'alwaysLoad',
  'autoApprove',
  'description',
  'title',
  'version',
  'icon',
  'trust',
  'auth',
  'idleTimeout',
  'directTools',
  'exposeResources',
  'debug',
  'dev',
  'envFile',
  'gallery',
  'metadata',
  'providerOptions',
]);

/** JSON has no comments, so many files have them in fields such as `_comment` and `//`. */
function isForeign(field: string): boolean {
  return foreignFields.has(field) || /^(?:_|\/\/|\$)/.test(field);
}

/** A definition as it was read. */
export interface ReadDefinition {
  readonly fields: DefinitionFields;
  /** Fields that cannot be used. */
  readonly invalid: readonly Problem[];
  /** Unknown fields: a misspelt restriction must not be lost silently. */
  readonly unknown: readonly UnknownField[];
}

/** An unknown field, and the one that was probably meant. */
interface UnknownField {
  readonly field: string;
  readonly near: string | undefined;
}

/** Reads the fields of a definition. */
export function readDefinition(written: JsonObject): ReadDefinition {
  const report = new Report();
  const fields = definitionShape.parse(written, report) ?? {};
  const isUnknown = (found: ShapeProblem) => found.kind === 'unknown';
  return {
    fields,
    invalid: report.problems.filter((found) => !isUnknown(found)).map((found) => describeMismatch(found)),
    unknown: report.problems.flatMap((found) => {
      const [field] = found.path;
      if (found.kind !== 'unknown' || found.path.length > 1 || isForeign(String(field))) return [];
      return [{ field: String(field), near: meantKey(found) }];
    }),
  };
}
