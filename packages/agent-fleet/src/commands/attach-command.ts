import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AgentError } from '@robota-sdk/agent-core';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { isEnded, type TaskDetails } from '../contract/task.ts';
import { exitCodeOf, type FollowTaskOptions, followTask } from './follow-command.ts';
import { databaseOf, onlyWord, requireTask, withClient } from './with-client.ts';

/** `robota fleet attach`: talks to a running task, or opens the session of one that is parked or ended. */
export async function attachCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const database = databaseOf(request, console);
  const words = await withClient(request, console, async (client) => {
    const task = await requireTask(client, onlyWord(request));
    return isEnded(task.state) || task.state === 'parked'
      ? sessionWords(task, { isInDatabase: database !== undefined })
      : talk(task, { client, console, database });
  });
  if (typeof words === 'number') return words;
  // In the environment, since other users can read the words of a command.
  const env = { ...console.env, ...(database === undefined ? {} : { ROBOTA_FLEET: database }) };
  return runInTerminal([...console.ownCommand, ...words], env);
}

/** Gives the terminal to a program until it ends. */
function runInTerminal(
  [program = '', ...words]: readonly string[],
  env: FleetConsole['env'],
): Promise<number> {
  const child = spawn(program, words, { stdio: 'inherit', env });
  // Ctrl+C is for the program in the terminal.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? exitCodes.failed));
  }).finally(() => process.off('SIGINT', ignore));
}

/** Follows a task and sends typed lines to it. Ending it leaves the task alone. */
async function talk(
  { id }: TaskDetails,
  { client, console, database }: Omit<FollowTaskOptions, 'signal' | 'isJson'>,
): Promise<number> {
  const end = new AbortController();
  const interrupts = console.onInterrupt(() => end.abort());
  const failures: unknown[] = [];
  const lines = console.onLine((line) => {
    if (line.trim() === '') return;
    client.submit([{ type: 'say', id, text: line }]).catch((thrown: unknown) => {
      failures.push(thrown);
      end.abort();
    });
  });
  await console.note('Type a line to send it to the task; Ctrl+C leaves it running.');
  try {
    const last = await followTask(id, { client, console, database, signal: end.signal, isJson: false });
    if (failures.length > 0) throw failures[0];
    return end.signal.aborted ? exitCodes.done : exitCodeOf(last);
  } finally {
    lines.stop();
    interrupts.stop();
  }
}

/** The words that open the session of a task in its worktree, or where its repository is once that is gone. */
function sessionWords(
  { id, sessionId, directory, spec }: TaskDetails,
  { isInDatabase }: { readonly isInDatabase: boolean },
): readonly string[] {
  if (sessionId === undefined) throw new AgentError('usage', `Task ${id} has no session yet.`);
  const place = [directory, spec.repo].find((each) => each !== undefined && existsSync(each));
  const from = isInDatabase ? ['--database', 'fleet'] : [];
  return ['--resume', sessionId, ...from, ...(place === undefined ? [] : ['--cwd', place])];
}
