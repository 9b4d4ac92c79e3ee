import { AgentError, describeProblems, didYouMean, endSentence, errorMessage } from '@robota-sdk/agent-core';
import type { InstalledPlugin } from '@robota-sdk/agent-resources';
import {
  BundleInstaller,
  compareVersions,
  describeReport,
  describeSource,
  type FoundEntry,
  type InstallPreview,
  type InstallRequest,
  MarketplaceClient,
  noMarketplace,
  type PluginSource,
  parseReference,
  parseSource,
  problemLines,
  readSource,
  referenceText,
} from '@robota-sdk/agent-resources';
import {
  agrees,
  type PluginAnswer,
  type PluginRequest,
  type PluginRequestServices,
  requiredWord,
} from '../request/plugin-request.ts';
import { openNamed } from './manage-marketplaces.ts';
import { installersOf } from './manage-plugins.ts';

/** `plugin install NAME[@MARKETPLACE] | SOURCE`. */
export async function installPlugin(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const wanted = requiredWord(request, 'install NAME[@MARKETPLACE], or install SOURCE');
  const installer = new BundleInstaller({ ...desk, scope: request.scope ?? 'user' });
  const target = isSource(wanted)
    ? { source: parseSource(wanted, { cwd: desk.cwd, home: desk.host.home }) }
    : targetOf(await findOffer(wanted, request, desk));
  let seen: InstallPreview | undefined;
  const confirm = (preview: InstallPreview) => {
    seen = preview;
    return agrees(desk, request, questionOf(preview));
  };
  const installed = await installer.install({ ...target, confirm }).catch((thrown: unknown) => {
    // A broken plugin is no mistake in the command line or the settings.
    if (!AgentError.is(thrown) || thrown.code !== 'config') throw thrown;
    return thrown;
  });
  if (AgentError.is(installed))
    return { isOk: false, text: `The plugin ${wanted} was not installed. ${installed.message}` };
  if (!installed) return { isOk: false, text: 'Nothing was installed.' };
  const notes = seen ? problemLines(seen.plugin) : [];
  const wrong = notes.length === 0 ? [] : ['Problems:', ...notes];
  const where = request.scope === 'project' ? ' in this project' : '';
  return {
    isOk: true,
    text: [
      ...wrong,
      `Installed ${installed.id} ${installed.version}${where}. It takes effect in the next session, or after /reload.`,
    ].join('\n'),
    data: { ...describeInstalled(installed), report: seen?.report, problems: notes },
  };
}

/** `plugin update [NAME]`: fetches marketplaces again and installs what is newer. */
export async function updatePlugins(
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<PluginAnswer> {
  const [wanted] = request.words;
  const lines: string[] = [];
  const updated: unknown[] = [];
  const fresh = new Map<string, Promise<unknown>>();
  const client = new MarketplaceClient(desk);
  let isOk = true;
  for (const installer of await installersOf(request, desk)) {
    const plugins = (await installer.list()).filter(
      ({ id, name }) => wanted === undefined || wanted === id || wanted === name,
    );
    for (const plugin of plugins) {
      try {
        if (plugin.marketplace !== noMarketplace && !fresh.has(plugin.marketplace))
          fresh.set(plugin.marketplace, client.update(plugin.marketplace));
        await fresh.get(plugin.marketplace);
        const { line, now } = await updateOne(plugin, { installer, request, desk });
        lines.push(line);
        if (now) updated.push(describeInstalled(now));
      } catch (thrown) {
        isOk = false;
        lines.push(`${plugin.id} ${plugin.version}: not updated: ${endSentence(errorMessage(thrown))}`);
      }
    }
  }
  if (lines.length === 0 && wanted !== undefined)
    throw new AgentError('config', `"${wanted}" is not installed here. {robota}plugin list shows what is.`);
  return { isOk, text: lines.join('\n') || 'No plugins are installed.', data: { updated } };
}

interface Updating {
  readonly installer: BundleInstaller;
  readonly request: PluginRequest;
  readonly desk: PluginRequestServices;
}

async function updateOne(
  plugin: InstalledPlugin,
  { installer, request, desk }: Updating,
): Promise<{ readonly line: string; readonly now?: InstalledPlugin }> {
  const target =
    plugin.marketplace === noMarketplace
      ? { source: readSource(plugin.source, { local: true }) }
      : targetOf(await findOffer(plugin.id, request, desk));
  let offered = plugin.version;
  const now = await installer.install({
    ...target,
    confirm: async (preview) => {
      offered = preview.version;
      return isNewer(offered, plugin.version) && agrees(desk, request, questionOf(preview));
    },
  });
  if (now) return { line: `${plugin.id}: ${plugin.version} → ${now.version}`, now };
  const why = isNewer(offered, plugin.version) ? 'left as it is' : newestLine(offered, plugin.version);
  return { line: `${plugin.id} ${plugin.version}: ${why}` };
}

/** Versions that can't be compared, such as commits, are newer when they differ. */
function isNewer(offered: string, installed: string): boolean {
  const order = compareVersions(offered, installed);
  return order === undefined ? offered !== installed : order > 0;
}

function newestLine(offered: string, installed: string): string {
  return offered === installed ? 'up to date' : `up to date; ${offered} is offered, which is older`;
}

/** Everything with a slash, a colon or a dot at its beginning is a place and no name. */
function isSource(text: string): boolean {
  return /^[.~/]|[/:]/.test(text);
}

/** Finds what a name means: in the marketplace it names, or in the only one that offers it. */
async function findOffer(
  wanted: string,
  request: PluginRequest,
  desk: PluginRequestServices,
): Promise<FoundEntry> {
  const { name, marketplace } = parseReference(wanted);
  if (marketplace !== undefined) return offerIn(await openNamed(marketplace, request, desk), name);
  const { open, problems } = await new MarketplaceClient(desk).openAll();
  const offers = open.flatMap((one) =>
    one.manifest.entries.filter((entry) => entry.name === name).map((entry) => ({ marketplace: one, entry })),
  );
  const [first, ...others] = offers;
  if (first && others.length === 0) return first;
  if (first) {
    const ids = offers.map((one) => referenceText({ name, marketplace: one.marketplace.name })).join(', ');
    throw new AgentError('config', `"${name}" may be any of ${ids}. Say which.`);
  }
  const names = open.flatMap((one) => one.manifest.entries.map((entry) => entry.name));
  const text = [...describeProblems(problems), notOffered(name, names, open.length)].join('\n');
  throw new AgentError('config', text, { subject: name, problems });
}

function offerIn(marketplace: FoundEntry['marketplace'], name: string): FoundEntry {
  const { entries, problems } = marketplace.manifest;
  const entry = entries.find((one) => one.name === name);
  if (entry) return { marketplace, entry };
  const own = problems.find(({ subject }) => subject === name);
  if (own) throw new AgentError('config', own.message, own);
  throw new AgentError(
    'config',
    notOffered(
      name,
      entries.map((one) => one.name),
      1,
    ),
  );
}

function notOffered(name: string, names: readonly string[], marketplaces: number): string {
  const hint = didYouMean(name, names, '"');
  if (hint !== undefined) return `No marketplace offers "${name}". ${hint}`;
  const advice =
    marketplaces === 0
      ? 'None has been added yet: {robota}plugin marketplace add SOURCE'
      : '{robota}plugin search WORD looks for others';
  return `No marketplace offers "${name}". ${advice}; for a folder write ./${name}.`;
}

function targetOf({ marketplace, entry }: FoundEntry): Omit<InstallRequest, 'confirm'> {
  const { name, path, commit } = marketplace;
  return { source: entry.source, offered: { marketplace: name, entry, inside: path, commit } };
}

function questionOf(preview: InstallPreview) {
  const { id, version, source, report, previous, plugin } = preview;
  const { description, author } = plugin.manifest;
  const change =
    previous === undefined ? `Install ${id} ${version}?` : `Replace ${id} ${previous.version} by ${version}?`;
  const problems = problemLines(plugin);
  return {
    title: change,
    detail: [
      ...(description === undefined ? [] : [description]),
      ...(author === undefined ? [] : [`by ${author}`]),
      `from ${placeOf(source, id)}`,
      describeReport(report),
      ...(problems.length === 0 ? [] : ['Problems:', ...problems.map((line) => `  ${line}`)]),
    ].join('\n'),
  };
}

function placeOf(source: PluginSource, id: string): string {
  const [, marketplace] = id.split('@');
  return source.kind === 'inside'
    ? `${source.path || 'the root'} of the marketplace ${marketplace}`
    : describeSource(source);
}

function describeInstalled({ id, name, marketplace, version, path, seal }: InstalledPlugin) {
  return { id, name, marketplace, version, path, hash: seal.hash };
}
