import { afterEach, beforeEach } from 'vitest';
import { openStage, type Stage } from './stage.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './terminal.ts';

/** A stage of each test, and terminals in which the command runs in line mode. */
export interface PlainHarness {
  readonly stage: Stage;
  start(args?: readonly string[], options?: Partial<TerminalOptions>): Terminal;
}

/** Sets up a stage before each test; afterwards its terminals are ended and the server closed. */
export function plainHarness(): PlainHarness {
  let stage: Stage | undefined;
  const terminals: Terminal[] = [];
  const current = (): Stage => {
    if (!stage) throw new Error('There is a stage in tests only.');
    return stage;
  };
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) {
      terminal.kill('SIGKILL');
      await terminal.exit;
    }
    await current().server.close();
  });
  return {
    get stage() {
      return current();
    },
    start: (args = [], { env, ...rest } = {}) => {
      const { cwd, home, server } = current();
      const terminal = openTerminal(['--plain', ...args], {
        cwd,
        home,
        ...rest,
        env: { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url, ...env },
      });
      terminals.push(terminal);
      return terminal;
    },
  };
}
