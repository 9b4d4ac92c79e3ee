import { type HostEnvironment, ignoredFilesOf } from '@robota-sdk/agent-config';
import {
  decide,
  type Extension,
  endSentence,
  errorMessage,
  type Problem,
  sentence,
  type UserInterface,
  warning,
} from '@robota-sdk/agent-core';
import { guardExtension } from '../extensions/guard-extension.ts';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { componentDraft } from './component-drafts.ts';
import { componentTitle } from './component-title.ts';
import { describeComponent } from './describe-component.ts';
import type { FoundComponent } from './find-components.ts';
import type { Grants, PathJudge } from './plugin-types.ts';
import { type ReadComponent, readComponent } from './read-component.ts';
import { type ReadyOptions, readyComponent } from './ready-component.ts';

export interface ComponentContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly config: LoadedConfig;
  /** Asks for permissions; without it, unapproved ones are denied. */
  readonly ui?: UserInterface | undefined;
  /** Called for later problems of an extension. */
  onProblem(problem: Problem): void;
}

/** A component that is in use. */
export interface LoadedComponent {
  readonly path: string;
  /** Identifies the version of its files. */
  readonly seal: string;
  readonly extension: Extension<ResourceHost>;
}

/** The components in use, and problems of some. */
export interface LoadedComponents {
  readonly components: readonly LoadedComponent[];
  readonly problems: readonly Problem[];
}

/**
 * Loads WebAssembly components as extensions. A failing one is reported and skipped; one with unchanged files is reused
 * from `before`.
 */
export async function loadComponents(
  found: readonly FoundComponent[],
  place: ComponentContext,
  before: readonly LoadedComponent[] = [],
): Promise<LoadedComponents> {
  const components: LoadedComponent[] = [];
  const problems: Problem[] = [];
  // Sequential: each may ask the user, and transpiling uses all cores.
  for (const each of found) {
    const warn = (problem: Problem) => void problems.push(problem);
    const loaded = await loadOne(each, { ...place, before, warn }).catch((thrown: unknown) =>
      warn(unused(componentTitle(each.path, place), endSentence(errorMessage(thrown)))),
    );
    if (loaded) components.push(loaded);
  }
  return { components, problems };
}

interface Loading extends ComponentContext {
  readonly before: readonly LoadedComponent[];
  warn(problem: Problem): void;
}

function unused(subject: string, why: string): Problem {
  const message = sentence`The extension ${{ extension: subject }} is not used: ${{ reason: why }}`;
  return warning('extension.unusable', message, { subject, isInactive: true });
}

async function loadOne(found: FoundComponent, loading: Loading): Promise<LoadedComponent | undefined> {
  if (!(await isAllowed(found, loading))) return undefined;
  const read = await readComponent(found);
  const known = loading.before.find(({ path, seal }) => path === found.path && seal === read.seal);
  if (known) return known;
  const { PluginInstance, wasmExtension } = await import('@robota-sdk/agent-plugin-wasm');
  const { host, onProblem } = loading;
  const description = await describeComponent(read, { host, onMake: () => tellOfMaking(found, loading) });
  const instance = new PluginInstance({
    load: (signal) => readyAgain(read, { host, signal }),
    limits: read.manifest.limits,
    services: await servicesFor(read, loading),
  });
  const label = `"${description.name}" (${componentTitle(found.path, loading)})`;
  const extension = guardExtension(wasmExtension({ description, instance }), { label, onProblem });
  return { path: found.path, seal: read.seal, extension };
}

/** Transpiling takes seconds, so it is reported. */
function tellOfMaking({ path }: FoundComponent, loading: Loading): void {
  const title = componentTitle(path, loading);
  if (loading.ui) loading.ui.notify({ level: 'info', text: `Preparing the extension ${title} …` });
  else {
    const message = sentence`The extension ${{ extension: title }} was prepared to run; this is done once.`;
    loading.warn({ code: 'extension.prepared', severity: 'info', ...message, subject: title });
  }
}

/** The cache entry may be missing or damaged; it is rebuilt from the same content. */
async function readyAgain({ found, hash }: ReadComponent, options: ReadyOptions) {
  const { ComponentCache } = await import('./component-cache.ts');
  const kept = await new ComponentCache(options.host).read(hash);
  if (kept) return kept;
  const now = await readComponent(found);
  if (now.hash !== hash) throw new Error('its file has changed; /reload loads it as it is now');
  return readyComponent(now, options);
}

async function isAllowed(found: FoundComponent, { cwd, config, warn }: Loading): Promise<boolean> {
  if (found.scope !== 'project') return true;
  const draft = await componentDraft(found, cwd);
  if (!config.trust?.allows(draft)) return false;
  if (await config.trust.isUnchanged(draft)) return true;
  warn(unused(draft.name, 'it changed since you approved it. A new session asks again.'));
  return false;
}

async function servicesFor(read: ReadComponent, loading: Loading) {
  const { HostServices } = await import('@robota-sdk/agent-plugin-wasm');
  const { cwd, host } = loading;
  return new HostServices({
    grants: await grantsOf(read, loading),
    config: read.manifest.config,
    cwd,
    home: host.home,
    env: host.env,
    judge: judgeBy(loading),
  });
}

/** Approval of a repository or plugin covers its components. */
async function grantsOf(read: ReadComponent, loading: Loading): Promise<Grants> {
  const { asksForGrants, emptyManifest } = await import('@robota-sdk/agent-plugin-wasm');
  const { manifest, found } = read;
  if (found.scope !== 'user' || !asksForGrants(manifest)) return manifest.grants;
  const { approveGrants } = await import('./approve-grants.ts');
  const answer = await approveGrants(read, loading);
  if (answer.isApproved) return manifest.grants;
  if (answer.problem !== undefined) loading.warn(answer.problem);
  return emptyManifest.grants;
}

/** A grant allows no file that a rule denies, and none by which a plugin could change what runs. */
function judgeBy({ cwd, host, config }: ComponentContext): PathJudge {
  const workspace = { cwd, additional: [], home: host.home };
  const ignored = ignoredFilesOf(config, workspace);
  return async (kind, path) => {
    const rules = { allow: [], ask: [], deny: config.settings.permissions.deny };
    const access = [{ kind, path, real: path }];
    const decision = await decide(
      { mode: 'default', rules, ignored, workspace },
      { tool: kind === 'read' ? 'Read' : 'Write', access },
    );
    if (decision.verdict === 'deny' && decision.rule) return decision.reason;
    return decision.isProtected ? `${path} is protected` : undefined;
  };
}
