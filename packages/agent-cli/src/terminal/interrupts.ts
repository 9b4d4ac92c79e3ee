import { closeSync } from 'node:fs';

/** Exit codes for ends that were not asked for by Ctrl+C. */
const signalCodes = { SIGTERM: 143, SIGHUP: 129 } as const;

/** Watches for signals while something runs. */
export interface Interrupts {
  /** Aborts with the first signal. */
  readonly signal: AbortSignal;
  /** The code to exit with if a signal other than the first Ctrl+C ended the run. */
  readonly exitCode: number | undefined;
  /** Ends as SIGHUP does: the terminal was noticed to be gone. */
  hangUp(): void;
  stop(): void;
}

/**
 * The first Ctrl+C stops the run and keeps what there is; the second ends the process at once.
 * SIGTERM and SIGHUP stop the run too, and say so in the exit code.
 */
export function watchInterrupts(): Interrupts {
  const controller = new AbortController();
  let interrupted = false;
  let exitCode: number | undefined;
  const onInterrupt = () => {
    if (interrupted) process.exit(130);
    interrupted = true;
    controller.abort();
  };
  const onEnd = (signal: keyof typeof signalCodes) => {
    if (signal === 'SIGHUP') process.once('exit', leaveTerminal);
    exitCode ??= signalCodes[signal];
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onEnd);
  process.on('SIGHUP', onEnd);
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    hangUp: () => onEnd('SIGHUP'),
    stop: () => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onEnd);
      process.off('SIGHUP', onEnd);
    },
  };
}

/** Node puts a terminal back as it was when it exits, and crashes where that is gone. It leaves alone what is closed. */
function leaveTerminal(): void {
  for (const descriptor of [0, 1, 2]) {
    try {
      closeSync(descriptor);
    } catch {
      // Closed before.
    }
  }
}
