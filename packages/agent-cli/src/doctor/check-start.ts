import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSingleExecutable } from '@robota-sdk/agent-sdk/front-end';
import { ownCommand } from '../arguments/own-command.ts';
import type { Finding } from './finding.ts';

const patienceMs = 20_000;
const slowTurnMs = 3_000;

/** Measures the phases of a start with real processes, in an empty home directory. */
export async function checkStart({ configMs }: { readonly configMs: number }): Promise<readonly Finding[]> {
  const home = await mkdtemp(join(tmpdir(), 'robota-doctor-'));
  const command = ownCommand();
  try {
    const node = isSingleExecutable()
      ? []
      : [phase('node itself', await timed([process.execPath, '-e', '0'], home))];
    const version = await timed([...command, '--version'], home);
    const words = ['-p', '--model', 'offline', '--no-session', 'help'];
    const turn = await timed([...command, ...words], home);
    return [
      ...node,
      phase('robota --version', version),
      phase('a whole turn with the offline model', turn),
      { status: 'ok', what: `settings and keys of this project: ${Math.round(configMs)} ms` },
    ];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface Timed {
  readonly milliseconds: number;
  readonly code: number | null;
  readonly said: string;
}

function timed([program = '', ...words]: readonly string[], home: string): Promise<Timed> {
  return new Promise((resolve) => {
    const began = performance.now();
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      ROBOTA_HOME: join(home, '.robota'),
      LANG: process.env.LANG,
    };
    const child = spawn(program, words, { cwd: home, env, timeout: patienceMs });
    let said = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const finish = (code: number | null) =>
      resolve({ milliseconds: Math.round(performance.now() - began), code, said: said.trim() });
    child.stdin.end();
    child.once('error', () => finish(null));
    child.once('close', finish);
  });
}

function phase(name: string, { milliseconds, code, said }: Timed): Finding {
  if (code !== 0) {
    const why = said === '' ? 'It printed no error.' : (said.split('\n')[0] ?? '');
    const advice = 'Reinstall Robota. If that does not help, report this output.';
    return { status: 'broken', what: `${name} failed`, why, advice };
  }
  const what = `${name}: ${milliseconds} ms`;
  if (milliseconds < slowTurnMs) return { status: 'ok', what };
  const advice = 'The disk or a virus scanner may be slow. Set ROBOTA_HOME to a faster disk.';
  return { status: 'warning', what, advice };
}
