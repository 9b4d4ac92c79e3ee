import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anthropicReply, type ModelServer, type Reply } from '@robota-sdk/agent-testing';
import { Dialogue, type Line } from './dialogue.ts';
import type { Files, GoldenTools } from './tools.ts';

/** An answer of the model in words. */
export const say = (text: string): Reply => anthropicReply({ text });

/** An answer of the model with one call. */
export const call = (name: string, input: unknown, id = 'toolu_1'): Reply =>
  anthropicReply({ toolCalls: [{ name, input, id }] });

/** An answer of the vendor that is an error. */
export function refused(status: number, type: string, message: string): Reply {
  const body = { type: 'error', error: { type, message }, request_id: 'req_test' };
  return {
    status,
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify(body)],
  };
}

/** The vendor's refusal until some seconds have passed. */
export function rateLimited(seconds: number): Reply {
  const reply = refused(429, 'rate_limit_error', 'slow down');
  return { ...reply, headers: { ...reply.headers, 'retry-after': String(seconds) } };
}

/** A project, a home and a model that answers by a script. */
export interface Scene {
  readonly cwd: string;
  readonly home: string;
  readonly server: ModelServer;
  /** Environment of the program, with a key and the server. */
  readonly env: Readonly<Record<string, string>>;
}

export interface SceneOptions {
  /** Files of the project. */
  readonly files?: Files;
  /** Files of the home directory. */
  readonly own?: Files;
  /** The user's settings. */
  readonly settings?: object;
  /** Answers of the model, in order. */
  readonly replies?: readonly Reply[];
}

/** Quick retries, and no requests for titles, which come at any time. */
const usualSettings = {
  retry: { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 1, maxRetryAfterMs: 5 },
  titles: false,
};

/** Sets one up. */
export async function openScene(
  tools: GoldenTools,
  { files = {}, own = {}, settings = {}, replies = [] }: SceneOptions,
): Promise<Scene> {
  const server = await tools.modelServer(replies);
  const home = await tools.home({ '.robota/settings.json': { ...usualSettings, ...settings }, ...own });
  const cwd = await tools.folder(files);
  const key = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.url };
  // Bash warns about LC_ALL where the locale is not installed, about LANG never.
  const env = { ...tools.env, LC_ALL: '', HOME: home, ...key };
  return { cwd, home, server, env };
}

/** Writes a file of the project during a script. */
export function writeLater({ cwd }: Scene, name: string, text = ''): Promise<void> {
  return writeFile(join(cwd, name), text);
}

/** Waits until a command of the model has written a file of the project. */
export async function untilWritten({ cwd }: Scene, name: string): Promise<void> {
  while (!existsSync(join(cwd, name))) await new Promise((resolve) => setTimeout(resolve, 10));
}

export interface Talk {
  script(dialogue: Dialogue): Promise<void>;
  /** Shortens lines of the program, or leaves them out. */
  keep?(line: Line): Line | undefined;
  /** Answers requests of the program at once. */
  reply?(line: Line): Line | undefined | Promise<Line | undefined>;
}

/** Runs a script against a program that speaks lines, and gives the transcript with the exit code. */
export function talk(
  tools: GoldenTools,
  scene: Scene,
  { args, script, keep, reply }: Talk & { readonly args: readonly string[] },
): Promise<string> {
  return tools.limited(async () => {
    const dialogue = new Dialogue(args, { cwd: scene.cwd, env: scene.env, ...(reply ? { reply } : {}) });
    try {
      await script(dialogue);
      const code = await dialogue.end();
      const text = `$ robota ${args.join(' ')}\n${dialogue.transcript(keep)}── exit ${code}\n`;
      return tools.normalise(withPlainIds(text));
    } finally {
      dialogue.kill();
    }
  });
}

/** Takes the kind off ids of messages, so that they are seen as ids. */
export function withPlainIds(text: string): string {
  return text.replace(/"(?:msg_|question-)(?=[0-9a-f]{8}-)/g, '"');
}

/** Plays scripts and joins what they give by name. */
export async function recordAll(
  scripts: Readonly<Record<string, () => Promise<string>>>,
): Promise<Readonly<Record<string, string>>> {
  const texts = await Promise.all(
    Object.entries(scripts).map(async ([name, script]) => {
      const text = await script().catch((thrown: unknown) => {
        throw new Error(`The script ${name} failed: ${thrown instanceof Error ? thrown.message : thrown}`);
      });
      return [name, text] as const;
    }),
  );
  return Object.fromEntries(texts);
}
