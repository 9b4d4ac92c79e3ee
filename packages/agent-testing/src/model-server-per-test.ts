import { afterEach, beforeEach } from 'vitest';
import { type ModelServer, startModelServer } from './model-server.ts';

/** A model server that is new in each test; called once, at the top of a test file. */
export function modelServerPerTest(): ModelServer {
  let started: ModelServer | undefined;
  const current = (): ModelServer => {
    if (!started) throw new Error('There is a server in tests only.');
    return started;
  };
  beforeEach(async () => {
    started = await startModelServer();
  });
  afterEach(() => started?.close());
  return {
    get url() {
      return current().url;
    },
    get requests() {
      return current().requests;
    },
    get questions() {
      return current().questions;
    },
    reply: (...replies) => current().reply(...replies),
    handle: (handler) => current().handle(handler),
    handleQuestions: (handler) => current().handleQuestions(handler),
    handleTitles: (handler) => current().handleTitles(handler),
    close: () => current().close(),
  };
}
