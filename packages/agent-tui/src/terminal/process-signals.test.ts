import { afterEach, describe, expect, it } from 'vitest';
import { ProcessSignals } from './process-signals.ts';

let signals: ProcessSignals | undefined;

afterEach(() => signals?.ignore());

function listen(platform: NodeJS.Platform) {
  const told: string[] = [];
  const before = new Set(process.eventNames());
  signals = new ProcessSignals(
    { end: () => told.push('end'), stop: () => told.push('stop'), continue: () => told.push('continue') },
    platform,
  );
  signals.listen();
  const added = process.eventNames().filter((name) => !before.has(name) && String(name).startsWith('SIG'));
  return { signals, told, added };
}

describe('signals of a terminal', () => {
  it('are those that Windows has: no stop, and the end by ctrl+break and by closing the window', () => {
    const { signals: own, told, added } = listen('win32');
    expect(added).toEqual(expect.arrayContaining(['SIGHUP', 'SIGBREAK']));
    expect(added).not.toContain('SIGTSTP');
    expect(added).not.toContain('SIGQUIT');
    own.stopProcess();
    expect(told).toEqual(['continue']);
    own.ignore();
    expect(process.eventNames()).not.toContain('SIGBREAK');
  });

  it('stop and continue the process on macOS', () => {
    const { added } = listen('darwin');
    expect(added).toEqual(expect.arrayContaining(['SIGTSTP', 'SIGCONT', 'SIGQUIT']));
  });
});
