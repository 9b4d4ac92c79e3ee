import { spawn } from 'node:child_process';
import type { HostEnvironment } from '@robota-sdk/agent-config';
import { AgentError, describeExit, helperEnvironment, programWords, shorten } from '@robota-sdk/agent-core';
import { askRegistry, compareVersions, configuredRegistry } from '@robota-sdk/agent-resources';
import {
  describeInstallation,
  findInstallation,
  type Installation,
  prefixOf,
  programPackage,
} from './installation.ts';
import { sessionHolder } from './session-holder.ts';

/** The kinds of an update. */
export type UpdateRequest =
  | { readonly kind: 'check' }
  | { readonly kind: 'update'; readonly to?: string | undefined };

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
  readonly host: HostEnvironment;
  readonly signal: AbortSignal;
  /** Asks before a command is run; false keeps everything. */
  confirm(command: string): Promise<boolean>;
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

/** Looks for a version of the program, or lets the package manager that installed this one install it. */
export async function updateProgram(request: UpdateRequest, services: UpdateServices): Promise<UpdateAnswer> {
  const { program, host, signal, confirm } = services;
  const installation = findInstallation(program);
  const current = program.version;
  const data = { current, changed: false, installation };
  const { install } = installation;
  if (request.kind === 'update' && install === undefined)
    return {
      text: `This Robota is ${describeInstallation(installation)}. ${adviceFor(installation)}`,
      isOk: false,
      data,
    };

  const prefix = installation.kind === 'npm' ? prefixOf(installation.path) : undefined;
  const registry = configuredRegistry(programPackage, { ...host, prefix });
  const offer = await askRegistry(programPackage, registry, signal);
  const { latest } = offer;
  if (request.kind === 'check') {
    if (latest === undefined)
      throw new AgentError('config', `The registry ${registry.url} names no latest version of Robota.`, {
        hint: 'Check the registry of npm (npm config get registry).',
      });
    const isNewer = (compareVersions(latest, current) ?? 0) > 0;
    const advice = install === undefined ? adviceFor(installation) : 'Install it with: robota update';
    const text = isNewer
      ? `Robota ${latest} is available; this is ${current}. ${advice}`
      : nothingNewer(current, latest);
    return { text, isOk: true, data: { ...data, latest, isNewer } };
  }

  const { version, oldestNode } = offer.find(request.to ?? 'latest');
  const order = compareVersions(version, current) ?? 0;
  if (version === current || (request.to === undefined && order < 0))
    return { text: nothingNewer(current, version), isOk: true, data: { ...data, latest } };
  const node = process.versions.node;
  // The registry may name 20 or 20.19.
  const oldest = [...(oldestNode ?? '0').split('.'), '0', '0'].slice(0, 3).join('.');
  if ((compareVersions(node, oldest) ?? 0) < 0)
    throw new AgentError('config', `Robota ${version} needs Node ${oldestNode} or newer; this is ${node}.`, {
      hint: 'Install a newer Node first: https://nodejs.org',
    });
  const holder = sessionHolder(host);
  if (holder !== undefined)
    throw new AgentError('config', `A session is in use by ${holder}.`, {
      hint: 'Close it, or let a fleet finish with robota fleet drain; then try again.',
    });

  const command = [...(install ?? []), `${programPackage}@${version}`];
  if (!(await confirm(commandLine(command)))) return { text: 'Nothing was changed.', isOk: false, data };
  await installWith(command, version, { ...services, installation });
  const verb = order < 0 ? 'Went back from' : 'Updated from';
  const text = `${verb} ${current} to ${version}. Return with: robota update --to ${current}`;
  return {
    text,
    isOk: true,
    data: { current: version, former: current, latest, changed: true, installation },
  };
}

/** Runs the package manager, and makes sure that the wanted version starts. */
async function installWith(
  command: readonly string[],
  version: string,
  { program, host, signal, installation }: UpdateServices & { readonly installation: Installation },
): Promise<void> {
  // In the home, since a project's .npmrc must not choose where programs come from.
  const cwd = host.home;
  const env = { ...helperEnvironment({ env: host.env }), ...managerVariables(host.env) };
  const download = installation.download && [...installation.download, command.at(-1) ?? ''];
  if (download) {
    const { end } = await run(download, { cwd, env, signal, stdio: ['ignore', 2, 2] });
    signal.throwIfAborted();
    if (end !== 'exit code 0')
      throw failure(`${commandLine(download)} failed with ${end}.`, stillUsed(program));
  }
  // In a group of its own: a Ctrl+C between removing one version and unpacking the next would leave none.
  const ended = await run(command, { cwd, env, stdio: ['ignore', 2, 2], detached: true });
  const start = [...program.command, '--version'];
  const printed = await run(start, { cwd, env, stdio: ['ignore', 'pipe', 2] });
  const found = printed.output.trim();
  if (found === version) return;
  const former = commandLine([...command.slice(0, -1), `${programPackage}@${program.version}`]);
  const shown = found === '' ? `failed with ${printed.end}` : `still prints ${shorten(found, 80)}`;
  throw failure(
    ended.end === 'exit code 0'
      ? `${commandLine(command)} succeeded, but robota --version ${shown}.`
      : `${commandLine(command)} failed with ${ended.end}.`,
    found === program.version ? stillUsed(program) : `Install the former version with: ${former}`,
  );
}

function failure(what: string, hint: string): AgentError {
  return new AgentError('config', what, { hint });
}

function stillUsed({ version }: ProgramInfo): string {
  return `Robota ${version} is still in use. If files cannot be written, run the command as the user who installed Robota.`;
}

/** Variables for package managers: their folders, registries and tokens, and the proxy. */
const neededVariable =
  /^(?:npm_config_\S+|npm_token|node_auth_token|pnpm_home|volta_home|bun_install|yarn_\w+|(?:https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_file)$/i;

function managerVariables(env: HostEnvironment['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => neededVariable.test(name)));
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly stdio: ['ignore', 2 | 'pipe', 2];
  readonly detached?: boolean;
}

function run(words: readonly string[], options: RunOptions): Promise<{ end: string; output: string }> {
  const [program = '', ...args] = programWords(words);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      ...options,
      windowsVerbatimArguments: process.platform === 'win32',
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', (error) => resolve({ end: error.message, output }));
    child.once('close', (code, signal) => resolve({ end: describeExit({ code, signal }), output }));
  });
}

function nothingNewer(current: string, latest: string): string {
  if (current === latest) return `Robota ${current} is up to date.`;
  return `Robota ${current} is newer than the latest release, ${latest}. Use --to ${latest} to go back to it.`;
}

function adviceFor({ kind, path, updateWith }: Installation): string {
  if (updateWith === undefined) return 'Update it the way it was installed.';
  const where = kind === 'clone' || kind === 'project' ? `cd ${shellWord(path)} && ` : '';
  return `Update it with: ${where}${updateWith}`;
}

function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** A word that can be pasted into a shell; cmd knows only double quotes. */
function shellWord(word: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
