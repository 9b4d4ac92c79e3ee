import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type RecordedRequest, robotaBin, sharedCode } from '@robota-sdk/agent-testing';
import { Editor } from './editor.ts';
import { Program } from './program.ts';
import type { Stage } from './stage.ts';
import { openTerminal } from './terminal.ts';

/** Traces of a run of one prompt. */
export interface Evidence {
  readonly stage: Stage;
  readonly requests: readonly RecordedRequest[];
  /** Everything that was shown. */
  readonly said: string;
  /** The session files below the user's home. */
  readonly sessions: readonly string[];
}

/** One prompt to a front end that was started with some words. */
interface PromptRun {
  readonly prompt: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The end of the run, as it is shown. */
  readonly until: RegExp;
}

type Driver = (stage: Stage, run: PromptRun) => Promise<string>;

/** The front ends that take the options of a session, each as its users start it. */
const frontEnds = {
  print: async (stage, { prompt, args, env }) => {
    const { stdout, stderr } = await stage.robota(['-p', ...args, '--', prompt], { env });
    return stdout + stderr;
  },
  stream: async (stage, { prompt, args, env }) => {
    const program = new Program(stage, args, env);
    program.say(prompt);
    const asked = program
      .next(({ type }) => type === 'control_request')
      .then((line) => {
        const response = { behavior: 'deny', message: 'no' };
        program.send({
          type: 'control_response',
          response: { subtype: 'success', request_id: line.request_id, response },
        });
      });
    asked.catch(() => {});
    await Promise.race([program.result(), program.exited]);
    await program.end();
    return JSON.stringify(program.lines) + program.stderr;
  },
  plain: (stage, run) => inTerminal(stage, ['--plain', ...run.args, '--', run.prompt], run),
  terminal: (stage, run) => inTerminal(stage, [...run.args, '--', run.prompt], run),
  acp: async (stage, { prompt, args, env }) => {
    const editor = new Editor(stage, { args, env });
    try {
      const opened = await editor.open(stage.cwd);
      const end = await editor
        .prompt(opened.sessionId, prompt)
        .catch((thrown: unknown) => [String(thrown), thrown]);
      return JSON.stringify([opened, end, editor.updates, editor.permissions]) + editor.stderr;
    } finally {
      await editor.close();
    }
  },
  mcp: async (stage, { prompt, args, env }) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [robotaBin, 'mcp', 'serve', ...args],
      cwd: stage.cwd,
      env: { PATH: process.env.PATH ?? '', HOME: stage.home, LANG: 'C.UTF-8', ...sharedCode(), ...env },
      stderr: 'pipe',
    });
    try {
      await client.connect(transport);
      return JSON.stringify(await client.callTool({ name: 'submit', arguments: { prompt } }));
    } finally {
      await client.close();
    }
  },
} satisfies Record<string, Driver>;

export type FrontEndName = keyof typeof frontEnds;
export const frontEndNames = Object.keys(frontEnds) as FrontEndName[];

/** Asks one prompt of a front end. */
export async function promptOf(name: FrontEndName, stage: Stage, run: PromptRun): Promise<Evidence> {
  const driver: Driver = frontEnds[name];
  const said = await driver(stage, run);
  const files = await readdir(join(stage.home, '.robota', 'sessions'), { recursive: true }).catch(() => []);
  const sessions = files.filter((file) => file.endsWith('session.jsonl'));
  return { stage, requests: stage.server.requests, said, sessions };
}

/** A question on the screen; the run waits for it. */
const question = /\(Enter[^)]*\):?$|esc (?:cancel|deny|reject)/i;

async function inTerminal(stage: Stage, words: readonly string[], { env, until }: PromptRun) {
  const terminal = openTerminal(words, { cwd: stage.cwd, home: stage.home, env, rows: 60, columns: 160 });
  let exited = false;
  void terminal.exit.then(() => {
    exited = true;
  });
  try {
    for (let looks = 0; looks < 1_500 && !exited; looks++) {
      const isAsking = question.test((await terminal.viewport()).join('\n').trimEnd());
      const said = await terminal.screen();
      if (isAsking || until.test(said)) return said;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return await terminal.screen();
  } finally {
    terminal.kill('SIGKILL');
    await terminal.exit;
  }
}
