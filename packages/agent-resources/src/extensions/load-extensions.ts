import { relative } from 'node:path';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import {
  type Extension,
  errorMessage,
  isProblem,
  type Problem,
  sentence,
  tildePath,
  warning,
} from '@robota-sdk/agent-core';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { type FoundExtension, findExtensions } from './find-extensions.ts';

export interface ExtensionContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly config: LoadedConfig;
  /** Called for later problems of an extension. */
  onProblem(problem: Problem): void;
}

/** The extensions of modules, and problems of some. */
export interface LoadedExtensions {
  readonly extensions: readonly Extension<ResourceHost>[];
  readonly problems: readonly Problem[];
}

/** Loads the modules of a project, its user and plugins. One that fails is named and costs itself alone. */
export async function loadExtensions(place: ExtensionContext): Promise<LoadedExtensions> {
  const { cwd, host, config } = place;
  const places = { cwd, host, plugins: config.plugins };
  const { extensions: found, problems } = await findExtensions(places, config.extensionPackages);
  if (found.length === 0) return { extensions: [], problems };
  const loaded = await Promise.all(found.map((each) => load(each, place)));
  return {
    extensions: loaded.flatMap((each) => (each && !isProblem(each) ? [each] : [])),
    problems: [...problems, ...loaded.flatMap((each) => (each && isProblem(each) ? [each] : []))],
  };
}

/** Resolves with the extension, its problem, or undefined if it is untrusted, which was reported before. */
async function load(
  found: FoundExtension,
  place: ExtensionContext,
): Promise<Extension<ResourceHost> | Problem | undefined> {
  const { cwd, onProblem } = place;
  const shown = shownPath(found, place);
  const allowed = await isAllowed(found, place);
  if (allowed === 'no') return undefined;
  if (allowed === 'changed') return unused(shown, 'it changed while you approved it.');
  const [{ importExtension }, { guardExtension }, { extensionKit }] = await Promise.all([
    import('./import-extension.ts'),
    import('./guard-extension.ts'),
    import('./extension-kit.ts'),
  ]);
  try {
    const extension = await importExtension(found.path, extensionKit(cwd));
    return guardExtension(extension, { label: `"${extension.name}" (${shown})`, onProblem });
  } catch (thrown) {
    return unused(shown, `it could not be loaded: ${errorMessage(thrown)}`);
  }
}

function unused(subject: string, why: string): Problem {
  const message = sentence`The extension ${{ extension: subject }} is not used: ${{ reason: why }}`;
  return warning('extension.unusable', message, { subject, isInactive: true });
}

async function isAllowed(
  found: FoundExtension,
  { cwd, config }: ExtensionContext,
): Promise<'yes' | 'no' | 'changed'> {
  if (found.scope !== 'project') return 'yes';
  const { extensionDraft } = await import('./extension-drafts.ts');
  const draft = await extensionDraft(found, cwd);
  if (!config.trust?.allows(draft)) return 'no';
  return (await config.trust.isUnchanged(draft)) ? 'yes' : 'changed';
}

function shownPath({ path, packageName }: FoundExtension, { cwd, host }: ExtensionContext): string {
  if (packageName !== undefined) return packageName;
  const fromHere = relative(cwd, path);
  if (!fromHere.startsWith('..')) return fromHere;
  return tildePath(path, host.home);
}
