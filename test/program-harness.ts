import { afterEach, beforeEach } from 'vitest';
import { Program } from './program.ts';
import { openStage, type Stage } from './stage.ts';

/** A stage of each test, and the program on it that drives the command. */
export interface ProgramHarness {
  readonly stage: Stage;
  start(...args: string[]): Program;
}

/** Sets up a stage before each test; afterwards the program is ended and the server closed. */
export function programHarness(): ProgramHarness {
  let stage: Stage | undefined;
  let program: Program | undefined;
  const current = (): Stage => {
    if (!stage) throw new Error('There is a stage in tests only.');
    return stage;
  };
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(async () => {
    program?.child.kill('SIGKILL');
    await program?.exited;
    program = undefined;
    await current().server.close();
  });
  return {
    get stage() {
      return current();
    },
    start: (...args) => {
      program = new Program(current(), args);
      return program;
    },
  };
}
