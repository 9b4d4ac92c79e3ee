import type { ISessionLogger } from '@robota-sdk/agent-sessions';

/** Several logs of one session. */
export class JoinedLogger implements ISessionLogger {
  readonly #loggers: readonly ISessionLogger[];

  constructor(loggers: readonly ISessionLogger[]) {
    this.#loggers = loggers;
  }

  log(event: string, data?: Readonly<Record<string, unknown>>): void {
    for (const logger of this.#loggers) logger.log(event, data);
  }

  async flush(): Promise<void> {
    await Promise.all(this.#loggers.map((logger) => logger.flush()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#loggers.map((logger) => logger.close()));
  }
}
