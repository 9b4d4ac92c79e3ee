import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ModelServer,
  type RobotaOptions,
  type RobotaResult,
  runRobota,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';

/** A content block of a request in Anthropic's format, as far as tests look into it. */
interface SentBlock {
  readonly type: string;
  readonly text?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly { readonly text?: string }[];
}

export interface SentMessage {
  readonly role: string;
  readonly content: readonly SentBlock[];
}

/** A project, a user's home and a model server: what a run of the command needs. */
export interface Stage {
  readonly server: ModelServer;
  readonly cwd: string;
  readonly home: string;
  /** Runs the command in the project, with a key and the server for Anthropic. */
  robota(args: readonly string[], options?: Partial<RobotaOptions>): Promise<RobotaResult>;
  /** Writes the user's settings. */
  settings(value: unknown): Promise<void>;
  /** Writes a file of the project. */
  file(name: string, text: string): Promise<void>;
  /** The messages of a request to the server, counted from 0; negative from the end. */
  messages(request: number): readonly SentMessage[];
  /** The results of tools in the last message of a request. */
  results(
    request: number,
  ): readonly { readonly id: string; readonly text: string; readonly isError: boolean }[];
  /** The lines of the only session's file of that name, parsed. */
  sessionLines(name: 'session.jsonl' | 'log.jsonl'): Promise<readonly Record<string, unknown>[]>;
}

/** Sets one up, with a new project unless its folder is given; the caller closes its server. */
export async function openStage(project?: string): Promise<Stage> {
  const server = await startModelServer();
  const cwd = project ?? (await temporaryDirectory());
  await mkdir(cwd, { recursive: true });
  const home = await temporaryDirectory('robota-home');
  const messages = (request: number) => {
    const body = server.requests.at(request)?.body as { messages?: readonly SentMessage[] } | undefined;
    if (!body?.messages) throw new Error(`there was no request ${request}`);
    return body.messages;
  };
  return {
    server,
    cwd,
    home,
    robota: (args, options = {}) => {
      const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url, ...options.env };
      return runRobota(args, { cwd, home, ...options, env });
    },
    settings: async (value) => {
      await mkdir(join(home, '.robota'), { recursive: true });
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      await writeFile(join(home, '.robota', 'settings.json'), text);
    },
    file: async (name, text) => {
      await mkdir(join(cwd, name, '..'), { recursive: true });
      await writeFile(join(cwd, name), text);
    },
    messages,
    results: (request) =>
      (messages(request).at(-1)?.content ?? [])
        .filter((block) => block.type === 'tool_result')
        .map((block) => ({
          id: block.tool_use_id ?? '',
          text: resultText(block),
          isError: block.is_error === true,
        })),
    sessionLines: async (name) => {
      const sessions = join(home, '.robota', 'sessions');
      const found = (await readdir(sessions, { recursive: true })).filter((path) => path.endsWith(name));
      if (found.length !== 1) throw new Error(`expected one ${name}, found ${found.length}`);
      const text = await readFile(join(sessions, found[0] ?? ''), 'utf8');
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}

function resultText({ content = '' }: SentBlock): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

/** Resolves when a process has done what it can and waits for input: it sleeps, and uses no time, at several looks. */
export async function untilIdle(pid: number): Promise<void> {
  let before = '';
  for (let looks = 0, idle = 0; idle < 5; looks++) {
    if (looks > 1_000) throw new Error(`process ${pid} never waited`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const used = numbers.slice(10, 12).join();
    idle = state === 'S' && used === before ? idle + 1 : 0;
    before = used;
  }
}

/** True if a process runs; one that has ended and only waits to be reaped does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}
