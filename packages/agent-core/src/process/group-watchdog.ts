import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Kills process groups when this process ends, even by `kill -9`. */
export interface GroupWatchdog {
  /** Watches a group that was started with `guarded`; the returned function releases it. */
  guard(leader: number): () => void;
  /** Removes a temporary directory when this process ends. Its path must not contain a line break. */
  removeAtEnd(directory: string): void;
  /** The pipe on which groups report: descriptor 3 of a guarded command. */
  readonly channel: Writable;
}

/**
 * A command line that first reports to the watchdog. If this process reported it and was killed in between, the command
 * would be orphaned.
 */
export function guarded(command: readonly string[]): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', 'echo "+$$" >&3; exec 3>&-; exec "$@"', 'sh', ...command];
}

/**
 * A shell that reads the groups to watch from a pipe. The pipe closes with this process, even after `kill -9`; then all
 * listed groups are killed, including processes that moved to another group of the same session.
 */
const script = `groups=' '
set --
while IFS= read -r line; do
  case $line in
    /*) set -- "$@" "$line" ;;
    +*) groups="$groups\${line#+} " ;;
    -*) case $groups in *" \${line#-} "*) groups="\${groups%% \${line#-} *} \${groups#* \${line#-} }" ;; esac ;;
  esac
done
for directory; do [ ! -e "$directory" ] || /bin/rm -rf -- "$directory" & done
for round in 1 2; do
  for leader in $groups; do kill -KILL -- "-$leader"; done
  [ "$groups" = ' ' ] || for stat in /proc/[0-9]*/stat; do
    IFS= read -r line <"$stat" || continue
    pid=\${line%% *}
    set -- \${line##*) }
    case $groups in *" $4 "*) kill -KILL "$pid" ;; esac
  done
done`;

let current: ShellWatchdog | undefined;

/** Starts the watchdog with the first command; later calls return the same one. Undefined on Windows. */
export async function startGroupWatchdog(): Promise<GroupWatchdog | undefined> {
  if (process.platform === 'win32') return undefined;
  const { spawn } = await import('node:child_process');
  if (current?.isRunning) return current;
  // Detached from the terminal, whose signals this process handles.
  const child = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  current = new ShellWatchdog(child, current);
  return current;
}

class ShellWatchdog implements GroupWatchdog {
  readonly leaders = new Set<number>();
  readonly directories = new Set<string>();
  readonly #child: ChildProcess;
  #isRunning: boolean;

  constructor(child: ChildProcess, previous: ShellWatchdog | undefined) {
    this.#child = child;
    this.#isRunning = child.pid !== undefined;
    const stop = () => {
      this.#isRunning = false;
    };
    child.once('error', stop);
    child.once('exit', stop);
    child.stdin?.on('error', stop);
    child.unref();
    (child.stdin as { unref?: () => void } | null)?.unref?.();
    for (const leader of previous?.leaders ?? []) {
      this.guard(leader);
      this.#tell(`+${leader}`);
    }
    for (const directory of previous?.directories ?? []) this.removeAtEnd(directory);
  }

  get channel(): Writable {
    return this.#child.stdin as Writable;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  guard(leader: number): () => void {
    this.leaders.add(leader);
    return () => {
      if (this.leaders.delete(leader)) this.#tell(`-${leader}`);
    };
  }

  removeAtEnd(directory: string): void {
    if (!directory.startsWith('/') || directory.includes('\n')) return;
    this.directories.add(directory);
    this.#tell(directory);
  }

  #tell(line: string): void {
    if (this.#isRunning) this.#child.stdin?.write(`${line}\n`);
  }
}
