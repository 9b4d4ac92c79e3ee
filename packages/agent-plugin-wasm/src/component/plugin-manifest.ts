import {
  anyObject,
  checked,
  decodeJson,
  describeMismatch,
  describeProblem,
  either,
  type JsonObject,
  list,
  mapped,
  numberWithin,
  object,
  Report,
  text,
  words,
} from '@robota-sdk/agent-core';

/** A place in the file system that a plugin may use. */
export interface FileGrant {
  /** As it is written: relative to the directory of the session, `~/…`, or absolute. */
  readonly path: string;
  readonly access: 'read' | 'write';
}

/** The permissions that a plugin requests. */
export interface Grants {
  readonly files: readonly FileGrant[];
  /** Hosts, such as `api.example.com`, `*.example.com` or `localhost:8080`. */
  readonly network: readonly string[];
  /** Variables of the environment. */
  readonly env: readonly string[];
}

/** Resource limits of one plugin. */
export interface PluginLimits {
  readonly memoryMegabytes: number;
  readonly seconds: number;
}

/** The file beside a component: what it asks for, its limits, and its own settings. */
export interface PluginManifest {
  readonly grants: Grants;
  readonly limits: PluginLimits;
  /** For the plugin itself. */
  readonly config: JsonObject;
}

const usualLimits: PluginLimits = { memoryMegabytes: 256, seconds: 30 };

/** The manifest of a plugin that has none. */
export const emptyManifest: PluginManifest = {
  grants: { files: [], network: [], env: [] },
  limits: usualLimits,
  config: {},
};

/** True if a plugin requests permissions that need approval. */
export function asksForGrants({ grants }: PluginManifest): boolean {
  return grants.files.length + grants.network.length + grants.env.length > 0;
}

/** The requested permissions, one line each. */
export function describeGrants({ files, network, env }: Grants): string[] {
  return [
    ...files.map(({ path, access }) => (access === 'write' ? `reads and writes ${path}` : `reads ${path}`)),
    ...network.map((host) => `connects to ${host}`),
    ...env.map((name) => `sees the variable ${name}`),
  ];
}

const filePath = checked(text, 'a path', (value) => /^\P{Cc}+$/u.test(value));
const hostName = checked(text, 'a host, such as api.example.com', (value) =>
  /^(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i.test(value),
);
const variableName = checked(text, 'the name of a variable', (value) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(value),
);
/** A bare path is one to read. */
const fileGrant = either(
  mapped(filePath, (path): FileGrant => ({ path, access: 'read' })),
  mapped(
    object({ path: filePath }, { access: words('read', 'write') }),
    ({ path, access = 'read' }): FileGrant => ({ path, access }),
  ),
);
const manifestShape = object(
  {},
  {
    $schema: text,
    grants: object({}, { files: list(fileGrant), network: list(hostName), env: list(variableName) }),
    limits: object(
      {},
      {
        memory: numberWithin({ exclusiveMinimum: 0, maximum: 1024 }),
        time: numberWithin({ exclusiveMinimum: 0, maximum: 600 }),
      },
    ),
    config: anyObject,
  },
);

/** Reads a manifest. Throws what names the field that is wrong: a misspelt grant would be none, a limit none at all. */
export function parsePluginManifest(written: string): PluginManifest {
  const report = new Report();
  const read = decodeJson(written);
  if (!read.ok) throw new Error(`it is not JSON: ${read.error}`);
  const value = manifestShape.parse(read.value, report);
  const [problem] = report.problems;
  if (problem || !value)
    throw new Error(problem ? describeProblem(describeMismatch(problem)) : 'expected an object');
  const { grants = {}, limits = {}, config = {} } = value;
  return {
    grants: { ...emptyManifest.grants, ...grants },
    limits: {
      memoryMegabytes: limits.memory ?? usualLimits.memoryMegabytes,
      seconds: limits.time ?? usualLimits.seconds,
    },
    config,
  };
}
