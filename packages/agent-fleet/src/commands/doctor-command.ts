import { statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { AgentError, describeProblem, errorMessage, makeDirectories } from '@robota-sdk/agent-core';
import { fleetFiles, privateFolderMode } from '../client/fleet-files.ts';
import { openClient } from '../client/open-client.ts';
import { describeResult } from '../console/describe-task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import type { FleetCommandResult, TaskSpec } from '../contract/task.ts';
import { promptTask, readTaskFile } from '../task/read-task.ts';
import { newTaskId } from '../task/task-id.ts';
import { assertRepository } from './add-command.ts';
import { optionFields } from './task-options.ts';
import { databaseOf } from './with-client.ts';

interface Finding {
  readonly status: 'ok' | 'warning' | 'broken';
  readonly area: string;
  readonly message: string;
}

const gigabyte = 2 ** 30;
const littleSpace = 2 * gigabyte;
/** Programs ask their servers whether a login is valid. */
const longestLoginMs = 15_000;

/** `robota fleet doctor`: tries what a fleet needs, and set-up and check of tasks on their untouched base. */
export async function fleetDoctorCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const specs = await specsOf(request, console);
  const findings: Finding[] = [];
  const tell = async (found: Finding) => {
    findings.push(found);
    const { status, area, message } = found;
    await console.print(
      request.has('json')
        ? `${JSON.stringify(found)}\n`
        : `${status.padEnd(7)}  ${area.padEnd(9)} ${message}\n`,
    );
  };
  for (const look of [findDatabase, findSpace, findSandboxing, findForges])
    await tell(await look(request, console));
  for (const spec of specs) await tell(await tryBaseline(spec, console));
  return findings.some(({ status }) => status === 'broken') ? exitCodes.failed : exitCodes.done;
}

/** The tasks to try: files, or the options of a task; none if neither is given. */
async function specsOf(request: FleetRequest, console: FleetConsole): Promise<readonly TaskSpec[]> {
  const fields = optionFields(request);
  const { cwd: directory } = console;
  if (request.words.length > 0)
    return Promise.all(request.words.map((file) => readTaskFile(file, { directory, fields })));
  return Object.keys(fields).length === 0 ? [] : [promptTask('doctor', { directory, fields })];
}

async function findDatabase(request: FleetRequest, console: FleetConsole): Promise<Finding> {
  const area = 'database';
  const database = databaseOf(request, console);
  try {
    const client = await openClient({ database, home: console.home });
    const [tasks, workers, [problem]] = [
      await client.tasks(),
      await client.workers(),
      await client.problems(),
    ];
    await client.close();
    if (problem) return { status: 'warning', area, message: describeProblem(problem) };
    const kind = database === undefined ? 'embedded' : 'Postgres';
    return { status: 'ok', area, message: `${kind}; ${tasks.length} tasks, ${workers.length} workers` };
  } catch (thrown) {
    return { status: 'broken', area, message: errorMessage(thrown) };
  }
}

async function findSpace(_: FleetRequest, { home }: FleetConsole): Promise<Finding> {
  const { directory } = fleetFiles(home);
  makeDirectories(directory, privateFolderMode);
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const message = `${(free / gigabyte).toFixed(1)} GB free in ${directory}`;
  return { status: free < littleSpace ? 'warning' : 'ok', area: 'disk', message };
}

async function findSandboxing(): Promise<Finding> {
  const { findSandbox } = await import('@robota-sdk/agent-sdk/front-end');
  const found = await findSandbox();
  if (found.kind !== 'missing') return { status: 'ok', area: 'sandbox', message: found.kind };
  const message = `${found.reason}. ${found.advice} Tasks need it unless they say sandbox: off.`;
  return { status: 'broken', area: 'sandbox', message };
}

/** Programs that open pull requests; tasks that deliver a branch need none. */
async function findForges(): Promise<Finding> {
  const area = 'delivery';
  const { forges } = await import('../workspace/deliver/forge.ts');
  const { forgeProgram } = await import('../workspace/deliver/run-forge.ts');
  const context = { cwd: homedir(), url: '', env: process.env, signal: AbortSignal.timeout(longestLoginMs) };
  const states: string[] = [];
  let status: Finding['status'] = 'warning';
  for (const forge of forges) {
    const run = forgeProgram(forge, context);
    if (!run) continue;
    const isLoggedIn = await forge.hasLogin(run).catch(() => false);
    if (isLoggedIn) status = 'ok';
    states.push(
      isLoggedIn ? `${forge.name} is logged in` : `${forge.name} has no valid login: run ${forge.login}`,
    );
  }
  if (states.length > 0) return { status, area, message: `${states.join('; ')} (for pull requests)` };
  const message = 'neither gh, glab nor tea is installed; deliver: pr and draft-pr need one';
  return { status, area, message };
}

/** Runs set-up and check on the base as a task would, and removes the files again. */
async function tryBaseline(spec: TaskSpec, console: FleetConsole): Promise<Finding> {
  const area = 'baseline';
  const finding = (status: Finding['status'], message: string) => ({
    status,
    area,
    message: `${spec.name}: ${message}`,
  });
  try {
    assertRepository(spec, false);
    if (spec.check === undefined && spec.setup === undefined) return finding('warning', 'it has no check');
    const results = await runOnBase(spec, console);
    const failed = results.find(({ exitCode }) => exitCode !== 0);
    if (!failed) return finding('ok', results.map(describeResult).join('; '));
    return finding('broken', `${describeResult(failed)}\n${failed.tail.trimEnd()}`);
  } catch (thrown) {
    if (AgentError.is(thrown) || thrown instanceof Error) return finding('broken', errorMessage(thrown));
    throw thrown;
  }
}

async function runOnBase(spec: TaskSpec, console: FleetConsole): Promise<readonly FleetCommandResult[]> {
  const { createWorkspaces } = await import('../workspace/open-workspace.ts');
  const { directory } = fleetFiles(console.home);
  const stop = new AbortController();
  const interrupts = console.onInterrupt(() => stop.abort());
  const workspace = await createWorkspaces({ home: { directory }, env: console.env }).open({
    taskId: newTaskId(),
    attempt: 1,
    repo: spec.repo,
    ...(spec.base === undefined ? {} : { base: spec.base }),
    signal: stop.signal,
    assertLease: async () => {},
  });
  try {
    const options = { signal: stop.signal, sandbox: spec.sandbox };
    const setUp = spec.setup === undefined ? [] : [await workspace.setUp(spec.setup, options)];
    const results = setUp.filter((result) => result !== 'cached');
    if (results.some(({ exitCode }) => exitCode !== 0) || spec.check === undefined) return results;
    return [...results, await workspace.run(spec.check, options)];
  } finally {
    interrupts.stop();
    // Traces of set-up and check are no work that has to be kept.
    await workspace.remove({ discard: true }).catch(() => workspace.close());
  }
}
