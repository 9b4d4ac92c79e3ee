import type { FromAttempt, ToAttempt } from '../contract/attempt.ts';
import { Attempt } from './attempt.ts';
import { WorkerChannel } from './worker-channel.ts';

/** The program of an attempt: it is started by a worker with an IPC channel, takes its order from it, and ends with it. */
function main(): void {
  const channel = new WorkerChannel({
    send: (message: FromAttempt, sent) => {
      if (process.connected) process.send?.(message, undefined, undefined, sent);
      else sent(null);
    },
  });
  let attempt: Attempt | undefined;
  process.on('message', (message: ToAttempt) => {
    if (message.type === 'start') {
      attempt = new Attempt(message, channel);
      void attempt.run().then(async (outcome) => {
        await channel.end(outcome);
        process.exit(0);
      });
    } else if (message.type === 'say') attempt?.say(message.text);
    else if (message.type === 'stop') attempt?.stop();
    else channel.receive(message);
  });
  // It must not continue without its worker: the task may belong to another one soon. The watchdog ends its commands.
  process.on('disconnect', () => process.exit(1));
}

main();
