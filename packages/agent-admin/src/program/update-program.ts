import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  AgentError,
  acquireLock,
  makeDirectories,
  object,
  orElse,
  parseJson,
  text,
} from '@robota-sdk/agent-core';
import {
  askRegistry,
  compareVersions,
  configuredRegistry,
  fetchRelease,
  type NpmRegistry,
  type Offer,
  type Release,
} from '@robota-sdk/agent-resources';
import { removeStaleCheckHomes } from './check-home.ts';
import { ExecutableVersions } from './executable-versions.ts';
import { checkHealth } from './health-check.ts';
import { describeInstallation, findInstallation, type Installation } from './installation.ts';
import type { InstalledVersion, VersionStore } from './installed-version.ts';
import { NpmVersions } from './npm-versions.ts';
import { describeRunning, findRunning, type ProcessList } from './running-programs.ts';

/** The kinds of an update. */
export type UpdateRequest =
  | { readonly kind: 'check' }
  | { readonly kind: 'update'; readonly to?: string | undefined }
  | { readonly kind: 'back' };

/** The program that runs now. */
export interface ProgramInfo {
  readonly version: string;
  readonly file: string;
  readonly isExecutable: boolean;
  /** The words that start it again. */
  readonly command: readonly string[];
}

export interface UpdateServices {
  readonly program: ProgramInfo;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
  /** Shows progress. */
  say(text: string): void;
  readonly list?: ProcessList;
  /** Milliseconds without a byte after which a registry counts as stuck. */
  readonly idleMs?: number;
}

/** The result of an update; `changed` is true once another version is in use. */
export interface UpdateAnswer {
  readonly text: string;
  readonly isOk: boolean;
  readonly data: {
    readonly current: string;
    readonly latest?: string | undefined;
    readonly former?: string | undefined;
    readonly isNewer?: boolean;
    readonly changed: boolean;
    readonly installation: Installation;
  };
}

/** Looks for, installs or takes back a version of the program. The version in use works at every moment. */
export async function updateProgram(request: UpdateRequest, services: UpdateServices): Promise<UpdateAnswer> {
  const installation = findInstallation(services.program);
  if (request.kind === 'check') return check(installation, services);
  const store = storeOf(installation, services.program);
  if (store === undefined) return advise(installation, services.program.version);
  assertWritable(store.folder);
  await assertIdle(installation, services);
  const release = lock(store.lockFile);
  try {
    await store.clean();
    removeStaleCheckHomes();
    return await (request.kind === 'back' ? goBack : install)({ store, installation, services }, request);
  } catch (thrown) {
    // Half of a version would take up the room of a full disk.
    await store.clean().catch(() => {});
    throw thrown;
  } finally {
    release();
  }
}

interface Context {
  readonly store: VersionStore;
  readonly installation: Installation;
  readonly services: UpdateServices;
}

async function check(installation: Installation, services: UpdateServices): Promise<UpdateAnswer> {
  const store = storeOf(installation, services.program);
  const current = store?.current ?? services.program.version;
  const { offer, registry } = await ask(store?.packageName, installation, services);
  if (offer.latest === undefined)
    throw new AgentError('config', `The registry ${registry.url} names no latest version of Robota.`, {
      hint: 'Check the registry of npm (npm config get registry).',
    });
  const order = compareVersions(offer.latest, current) ?? 0;
  const isNewer = order > 0;
  const how = store === undefined ? adviceFor(installation) : 'Install it with: robota update';
  const text = isNewer
    ? `Robota ${offer.latest} is available; this is ${current}. ${how}`
    : order < 0
      ? newerThanLatest(current, offer.latest)
      : `Robota ${current} is up to date.`;
  const former = store?.former()?.version;
  return {
    text,
    isOk: true,
    data: { current, latest: offer.latest, former, isNewer, changed: false, installation },
  };
}

async function install(context: Context, request: UpdateRequest): Promise<UpdateAnswer> {
  const { store, installation, services } = context;
  const wanted = request.kind === 'update' ? request.to : undefined;
  const { offer, registry } = await ask(store.packageName, installation, services);
  const { current } = store;
  const release = findRelease(offer, wanted, store);
  const order = compareVersions(release.version, current) ?? 0;
  const data = { current, latest: offer.latest, changed: false, installation };
  if (release.version === current) return { text: `Robota ${current} is up to date.`, isOk: true, data };
  if (wanted === undefined && order < 0) {
    return { text: newerThanLatest(current, release.version), isOk: true, data };
  }
  assertRuns(release, installation);
  const next = store.find(release) ?? (await fetch({ release, registry }, context));
  return switchTo(next, context);
}

function newerThanLatest(current: string, latest: string): string {
  return `Robota ${current} is newer than the latest release, ${latest}. Use --to ${latest} to go back to it.`;
}

/** A version that the registry no longer has may still be installed. */
function findRelease(offer: Offer, wanted: string | undefined, store: VersionStore): Release {
  try {
    return offer.find(wanted ?? 'latest');
  } catch (thrown) {
    const former = store.former()?.version;
    if (!AgentError.is(thrown) || former === undefined || wanted?.replace(/^v/, '') !== former) throw thrown;
    throw new AgentError('config', `The registry has no version ${former}, but it is still installed.`, {
      hint: 'Switch to it with: robota update --back',
      cause: thrown,
    });
  }
}

async function fetch(
  { release, registry }: { readonly release: Release; readonly registry: NpmRegistry },
  { store, services: { say, signal } }: Context,
): Promise<InstalledVersion> {
  say(`Downloading ${release.name} ${release.version}`);
  const archive = await fetchRelease(release, registry, { maxBytes: store.maxArchiveBytes, signal });
  say('Unpacking it next to the current version');
  return store.add(release, archive);
}

async function goBack(context: Context): Promise<UpdateAnswer> {
  const former = context.store.former();
  if (former !== undefined) return switchTo(former, context);
  throw new AgentError('config', 'No previous version to go back to.', {
    hint: 'Install any version with: robota update --to VERSION',
  });
}

async function switchTo(
  next: InstalledVersion,
  { store, installation, services }: Context,
): Promise<UpdateAnswer> {
  const { say, env, signal, program } = services;
  say(`Checking that Robota ${next.version} works`);
  await checkHealth(next, { ownCommand: program.command, env, signal });
  // One may have been started meanwhile.
  await assertIdle(installation, services);
  signal.throwIfAborted();
  const former = store.current;
  say(`Switching to ${next.version}`);
  await store.use(next);
  const verb = (compareVersions(next.version, former) ?? 0) < 0 ? 'Went back from' : 'Updated from';
  const back = 'Return with: robota update --back';
  const text = [
    `${verb} ${former} to ${next.version}. ${back}`,
    ...fleetNote(next.version, installation),
  ].join('\n');
  return { text, isOk: true, data: { current: next.version, former, changed: true, installation } };
}

async function ask(
  name: string | undefined,
  { kind, path }: Installation,
  { env, home, signal, idleMs }: UpdateServices,
): Promise<{ readonly offer: Offer; readonly registry: NpmRegistry }> {
  const prefix = kind === 'npm' ? join(path, '../../../..') : undefined;
  const wanted = name ?? '@robota-sdk/agent-cli';
  const registry = configuredRegistry(wanted, { env, home, prefix });
  const timed = idleMs === undefined ? registry : { ...registry, idleMs };
  return { offer: await askRegistry(wanted, timed, signal), registry: timed };
}

function storeOf({ kind, path }: Installation, { version }: ProgramInfo): VersionStore | undefined {
  if (kind === 'npm') return new NpmVersions(path);
  return kind === 'executable' ? new ExecutableVersions({ file: path, version }) : undefined;
}

/** Only npm and the single executable are ours to change. */
function advise(installation: Installation, current: string): UpdateAnswer {
  const text = `This Robota is ${describeInstallation(installation)}. ${adviceFor(installation)}`;
  return { text, isOk: false, data: { current, changed: false, installation } };
}

function adviceFor({ kind, path, updateWith }: Installation): string {
  if (updateWith === undefined) return 'Update it the way it was installed.';
  const where = kind === 'clone' || kind === 'project' ? `cd ${shellWord(path)} && ` : '';
  return `Update it with: ${where}${updateWith}`;
}

/** A path that can be pasted into a shell; cmd knows only double quotes. */
function shellWord(path: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(path)) return path;
  return process.platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", `'\\''`)}'`;
}

function assertWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new AgentError('config', `${folder} cannot be written by this user.`, {
      hint: 'Run the command as the user who installed Robota (sudo robota update).',
    });
  }
}

/** Sessions, tasks and fleets load files of their version while they run, so nothing is switched under them. */
async function assertIdle(installation: Installation, { list }: UpdateServices): Promise<void> {
  const running = await findRunning(installation, list);
  if (running?.length === 0) return;
  if (running === undefined)
    throw new AgentError('config', 'The processes of this machine cannot be listed.', {
      hint: 'Close every Robota, then update it the way it was installed.',
    });
  const isFleet = running.some(({ line }) => / (?:fleet|worker) /.test(`${line} `));
  const hint = isFleet
    ? 'Let the fleet finish with: robota fleet drain. Close other sessions, then try again.'
    : 'Close it, then try again.';
  throw new AgentError('config', `Robota is running: ${describeRunning(running)}.`, { hint });
}

function assertRuns({ name, version, oldestNode, hasDependencies }: Release, { kind }: Installation): void {
  if (hasDependencies)
    throw new AgentError(
      'config',
      `${name} ${version} needs other packages, which robota update does not install.`,
      {
        hint: `Install it with: npm install -g ${name}@${version}`,
      },
    );
  const own = process.versions.node;
  if (kind !== 'npm' || oldestNode === undefined || isAtLeast(own, oldestNode)) return;
  throw new AgentError('config', `Robota ${version} needs Node ${oldestNode} or newer; this is ${own}.`, {
    hint: 'Install a newer Node first: https://nodejs.org',
  });
}

function isAtLeast(version: string, oldest: string): boolean {
  const [own = [], other = []] = [version, oldest].map((text) => text.split('.').map(Number));
  const at = [0, 1, 2].find((index) => (own[index] ?? 0) !== (other[index] ?? 0));
  return at === undefined || (own[at] ?? 0) > (other[at] ?? 0);
}

/** The optional package for fleets has to have the same version. */
function fleetNote(version: string, { kind, path }: Installation): readonly string[] {
  if (kind !== 'npm') return [];
  const manifest = join(dirname(path), 'agent-fleet', 'package.json');
  const fleet = versionShape.parse(parseJson(orElse(() => readFileSync(manifest, 'utf8'), '')));
  if (!fleet || fleet.version === version) return [];
  const command = `npm install -g @robota-sdk/agent-fleet@${version}`;
  return [`The fleet is still ${fleet.version}. Update it with: ${command}`];
}

const versionShape = object({ version: text });

/** One update at a time; the lock of a killed one is taken over. */
function lock(file: string): () => void {
  makeDirectories(dirname(file));
  try {
    return acquireLock(file);
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code !== 'session-in-use') throw thrown;
    throw new AgentError('config', 'Another update is running. Wait until it has ended.', { cause: thrown });
  }
}
