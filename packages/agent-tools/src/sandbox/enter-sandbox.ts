import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AgentError, type StateKey, type ToolContext } from '@robota-sdk/agent-core';
import { hiddenNow } from '../ignored/ignore-files.ts';
import { blockedRemarks, grantRemark, quoteWord } from './blocked-remarks.ts';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import { cacheEnvironment } from './cache-environment.ts';
import { findSandbox, type SandboxTool } from './find-sandbox.ts';
import { HostProxy } from './host-proxy.ts';
import { plantedLinks, plantedRepositories } from './planted-repositories.ts';
import { launchBehindProxy, nodeProgram, proxyEnvironment } from './proxy-launcher.ts';
import { type SandboxDirectory, sandboxDirectory } from './sandbox-directory.ts';
import { planSandbox, type SandboxPlan } from './sandbox-plan.ts';
import { sandboxAccess } from './sandbox-policy.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';
import { setAside } from './set-aside.ts';
import { watchRepositories } from './watch-repositories.ts';

/** The part of a call's context that its sandbox needs. */
export interface SandboxContext extends Pick<ToolContext, 'workspace' | 'state' | 'env' | 'outputDir'> {
  readonly ui: Pick<ToolContext['ui'], 'notify'>;
  /** More files that the program may read. */
  readonly visible?: readonly string[];
}

/** The sandbox of one command. */
export interface Sandbox {
  /** Variables the command needs inside. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the command line that runs another one inside. */
  wrap(argv: readonly string[]): string[];
  /** Reports what was blocked, judging by the output, and what would allow it. */
  remarksOn(text: string, outcome: { readonly failed: boolean }): string[];
  /**
   * Renames repositories that the command plants while it runs: those that an index names immediately, and for
   * background commands all others too. Reports what was renamed.
   */
  watch(command: { readonly inBackground: boolean }, onUndone: (remarks: readonly string[]) => void): void;
  /** Reverts forbidden changes after the command has ended; returns remarks about them. */
  end(command: { readonly inBackground: boolean }): string[];
}

/**
 * Creates the sandbox for a command of this session; undefined if sandboxing is off. Throws if a sandbox is required
 * but unavailable; warns once if it is only preferred.
 */
export async function enterSandbox(
  context: SandboxContext,
  find: () => Promise<SandboxTool> = findSandbox,
): Promise<Sandbox | undefined> {
  const { mode, policy } = context.state.get(sandboxAccess);
  if (mode === 'off') return undefined;
  const tool = await find();
  if (tool.kind === 'missing') {
    if (mode === 'required') throw refusal(tool);
    warnOnce(tool, context);
    return undefined;
  }
  const { workspace, outputDir } = context;
  const plan = planSandbox({
    ignored: hiddenNow(context.state),
    workspace,
    policy,
    visible: [outputDir, ...(context.visible ?? [])].filter((path) => existsSync(path)),
    path: context.env.PATH,
  });
  return openSandbox({ tool, plan, directory: context.state.get(sandboxDirectory), context });
}

interface SandboxRequest {
  readonly tool: Exclude<SandboxTool, { kind: 'missing' }>;
  readonly plan: SandboxPlan;
  readonly directory: SandboxDirectory;
  readonly context: SandboxContext;
}

async function openSandbox({ tool, plan, directory, context }: SandboxRequest): Promise<Sandbox> {
  const isBubblewrap = tool.kind === 'bubblewrap';
  const socket = isBubblewrap && typeof plan.network === 'object' ? directory.nextSocket() : undefined;
  const proxy = await startProxy(plan, socket);
  const temporaryMounts = ['/tmp', '/var/tmp'].filter((path) => isBubblewrap && existsSync(path));
  const temporary = isBubblewrap ? '/tmp' : directory.temporary;
  let stopWatching = () => {};
  return {
    env: {
      TMPDIR: temporary,
      ...cacheEnvironment({ plan, temporary, home: context.workspace.home, env: context.env }),
      ...(proxy && proxyEnvironment(proxy.port)),
    },
    wrap: (argv) => {
      if (!isBubblewrap) return [tool.file, '-p', profile({ plan, directory, context, proxy }), ...argv];
      const host = {
        temporary: directory.temporary,
        unreadable: directory.unreadable,
        temporaryMounts,
        proxySocket: socket,
        node: proxy && nodeProgram(),
        hasRun: existsSync('/run'),
        kernelSettings: kernelSettings(),
        copies: copiesFor(plan, directory),
      };
      return [tool.file, ...bubblewrapArguments(plan, host), ...(proxy ? launchBehindProxy(argv) : argv)];
    },
    remarksOn: (text, { failed }) =>
      blockedRemarks({
        plan,
        home: context.workspace.home,
        text,
        failed,
        blockedHosts: proxy?.blocked ?? [],
        replaced: [...temporaryMounts, '/dev', '/proc', '/run', '/sys'],
      }),
    watch: ({ inBackground }, onUndone) => {
      stopWatching();
      stopWatching = watchRepositories(plan.repositories, inBackground ? 'all' : 'links', (planted) => {
        const remarks = undoneRemarks(planted);
        if (remarks.length > 0) onUndone(remarks);
      });
    },
    end: ({ inBackground }) => {
      stopWatching();
      proxy?.close();
      if (socket !== undefined) rmSync(socket, { force: true });
      // The user works during a background command: new files in the workspace may be theirs.
      const absent = inBackground ? plan.absentFromGit : [...plan.absent, ...plan.absentFromGit];
      const undone = undoneRemarks([...absent, ...plantedRepositories(plan.repositories)]);
      return [...undone, ...plantedLinks(plan.repositories).map(linkRemark)];
    },
  };
}

function copiesFor({ places }: SandboxPlan, directory: SandboxDirectory): ReadonlyMap<string, string> {
  return new Map(
    places.flatMap(({ path, shownAs }) =>
      shownAs === undefined ? [] : [[path, directory.copyOf(shownAs)] as const],
    ),
  );
}

function startProxy({ network }: SandboxPlan, socket: string | undefined): Promise<HostProxy> | undefined {
  if (typeof network !== 'object') return undefined;
  const { allow } = network;
  return HostProxy.start(socket === undefined ? { allow } : { allow, socket });
}

function profile(parts: Omit<SandboxRequest, 'tool'> & { readonly proxy: HostProxy | undefined }): string {
  const { workspace } = parts.context;
  return seatbeltProfile(parts.plan, {
    temporary: parts.directory.temporary,
    proxyPort: parts.proxy?.port,
    roots: [workspace.cwd, ...workspace.additional],
  });
}

function undoneRemarks(watched: readonly string[]): string[] {
  const moved = setAside(watched);
  // Parts of a renamed directory need no remark of their own.
  const whole = moved.filter(({ path }) => !moved.some((other) => path.startsWith(`${other.path}/`)));
  return whole.map(({ path, movedTo }) =>
    grantRemark(`${path} is protected and must not be created, so it was renamed to ${movedTo}`, {
      flag: '--sandbox-write',
      setting: 'sandbox.writable',
      value: basename(path) === 'HEAD' ? dirname(path) : path,
    }),
  );
}

/** The link itself runs nothing, but git at the root would look into the next repository at its path. */
function linkRemark(path: string): string {
  return `sandbox: the index of git now names ${path} as a repository of its own; git rm --cached ${quoteWord(path)} removes that`;
}

function refusal({ reason, advice }: SandboxTool & { kind: 'missing' }): AgentError {
  return new AgentError(
    'tool',
    `The command was not started: the sandbox is required, but ${reason}. ${advice}`,
  );
}

const warned: StateKey<{ isDone: boolean }> = { name: 'sandboxWarned', create: () => ({ isDone: false }) };

function warnOnce({ reason, advice }: SandboxTool & { kind: 'missing' }, context: SandboxContext): void {
  const warning = context.state.get(warned);
  if (warning.isDone) return;
  warning.isDone = true;
  context.ui.notify({ level: 'warning', text: `Commands run without a sandbox: ${reason}. ${advice}` });
}

/**
 * Everything in `/proc` that belongs to the kernel, not to a process: directories and writable files. Root owns most of
 * it and needs no capability to change it. Some of it names programs that the kernel starts outside every namespace.
 */
export function kernelSettings(): readonly string[] {
  return readdirSync('/proc', { withFileTypes: true })
    .filter((entry) => !/^\d+$/.test(entry.name) && !entry.isSymbolicLink())
    .filter((entry) => entry.isDirectory() || isWritable(join('/proc', entry.name)))
    .map((entry) => join('/proc', entry.name));
}

function isWritable(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o222) !== 0;
}
