import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { proves } from '@robota-sdk/agent-testing/proves';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const modesOn = ['\x1b[?2004h', '\x1b[>7u'];
const modesOff = ['\x1b[<u', '\x1b[?2004l', '\x1b[?25h', '\x1b[?2026l', '\x1b[?7h'];

/** A program that does what it is typed, in as many ways to end as there are. */
const program = `
  import { ProcessTerminal } from './process-terminal.ts';
  const terminal = new ProcessTerminal();
  const actions = {
    q: () => void terminal.stop().then(() => process.stdout.write('stopped\\n')),
    x: () => { throw new Error('crashed'); },
    r: () => void Promise.reject(new Error('rejected')),
    e: () => process.exit(3),
    z: () => terminal.suspend(),
    d: () => terminal.enable('alternateScreen'),
    s: () => {
      terminal.write('x'.repeat(4_000_000) + '\\r\\n');
      setTimeout(() => { actions.slow = 'slow'; }, 5);
    },
  };
  terminal.start({
    input(bytes) {
      const text = Buffer.from(bytes).toString();
      if (actions[text]) return actions[text]();
      terminal.write('got ' + JSON.stringify(text) + '\\r\\n');
    },
    resize: () => void terminal.write('size ' + terminal.columns + 'x' + terminal.rows + '\\r\\n'),
    drain: () => {
      if (!actions.slow) return;
      terminal.write(actions.slow + ' drained\\r\\n');
      actions.slow = undefined;
    },
    resume: () => void terminal.write('resumed\\r\\n'),
    close: () => process.exit(9),
  });
  terminal.write('ready ' + process.pid + '\\r\\n');
`;

let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'robota-terminal-')));
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'program.mjs'),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A shell in a pseudo-terminal. */
function openShell(script?: string) {
  const args = script === undefined ? ['-i'] : ['-c', script];
  const child = spawn('/bin/sh', args, {
    cols: 80,
    rows: 24,
    cwd: folder,
    name: 'xterm-256color',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PS1: '$ ',
      TERM: 'xterm-256color',
      NODE: process.execPath,
    },
  });
  let output = '';
  let isOver = false;
  child.onData((data) => {
    output += data;
  });
  const exit = new Promise<void>((resolve) => {
    child.onExit(() => {
      isOver = true;
      resolve();
    });
  });
  const shows = async (text: string, from = 0) => {
    const deadline = performance.now() + 30_000;
    while (!output.slice(from).includes(text)) {
      if (isOver || performance.now() > deadline)
        throw new Error(`Never shown: ${text}\n${JSON.stringify(output)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return output;
  };
  const type = (keys: string) => child.write(keys);
  return { child, exit, shows, type, output: () => output };
}

/** Runs the program between two looks at the state of the terminal. */
function openProgram() {
  const shell = openShell(
    'stty -g > before; "$NODE" program.mjs; code=$?; stty -g > after; echo "code $code"; read line; echo "line [$line]"',
  );
  const states = () => ({
    before: readFileSync(join(folder, 'before'), 'utf8'),
    after: readFileSync(join(folder, 'after'), 'utf8'),
  });
  return { ...shell, states };
}

/** Ends the program in some way, and tells what the terminal looks like to the next one. */
async function ended(end: (shell: ReturnType<typeof openProgram>, pid: number) => void, code: string) {
  const shell = openProgram();
  const pid = Number(/ready (\d+)/.exec(await shell.shows('ready '))?.[1] ?? 0);
  await shell.shows('\r\n', shell.output().indexOf('ready'));
  end(shell, pid);
  await shell.shows(code);
  shell.type('typed\r');
  await shell.shows('line [typed]');
  await shell.exit;
  const { before, after } = shell.states();
  expect(after).toBe(before);
  const output = shell.output();
  for (const mode of modesOn) expect(output).toContain(mode);
  for (const mode of modesOff) expect(output.lastIndexOf(mode)).toBeGreaterThan(output.indexOf('\x1b[>7u'));
  return output;
}

describe.skipIf(process.platform === 'win32')('ProcessTerminal', () => {
  it('takes a terminal over and gives it back as it was', async () => {
    proves('P-75', 'P-76', 'P-77');
    const output = await ended((shell) => shell.type('q'), 'code 0');
    expect(output).toContain('stopped');
  });

  it('gives the terminal back after a crash, a rejection and an exit', async () => {
    expect(await ended((shell) => shell.type('x'), 'code 1')).toContain('crashed');
    expect(await ended((shell) => shell.type('r'), 'code 1')).toContain('rejected');
    await ended((shell) => shell.type('e'), 'code 3');
  });

  it('gives the terminal back after signals, which still end the process', async () => {
    await ended((_, pid) => process.kill(pid, 'SIGTERM'), 'code 143');
    await ended((_, pid) => process.kill(pid, 'SIGHUP'), 'code 129');
    await ended((_, pid) => process.kill(pid, 'SIGINT'), 'code 130');
  });

  it('leaves modes that were turned on later, in reverse order', async () => {
    const output = await ended((shell) => {
      shell.type('d');
      void shell.shows('\x1b[?1049h').then(() => shell.type('q'));
    }, 'code 0');
    expect(output.lastIndexOf('\x1b[?1049l')).toBeLessThan(output.lastIndexOf('\x1b[<u'));
  });

  it('keeps what was typed for it from the shell', async () => {
    proves('P-79');
    await ended((shell) => {
      shell.type('\x1b[?62;c');
      void shell.shows('got').then(async () => {
        shell.type('q');
        // The question comes after everything that was typed, and its answer ends the waiting.
        await shell.shows('\x1b[c');
        shell.type('\x1b[99;5:3uleft over\x1b[?62;c');
      });
    }, 'code 0');
  });

  it('takes Ctrl+D for what it is that was typed before it had the terminal, and later zero bytes for keys', async () => {
    const shell = openShell('echo waiting; until [ -e go ]; do sleep 0.02; done; exec "$NODE" program.mjs');
    await shell.shows('waiting');
    shell.type('one\x04two');
    // Their echo tells that the system has taken all of them.
    await shell.shows('onetwo');
    writeFileSync(join(folder, 'go'), '');
    await shell.shows(`got ${JSON.stringify('one\x04two')}`);
    // Each of them takes a round of the event loop, after which nothing counts as typed ahead.
    for (const key of ['1', '2', '3']) {
      shell.type(key);
      await shell.shows(`got "${key}"`);
    }
    shell.type('\0');
    await shell.shows(`got ${JSON.stringify('\0')}`);
    shell.type('q');
    await shell.exit;
  });

  it('gives the terminal back while it is stopped, and takes it again when it continues', async () => {
    const shell = openShell();
    await shell.shows('$ ');
    shell.type('stty -g > before; "$NODE" program.mjs\r');
    await shell.shows('ready ');
    shell.type('z');
    await shell.shows('Stopped');
    expect(shell.output()).toContain('\x1b[<u');
    shell.type('stty -g > during; echo looked\r');
    await shell.shows('\nlooked');
    shell.type('fg\r');
    await shell.shows('resumed');
    shell.type('a');
    const resumed = await shell.shows('got "a"');
    expect(resumed.match(/resumed/g)).toHaveLength(1);
    expect(resumed.lastIndexOf('\x1b[>7u')).toBeGreaterThan(resumed.lastIndexOf('\x1b[<u'));
    shell.type('q');
    await shell.shows('stopped');
    shell.type('stty -g > after; exit\r');
    await shell.exit;
    const [before, during, after] = ['before', 'during', 'after'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    );
    expect(during).toBe(before);
    expect(after).toBe(before);
  });

  it('continues by itself where no shell could bring it back', async () => {
    const shell = openShell('exec "$NODE" program.mjs');
    await shell.shows('ready ');
    shell.type('z');
    await shell.shows('resumed');
    shell.type('q');
    await shell.exit;
  });

  it('tells another size, and ends with its window', async () => {
    const shell = openShell('"$NODE" program.mjs; true');
    const pid = Number(/ready (\d+)\r/.exec(await shell.shows('\r\n'))?.[1] ?? 0);
    expect(pid).toBeGreaterThan(0);
    shell.child.resize(100, 30);
    await shell.shows('size 100x30');
    // Without the shell that leads the session, the terminal hangs up.
    shell.child.kill('SIGKILL');
    await shell.exit;
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('is not held up by a terminal that takes nothing for a while', async () => {
    proves('P-72');
    const shell = openShell('exec "$NODE" program.mjs');
    await shell.shows('ready ');
    shell.child.pause();
    shell.type('s');
    await new Promise((resolve) => setTimeout(resolve, 200));
    shell.child.resume();
    await shell.shows('slow drained');
    shell.type('q');
    await shell.exit;
  });
});
