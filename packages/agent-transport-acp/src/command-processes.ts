import { execFile } from 'node:child_process';
import { findProgram, helperEnvironment } from '@robota-sdk/agent-sdk/front-end';

/** A process of a command, told from a later one with the same number. */
export interface CommandProcess {
  readonly pid: number;
  readonly started: string;
}

/** How long processes that were asked to end may take to do so. */
const graceMs = 1000;
const pollMs = 50;

/** The processes that run a script and all that they started; none where they are on another machine. */
export async function processesOf(script: string): Promise<readonly CommandProcess[]> {
  const all = await listProcesses();
  const own = new Set(all.filter(({ command }) => command.includes(script)).map(({ pid }) => pid));
  for (let count = -1; count !== own.size; ) {
    count = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.filter(({ pid }) => own.has(pid));
}

/** Ends processes that are left, by force where they take too long. */
export async function endProcesses(processes: readonly CommandProcess[]): Promise<void> {
  let left = processes.filter(({ pid }) => signal(pid, 'SIGTERM'));
  for (let waited = 0; left.length > 0 && waited < graceMs; waited += pollMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    left = left.filter(({ pid }) => signal(pid, 0));
  }
  if (left.length === 0) return;
  const now = await listProcesses();
  for (const { pid, started } of left)
    if (now.some((each) => each.pid === pid && each.started === started)) signal(pid, 'SIGKILL');
}

interface ListedProcess extends CommandProcess {
  readonly parent: number;
  readonly command: string;
}

const line = /^\s*(\d+)\s+(\d+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/s;

function listProcesses(): Promise<readonly ListedProcess[]> {
  const columns = ['-A', '-ww', '-o', 'pid=,ppid=,lstart=,args='];
  const options = { env: { ...helperEnvironment(), LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 };
  const program = findProgram('ps', { before: ['/usr/bin', '/bin'] });
  return new Promise((resolve) => {
    if (program === undefined) return resolve([]);
    execFile(program, columns, options, (error, output) => {
      if (error) return resolve([]);
      const rows = output.split('\n').map((row) => line.exec(row) ?? []);
      resolve(
        rows.flatMap(([, pid, parent, started, command]) =>
          started === undefined || command === undefined
            ? []
            : [{ pid: Number(pid), parent: Number(parent), started, command }],
        ),
      );
    });
  });
}

/** True if there was such a process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
