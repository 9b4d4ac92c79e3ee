import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AgentError } from '@robota-sdk/agent-core';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import type { FleetClient, FleetCommand } from '../contract/client.ts';
import type { TaskSpec } from '../contract/task.ts';
import { parseTaskLines, promptTask, readTaskFile } from '../task/read-task.ts';
import { isGitUrl } from '../task/repository-at.ts';
import { newTaskId } from '../task/task-id.ts';
import { optionFields } from './task-options.ts';
import { databaseOf, withClient } from './with-client.ts';

/** `robota fleet add`: puts tasks into the queue and prints their ids. All of them are added, or none. */
export async function addCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const specs = await specsOf(request, console);
  for (const spec of specs) assertRepository(spec, databaseOf(request, console) !== undefined);
  const at = new Date().toISOString();
  const commands = specs.map((spec) => ({ type: 'add' as const, id: newTaskId(), spec, at }));
  const isIdle = await withClient(request, console, async (client) => {
    await assertDependencies(commands, client);
    await client.submit(commands);
    return console.isInteractive && (await client.workers()).length === 0;
  });
  const lines = commands.map(({ id, spec }) =>
    request.has('json') ? JSON.stringify({ id, name: spec.name, state: 'queued', createdAt: at }) : id,
  );
  await console.print(`${lines.join('\n')}\n`);
  if (isIdle) await console.note(`Queued. Start working with: ${console.program} fleet run`);
  return exitCodes.done;
}

/** The tasks that the words of a command stand for: task files, lines of JSON, or one prompt. */
export async function specsOf(request: FleetRequest, console: FleetConsole): Promise<readonly TaskSpec[]> {
  const { words } = request;
  const from = request.value('from');
  const overrides = optionFields(request);
  if (from !== undefined) {
    if (words.length > 0)
      throw new AgentError('usage', `--from takes its tasks from one place. Unexpected "${words[0]}".`);
    return linesFrom(from, console);
  }
  if (words.length === 0)
    throw new AgentError('usage', 'Missing prompt or task file.', {
      hint: { text: 'For example', run: ['fleet', 'add', 'fix the flaky test', '--check', 'npm test'] },
    });
  const files = words.filter((word) => isTaskFile(word, console.cwd));
  if (files.length === 0) return [promptTask(words.join(' '), { directory: console.cwd, fields: overrides })];
  const other = words.find((word) => !files.includes(word));
  if (other !== undefined)
    throw new AgentError('usage', `"${other}" is not a task file.`, {
      hint: 'Name task files only, or put a prompt in quotes.',
    });
  return Promise.all(files.map((file) => readTaskFile(file, { directory: console.cwd, fields: overrides })));
}

/** True for names of Markdown files; a prompt that is one word long is no path. */
export function isTaskFile(word: string, cwd: string): boolean {
  return !/\s/.test(word) && /\.(?:md|markdown)$/i.test(word)
    ? true
    : existsSync(resolve(cwd, word)) && /\.\w+$/.test(word);
}

async function linesFrom(from: string, console: FleetConsole): Promise<readonly TaskSpec[]> {
  const isInput = from === '-';
  const { readFile } = await import('node:fs/promises');
  const text = isInput
    ? await console.readInput()
    : await readFile(resolve(console.cwd, from), 'utf8').catch(() => {
        throw new AgentError('usage', `--from ${from}: the file cannot be read.`);
      });
  const specs = parseTaskLines(text, { name: isInput ? 'standard input' : from, directory: console.cwd });
  if (specs.length > 0) return specs;
  throw new AgentError('usage', `${isInput ? 'Standard input' : from} has no tasks.`);
}

/** A path that only other machines have is theirs to judge. */
export function assertRepository({ repo, name }: TaskSpec, isElsewhere: boolean): void {
  if (isGitUrl(repo) || existsSync(join(repo, '.git')) || (isElsewhere && !existsSync(repo))) return;
  throw new AgentError('usage', `Task "${name}": ${repo} is not a git repository.`, {
    hint: 'Name one with --repo or the field repo, or run git init there.',
  });
}

/** A task that waits for one that does not exist would wait forever. */
async function assertDependencies(
  commands: readonly Extract<FleetCommand, { type: 'add' }>[],
  client: FleetClient,
): Promise<void> {
  if (commands.every(({ spec }) => spec.after.length === 0)) return;
  const known = new Set<string>();
  for (const { id, name } of await client.tasks()) known.add(id).add(name);
  const added = new Map(commands.map(({ spec }) => [spec.name, spec]));
  for (const { spec } of commands) {
    const missing = spec.after.find((reference) => !known.has(reference) && !added.has(reference));
    if (missing !== undefined)
      throw new AgentError('usage', `Task "${spec.name}" comes after "${missing}", which does not exist.`, {
        hint: 'Add that one first, or with the same command.',
      });
    const circle = circleFrom(spec, (reference) => (known.has(reference) ? undefined : added.get(reference)));
    if (circle)
      throw new AgentError('usage', `Each of these tasks comes after the next: ${circle.join(', ')}.`, {
        hint: 'Remove one of the fields after.',
      });
  }
}

/** The names of tasks that wait for each other, from one of them back to it; undefined if there are none. */
function circleFrom(
  first: TaskSpec,
  find: (reference: string) => TaskSpec | undefined,
  path: readonly string[] = [],
): readonly string[] | undefined {
  if (path.includes(first.name)) return path[0] === first.name ? [...path, first.name] : undefined;
  for (const reference of first.after) {
    const next = find(reference);
    const circle = next && circleFrom(next, find, [...path, first.name]);
    if (circle) return circle;
  }
  return undefined;
}
