import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { dialects, readLayers, userFolder } from '@robota-sdk/agent-config';
import {
  AgentError,
  describeProblems,
  didYouMean,
  endSentence,
  errorMessage,
  isWithin,
  orElse,
  pluralize,
} from '@robota-sdk/agent-core';
import {
  BundleInstaller,
  defaultMarketplace,
  describeSource,
  type KnownMarketplace,
  MarketplaceClient,
  marketplacesIn,
  type OpenMarketplace,
  parseSource,
  readManifestFile,
} from '@robota-sdk/agent-resources';
import {
  agrees,
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';

type Verb = (request: PluginRequest, desk: PluginRequestServices) => Promise<PluginAnswer>;

const verbs: Readonly<Record<string, Verb>> = {
  add: addMarketplace,
  remove: removeMarketplace,
  update: updateMarketplaces,
  list: listMarketplaces,
  browse: browseMarketplaces,
};

/** `plugin marketplace [add|remove|update|list|browse]`; without a verb, what there is to install. */
export async function marketplaceRequest(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const [verb = 'browse', ...words] = request.words;
  const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (run) return run({ ...request, words }, desk);
  const names = Object.keys(verbs);
  const hint = didYouMean(verb, names);
  throw new AgentError('usage', `Unknown subcommand "${verb}". Available: ${names.join(', ')}.`, { hint });
}

/** Opens a marketplace by name; a known one is added first, if the user agrees. */
export async function openNamed(
  name: string,
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<OpenMarketplace> {
  const client = new MarketplaceClient(desk);
  if ((await client.list()).some((one) => one.name === name)) return client.open(name);
  const known = (await knownBeside(desk)).find((one) => one.name === name);
  if (!known) return client.open(name);
  const title = `The marketplace ${name} has not been added yet. Add it?`;
  if (!(await agrees(desk, request, { title, detail: describeSource(known.source) })))
    throw new AgentError('config', `The marketplace ${name} was not added.`);
  const added = await client.add(known.source);
  if (added.name === name) return added;
  throw new AgentError(
    'config',
    `The marketplace at ${describeSource(known.source)} calls itself "${added.name}".`,
  );
}

async function addMarketplace(request: PluginRequest, desk: PluginRequestServices): Promise<PluginAnswer> {
  const wanted = requiredWord(request, 'marketplace add SOURCE');
  const known = (await knownBeside(desk)).find(({ name }) => name === wanted);
  const source = known?.source ?? parseSource(wanted, { cwd: desk.cwd, home: desk.host.home });
  const { name, manifest } = await new MarketplaceClient(desk).add(source);
  return {
    isOk: true,
    text: [
      ...describeProblems(manifest.problems),
      `Added the marketplace ${name} with ${pluralize(manifest.entries.length, 'plugin')}. Install one: {robota}plugin install NAME@${name}`,
    ].join('\n'),
    data: { name, plugins: manifest.entries.map((entry) => entry.name), problems: manifest.problems },
  };
}

/** Its plugins go with it: nothing would update them any more. */
async function removeMarketplace(request: PluginRequest, desk: PluginRequestServices): Promise<PluginAnswer> {
  const name = requiredWord(request, 'marketplace remove NAME');
  const client = new MarketplaceClient(desk);
  await client.get(name);
  const installers = (['user', 'project'] as const).map((scope) => new BundleInstaller({ ...desk, scope }));
  const owned = await Promise.all(
    installers.map(async (installer) => {
      const plugins = (await installer.list()).filter(({ marketplace }) => marketplace === name);
      return plugins.map(({ id }) => ({ id, installer }));
    }),
  );
  const plugins = owned.flat();
  const detail = plugins.map(({ id }) => id).join('\n');
  const title = `Remove the marketplace ${name} and the plugins that came from it?`;
  if (plugins.length > 0 && !(await agrees(desk, request, { title, detail })))
    return { isOk: false, text: 'Nothing was removed.' };
  for (const { id, installer } of plugins) await installer.uninstall(id);
  await client.remove(name);
  const removed = plugins.map(({ id }) => id);
  const also = removed.length === 0 ? '' : `, and ${removed.join(', ')} with it`;
  return { isOk: true, text: `Removed the marketplace ${name}${also}.`, data: { name, plugins: removed } };
}

async function updateMarketplaces(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const client = new MarketplaceClient(desk);
  const names = request.words.length > 0 ? request.words : (await client.list()).map(({ name }) => name);
  const lines: string[] = [];
  let isOk = true;
  for (const name of names) {
    try {
      const { manifest } = await client.update(name);
      lines.push(
        ...describeProblems(manifest.problems),
        `${name}: ${pluralize(manifest.entries.length, 'plugin')}`,
      );
    } catch (thrown) {
      desk.signal?.throwIfAborted();
      isOk = false;
      lines.push(`${name}: not updated: ${endSentence(errorMessage(thrown))}`);
    }
  }
  return { isOk, text: lines.join('\n') || 'No marketplace has been added yet.', data: { names } };
}

async function listMarketplaces(_: PluginRequest, desk: PluginRequestServices): Promise<PluginAnswer> {
  const added = await new MarketplaceClient(desk).list();
  const known = (await knownBeside(desk)).filter(({ name }) => !added.some((one) => one.name === name));
  return {
    isOk: true,
    text: [
      ...added.map(
        ({ name, source, lastUpdated }) =>
          `${name}  ${describeSource(source)}  updated ${lastUpdated.slice(0, 10)}`,
      ),
      ...known.map(
        ({ name, source }) =>
          `${name}  ${describeSource(source)}  not added: {robota}plugin marketplace add ${name}`,
      ),
    ].join('\n'),
    data: [
      ...added.map(({ name, source, lastUpdated, path }) => ({
        name,
        source,
        lastUpdated,
        path,
        added: true,
      })),
      ...known.map(({ name, source }) => ({ name, source, added: false })),
    ],
  };
}

async function browseMarketplaces(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const client = new MarketplaceClient(desk);
  const [name] = request.words;
  const { open, problems } =
    name === undefined ? await client.openAll() : { open: [await client.open(name)], problems: [] };
  const lines = open.flatMap(({ manifest }) => [
    `${manifest.name}${manifest.owner === undefined ? '' : `, by ${manifest.owner}`}${manifest.description === '' ? '' : `: ${manifest.description}`}`,
    ...manifest.entries.map(
      (entry) =>
        `  ${entry.name}${entry.version === undefined ? '' : ` ${entry.version}`}  ${entry.description}`,
    ),
    ...describeProblems(manifest.problems).map((line) => `  ${line}`),
  ]);
  if (lines.length === 0) return { ...(await listMarketplaces(request, desk)), isOk: problems.length === 0 };
  return {
    isOk: true,
    text: [...describeProblems(problems), ...lines].join('\n'),
    data: open.map(({ manifest }) => ({
      name: manifest.name,
      plugins: manifest.entries.map((entry) => entry.name),
    })),
  };
}

/**
 * The built-in marketplace, those that settings name and those of other tools. What a project names is only a suggestion:
 * it is fetched when asked for, and a folder only if it is the project's own.
 */
async function knownBeside(desk: PluginRequestServices): Promise<readonly KnownMarketplace[]> {
  const layers = await readLayers('settings', desk, []);
  const ofSettings = layers.flatMap(({ value, fromProject, source: file }) => {
    const project = dirname(dirname(file));
    const known = marketplacesIn(value.extraKnownMarketplaces).map((one) => placed(one, project));
    return fromProject
      ? known.filter(({ source }) => source.kind !== 'local' || isOf(project, source.path))
      : known;
  });
  const named = [...ofSettings, ...(await knownElsewhere(desk))];
  // Nothing can pose as the built-in one.
  const known = new Map<string, KnownMarketplace>([[defaultMarketplace.name, defaultMarketplace]]);
  for (const one of named) if (!known.has(one.name)) known.set(one.name, one);
  return [...known.values()];
}

/** A folder that a file names is taken from the folder around that file's own. */
function placed({ name, source }: KnownMarketplace, directory: string): KnownMarketplace {
  return source.kind === 'local'
    ? { name, source: { ...source, path: resolve(directory, source.path) } }
    : { name, source };
}

function isOf(project: string, path: string): boolean {
  return orElse(() => isWithin(realpathSync(project), realpathSync(path)), false);
}

/** Marketplaces that were added in other tools. */
async function knownElsewhere({ host }: PluginRequestServices): Promise<readonly KnownMarketplace[]> {
  const files = dialects.flatMap((dialect) =>
    dialect.marketplaces === undefined ? [] : [join(userFolder(dialect, host), dialect.marketplaces)],
  );
  const read = await Promise.all(files.map((file) => readManifestFile(file).catch(() => undefined)));
  return read.flatMap((file) => marketplacesIn(file?.value));
}
