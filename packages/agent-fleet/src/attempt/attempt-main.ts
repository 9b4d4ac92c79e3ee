import type { FromAttempt, ToAttempt } from '../contract/attempt.ts';
import { WorkerChannel } from './worker-channel.ts';

/**
 * The program of an attempt: it is started by a worker with an IPC channel, takes its order from it, and ends with it. Its
 * argument is the folder for compiled code.
 */
function main(folder: string | undefined): void {
  const channel = new WorkerChannel({
    send: (message: FromAttempt, sent) => {
      if (process.connected) process.send?.(message, undefined, undefined, sent);
      else sent(null);
    },
  });
  keepCompiledCode(folder);
  const loading = import('./attempt.ts');
  let attempt: Promise<import('./attempt.ts').Attempt> | undefined;
  process.on('message', (message: ToAttempt) => {
    if (message.type === 'start') {
      attempt = loading.then(({ Attempt }) => new Attempt(message, channel));
      void attempt
        .then((started) => started.run())
        .then(async (outcome) => {
          await channel.end(outcome);
          process.exit(0);
        });
    } else if (message.type === 'say') void attempt?.then((started) => started.say(message.text));
    else if (message.type === 'stop') void attempt?.then((started) => started.stop());
    else channel.receive(message);
  });
  // It must not continue without its worker: the task may belong to another one soon. The watchdog ends its commands.
  process.on('disconnect', () => process.exit(1));
}

/** Node can keep compiled code from process to process, which is a quarter of the work of a short attempt. */
function keepCompiledCode(folder: string | undefined): void {
  const module: object = process.getBuiltinModule('node:module');
  if (folder === undefined || !('enableCompileCache' in module)) return;
  if (typeof module.enableCompileCache === 'function') module.enableCompileCache(folder);
}

main(process.argv[2]);
