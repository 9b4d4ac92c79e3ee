import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HostEnvironment, processHost, settingOptions } from '@robota-sdk/agent-config';
import {
  AgentError,
  type AnyTool,
  type Catalogue,
  type Extension,
  given,
  type JsonObject,
  loadCatalogue,
  type UserInterface,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { type Compaction, type SessionHandle, unkeptHandle } from '@robota-sdk/agent-sessions';
import { builtinTools } from '@robota-sdk/agent-tools';
import {
  type InteractiveSessionOptions,
  openInteractiveSession,
} from '../session/create-interactive-session.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { defineExtension } from './define-extension.ts';
import { apiOf, type DefinedProvider, withProviders } from './define-provider.ts';
import type { ClientOptions, SessionOptions, Sources } from './options.ts';
import { splitServers } from './program-server.ts';
import { readOnlyNames } from './tool.ts';

/** A session to open. */
export interface OpenRequest {
  readonly client: ClientOptions;
  readonly options: SessionOptions;
  /** The id of a new session. */
  readonly id: string | undefined;
  readonly terminal: UserInterface | undefined;
  readonly onCompact?: ((compaction: Compaction) => void) | undefined;
  /** A single prompt has no use for commands. */
  readonly isSingle: boolean;
}

type Mapped = { -readonly [K in keyof InteractiveSessionOptions]: InteractiveSessionOptions[K] };

/** Opens a session as its options and its client's say. */
export async function openClientSession(request: OpenRequest): Promise<InteractiveSession> {
  const { client, options } = request;
  const host = await hostOf(client);
  const cwd = resolve(options.cwd ?? '.');
  const mapped: Mapped = {
    ...plainOptions(request),
    ...sourceOptions(options.sources),
    ...extensionOptions(options, client),
    ...cassetteOptions(options.cassette),
    cwd,
    host,
    ...(await storeOptions(request, cwd)),
  };
  withoutUndefined(mapped);
  const session = await openInteractiveSession(mapped);
  await begin(session, options.session);
  await session.tasks.resumeWaiting();
  return session;
}

/** The host of a client: its home and environment, or those of the process. */
export async function hostOf({ home, env, connections }: ClientOptions): Promise<HostEnvironment> {
  const own = home === undefined || env === undefined ? await processHost() : undefined;
  const given = env === undefined ? own?.env : { PATH: process.env.PATH, ...env };
  return { home: home ?? own?.home ?? '', env: { ...given, ...connectionKeys(connections) } };
}

/** Environment variables with the keys of connections; they override a token in the environment. */
function connectionKeys(connections: ClientOptions['connections'] = {}): Record<string, string | undefined> {
  const { vendors } = loadCatalogue();
  return Object.fromEntries(
    Object.entries(connections).flatMap(([name, { apiKey }]) => {
      const vendor = vendors.find(({ id }) => id === name);
      if (apiKey === undefined || !vendor) return [];
      const [variable = ''] = vendor.keyVariables;
      const { tokenVariable } = vendor;
      return [...(tokenVariable === undefined ? [] : [[tokenVariable, undefined]]), [variable, apiKey]];
    }),
  );
}

function plainOptions(request: OpenRequest): Mapped {
  const { client, options, terminal, onCompact, isSingle } = request;
  const { systemPrompt, settings, model } = options;
  return {
    ...settingOptions(client),
    ...settingOptions(options),
    terminal,
    onCompact,
    builtInCommands: !isSingle,
    isProgram: true,
    model: typeof model === 'object' ? `${model.vendor}/${model.models[0].id}` : model,
    authorize: options.authorize,
    mayBypass: options.mayBypass,
    sandbox: options.sandbox,
    trustProject: options.trustProject ?? false,
    pluginDirectories: options.plugins,
    editor: options.editor,
    maxCost: options.maxCost,
    settings: [programSettings(request), ...(settings === undefined ? [] : [settings])],
    withModels: modelsOf(request),
    logger: client.logger,
    ...(typeof systemPrompt === 'object' ? { appendSystemPrompt: systemPrompt.append } : { systemPrompt }),
  };
}

function sourceOptions(sources: SessionOptions['sources'] = 'all'): Mapped {
  if (sources === 'all') return {};
  const none: Sources = {
    settings: false,
    instructions: false,
    extensions: false,
    skills: false,
    mcp: false,
  };
  const {
    settings = true,
    instructions = true,
    extensions = true,
    skills = true,
    mcp = true,
  } = sources === 'none' ? none : sources;
  return {
    settingFiles: settings,
    // Nothing at all is read: no agents either, which belong to none of the kinds.
    ...(settings || instructions || extensions || skills !== false || mcp ? {} : { settingSources: [] }),
    contextFiles: instructions,
    extensionFiles: extensions,
    skills,
    ...(mcp ? {} : { strictMcpConfig: true }),
  };
}

/** Tools, hooks, agents, servers and providers of the program. */
function extensionOptions(options: SessionOptions, client: ClientOptions): Mapped {
  const { tools = [], hooks = {}, agents = [], extensions = [], permissions = {}, builtInTools } = options;
  const servers = splitServers(options.mcpServers);
  const inline = defineExtension({ name: 'program', tools, hooks });
  const own = [...tools, ...servers.tools, ...extensions.flatMap(toolsOf)];
  const providers = providersOf(options, client).map(providerExtension);
  return {
    extensions: [inline, ...servers.extensions, ...extensions, ...providers],
    agents: [...agents, ...extensions.flatMap(agentsOf)],
    rules: { ...permissions, allow: [...(permissions.allow ?? []), ...readOnlyNames(own)] },
    mcpServers: Object.keys(servers.servers).length === 0 ? undefined : servers.servers,
    programServers: servers.programServers,
    builtInTools: builtInTools !== false,
    tools: { exclude: [...excludedBuiltIns(builtInTools), ...(options.excludeTools ?? [])] },
  };
}

function toolsOf(extension: Extension<InteractiveSession>): readonly AnyTool[] {
  return 'tools' in extension ? (extension.tools as readonly AnyTool[]) : [];
}

function agentsOf(extension: Extension<InteractiveSession>): readonly IAgentDefinition[] {
  return 'agents' in extension ? (extension.agents as readonly IAgentDefinition[]) : [];
}

function excludedBuiltIns(wanted: SessionOptions['builtInTools'] = true): readonly string[] {
  if (typeof wanted === 'boolean') return [];
  const names = [...builtinTools().map(({ name }) => name), 'Agent'];
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new AgentError('usage', `Unknown built-in tool "${unknown}". Available: ${names.join(', ')}.`);
  return names.filter((name) => !wanted.includes(name));
}

function providersOf(
  { model }: SessionOptions,
  { providers = [] }: ClientOptions,
): readonly DefinedProvider[] {
  return typeof model === 'object' ? [model, ...providers] : providers;
}

function providerExtension(definition: DefinedProvider): Extension<InteractiveSession> {
  const { vendor, provider } = definition;
  return {
    name: `provider ${vendor}`,
    setup: (host) => host.provider(apiOf(definition), async () => provider),
  };
}

function cassetteOptions(cassette: SessionOptions['cassette']): Mapped {
  if (!cassette) return {};
  const { file, mode } = cassette;
  const replays = mode === 'replay' || (mode === 'auto' && existsSync(file));
  return replays ? { replay: file } : { record: file };
}

/** Options that are settings: as such, they are joined with those of the user's files instead of replacing them. */
function programSettings({ client, options }: OpenRequest): JsonObject {
  const { connections = {}, dailyBudget: day } = client;
  const { budget: session } = options;
  const addresses = Object.entries(connections).flatMap(([vendor, { baseUrl }]) =>
    baseUrl === undefined ? [] : [[vendor, baseUrl] as const],
  );
  const budget = { ...given('session', session), ...given('day', day) };
  return {
    ...(addresses.length === 0 ? {} : { baseUrls: Object.fromEntries(addresses) }),
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
  };
}

/** Adds the vendors of a program and the headers of its connections; undefined if it has neither. */
function modelsOf({ client, options }: OpenRequest): ((catalogue: Catalogue) => Catalogue) | undefined {
  const providers = providersOf(options, client);
  const { connections = {} } = client;
  if (providers.length === 0 && Object.keys(connections).length === 0) return undefined;
  return (catalogue) => {
    const { vendors, models } = withProviders(catalogue, providers);
    const withHeaders = vendors.map((vendor) => {
      const { headers } = connections[vendor.id] ?? {};
      return headers ? { ...vendor, headers: { ...vendor.headers, ...headers } } : vendor;
    });
    return { models, vendors: withHeaders };
  };
}

/** The store or handle for the conversation. */
async function storeOptions({ client, options, id }: OpenRequest, cwd: string): Promise<Mapped> {
  const { session: choice = 'memory' } = options;
  if (choice === 'memory') return { handle: unkeptHandle(cwd, id) };
  if (client.store) return { handle: await handleIn(client.store, choice, { cwd, id }) };
  if (choice === 'new') return { store: 'new', sessionId: id };
  if (choice === 'latest') return { store: 'latest' };
  if ('file' in choice) return { store: { path: resolve(choice.file) } };
  if ('resume' in choice) return { store: { open: choice.resume }, fork: choice.fork ?? false };
  const host = await hostOf(client);
  const { ownSessions } = await import('../assembly/own-sessions.ts');
  const exists = await (await ownSessions({ host })).has(choice.id);
  return exists ? { store: { open: choice.id } } : { store: 'new', sessionId: choice.id };
}

async function handleIn(
  store: NonNullable<ClientOptions['store']>,
  choice: Exclude<SessionOptions['session'], 'memory' | undefined>,
  { cwd, id }: { readonly cwd: string; readonly id: string | undefined },
): Promise<SessionHandle> {
  const create = (wanted: string | undefined) =>
    store.create({ cwd, ...(wanted === undefined ? {} : { id: wanted }) });
  if (choice === 'new') return create(id);
  if (choice === 'latest') {
    const latest = await store.latest(cwd);
    return latest ? store.open(latest.id) : create(undefined);
  }
  if ('file' in choice) return store.open(choice.file);
  if ('resume' in choice) return choice.fork ? store.fork(choice.resume, { cwd }) : store.open(choice.resume);
  return (await store.has(choice.id)) ? store.open(choice.id) : create(choice.id);
}

/** Moves to the requested entry, and names the session. */
async function begin(session: InteractiveSession, choice: SessionOptions['session']): Promise<void> {
  if (typeof choice !== 'object') return;
  if ('at' in choice && choice.at !== undefined) await session.moveTo(choice.at);
  if ('name' in choice && choice.name !== undefined) await session.getSession().branches.setName(choice.name);
}

/** An undefined option counts as missing. */
function withoutUndefined(fields: object): void {
  const record = fields as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete record[name];
}
