import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnthropicAnswer, anthropicReply } from './anthropic-replies.ts';
import type { ModelServer, RecordedRequest } from './model-server.ts';
import { robotaBin, sharedCode } from './run-robota.ts';

export interface KillRunOptions {
  readonly server: ModelServer;
  readonly cwd: string;
  readonly home: string;
  /** When the command is killed, counted from its start. */
  readonly delayMs: number;
}

/** Observations of a run before it was killed, and its leftovers. */
export interface KillRun {
  /** Texts that the model server was sent: each of them has to be in the session's file. */
  readonly acknowledged: readonly string[];
  /** Processes that still run in the directory. */
  readonly orphans: readonly number[];
}

const prompt = 'work until you are killed';
/** How long processes may take to be gone. */
const graceMs = 5000;

/** Runs the built command on work without end, a child process in every turn, and kills it with `kill -9`. Linux only. */
export async function killRun({ server, cwd, home, delayMs }: KillRunOptions): Promise<KillRun> {
  const seen: string[] = [];
  server.handle((request) => {
    const turn = resultsIn(request);
    if (seen.length === 0) seen.push(prompt);
    // A request tells that all before it was kept.
    for (let kept = (seen.length - 1) / 2; kept < turn; kept++) seen.push(sayingOf(kept), outputOf(kept));
    return anthropicReply(answerOf(turn));
  });
  const args = ['-p', prompt, '--output-format', 'stream-json', '--allowed-tools', 'Bash'];
  const child = spawn(process.execPath, [robotaBin, ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      ...sharedCode(),
      ANTHROPIC_API_KEY: 'sk-test',
      ANTHROPIC_BASE_URL: server.url,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await sleep(delayMs);
  child.kill('SIGKILL');
  await gone;
  return { acknowledged: [...seen], orphans: await orphansIn(cwd) };
}

function resultsIn({ text }: RecordedRequest): number {
  return text.split('"type":"tool_result"').length - 1;
}

function answerOf(turn: number): AnthropicAnswer {
  const command = `echo ${outputOf(turn)}; bash -c 'sleep 0.03; :'; sleep 0.01`;
  return { text: sayingOf(turn), toolCalls: [{ id: `toolu_${turn}`, name: 'Bash', input: { command } }] };
}

const sayingOf = (turn: number) => `This is turn ${turn}.`;
const outputOf = (turn: number) => `output-${turn}`;

async function orphansIn(directory: string): Promise<number[]> {
  let orphans = processesIn(directory);
  for (let waited = 0; orphans.length > 0 && waited < graceMs; waited += 20) {
    await sleep(20);
    orphans = processesIn(directory);
  }
  return orphans;
}

/** Everything a command starts works in its directory, so that nothing has to be remembered to be found. */
function processesIn(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === directory;
      } catch {
        return false;
      }
    });
}
