import { relative } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { type Extension, errorMessage } from '@robota-sdk/agent-core';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { type FoundExtension, findExtensions } from './find-extensions.ts';

export interface ExtensionPlace {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly config: LoadedConfig;
  /** Told of what goes wrong in an extension later. */
  onProblem(message: string): void;
}

/** The extensions of modules, and what was wrong with some. */
export interface LoadedExtensions {
  readonly extensions: readonly Extension<ResourceHost>[];
  readonly warnings: readonly string[];
}

/** Loads the modules of a project, its user and plugins. One that fails is named and costs itself alone. */
export async function loadExtensions(place: ExtensionPlace): Promise<LoadedExtensions> {
  const { cwd, host, config } = place;
  const places = { cwd, host, plugins: config.plugins };
  const { extensions: found, warnings } = await findExtensions(places, config.extensionPackages);
  if (found.length === 0) return { extensions: [], warnings };
  const loaded = await Promise.all(found.map((each) => load(each, place)));
  return {
    extensions: loaded.flatMap((each) => (typeof each === 'object' ? [each] : [])),
    warnings: [...warnings, ...loaded.filter((each) => typeof each === 'string')],
  };
}

/** Resolves with the extension, its problem, or undefined if it is untrusted, which was reported before. */
async function load(
  found: FoundExtension,
  place: ExtensionPlace,
): Promise<Extension<ResourceHost> | string | undefined> {
  const { cwd, onProblem } = place;
  const shown = shownPath(found, place);
  const allowed = await isAllowed(found, place);
  if (allowed === 'no') return undefined;
  if (allowed === 'changed')
    return `The extension ${shown} is not used: it changed while it was being agreed to.`;
  const [{ importExtension }, { guardExtension }, { extensionKit }] = await Promise.all([
    import('./import-extension.ts'),
    import('./guard-extension.ts'),
    import('./extension-kit.ts'),
  ]);
  try {
    const extension = await importExtension(found.path, extensionKit(cwd));
    return guardExtension(extension, { label: `"${extension.name}" (${shown})`, onProblem });
  } catch (thrown) {
    return `The extension ${shown} is not used, it could not be loaded: ${errorMessage(thrown)}`;
  }
}

async function isAllowed(
  found: FoundExtension,
  { cwd, config }: ExtensionPlace,
): Promise<'yes' | 'no' | 'changed'> {
  if (found.scope !== 'project') return 'yes';
  const { extensionDraft } = await import('./extension-drafts.ts');
  const draft = await extensionDraft(found, cwd);
  if (!config.trust?.allows(draft)) return 'no';
  return (await config.trust.isUnchanged(draft)) ? 'yes' : 'changed';
}

function shownPath({ path, packageName }: FoundExtension, { cwd, host }: ExtensionPlace): string {
  if (packageName !== undefined) return packageName;
  const fromHere = relative(cwd, path);
  if (!fromHere.startsWith('..')) return fromHere;
  return path.startsWith(`${host.home}/`) ? `~${path.slice(host.home.length)}` : path;
}
