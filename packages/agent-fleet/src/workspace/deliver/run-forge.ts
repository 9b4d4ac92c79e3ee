import { execFile } from 'node:child_process';
import { endSentence, findProgram, type JsonValue, parseJson, textRedactor } from '@robota-sdk/agent-core';
import { TaskFailure } from '../../contract/task-failure.ts';
import { remoteEnvironment } from '../git/git-environment.ts';
import { type Forge, jsonRows } from './forge.ts';

/** The output of a program for pull requests. */
interface ForgeOutput {
  readonly isOk: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one such program with the logins of the user. */
export interface ForgeProgram {
  (words: readonly string[], input?: string): Promise<ForgeOutput>;
  /** Throws with the reason for the task where the program fails. */
  orFail(words: readonly string[], input?: string): Promise<ForgeOutput>;
  /** The rows of a list that it prints as JSON. */
  json(words: readonly string[]): Promise<Readonly<Record<string, JsonValue>>[]>;
}

export interface ForgeContext {
  /** A directory whose files name no other repository. */
  readonly cwd: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const timeoutMs = 120_000;

/** The program if it is installed. */
export function forgeProgram(
  forge: Pick<Forge, 'name' | 'programs'>,
  context: ForgeContext,
): ForgeProgram | undefined {
  const { cwd, env, signal } = context;
  const [file] = forge.programs.flatMap((name) => findProgram(name, { env, cwd }) ?? []);
  if (file === undefined) return undefined;
  const run = (words: readonly string[], input = '') =>
    new Promise<ForgeOutput>((resolve, reject) => {
      const options = {
        cwd,
        env: environmentOf(context),
        signal,
        timeout: timeoutMs,
        maxBuffer: 16 * 1024 * 1024,
      };
      const child = execFile(file, words, options, (error, stdout, stderr) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve({ isOk: error === null, stdout, stderr: stderr || (error?.message ?? '') });
      });
      child.stdin?.on('error', () => {});
      child.stdin?.end(input);
    });
  const orFail = async (words: readonly string[], input?: string) => {
    const output = await run(words, input);
    if (!output.isOk) throw failure(forge.name, words, output);
    return output;
  };
  const json = async (words: readonly string[]) => {
    const { stdout } = await orFail(words);
    const value = parseJson(stdout.trim() || '[]');
    if (value !== undefined) return jsonRows(value);
    throw failure(forge.name, words, { isOk: false, stdout, stderr: 'its output is not JSON' });
  };
  return Object.assign(run, { orFail, json });
}

/** No questions and no colors; the remote is told to programs that ask git for it. */
function environmentOf({ env, cwd, url }: ForgeContext): Record<string, string> {
  return {
    ...remoteEnvironment({ env, cwd }),
    GH_PROMPT_DISABLED: '1',
    GH_NO_UPDATE_NOTIFIER: '1',
    GLAB_CHECK_UPDATE: 'false',
    NO_PROMPT: '1',
    NO_COLOR: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'remote.origin.url',
    GIT_CONFIG_VALUE_0: url,
    GIT_CONFIG_KEY_1: 'core.hooksPath',
    GIT_CONFIG_VALUE_1: '/dev/null',
  };
}

const hideSecrets = textRedactor();

function failure(name: string, words: readonly string[], { stderr }: ForgeOutput): TaskFailure {
  const said = hideSecrets(stderr.trim()).split('\n').filter(Boolean).slice(-3).join(' ').slice(0, 400);
  const isLogin = /auth|login|token|401|403|credential/i.test(stderr);
  const advice = isLogin
    ? `Log in with \`${name} auth login\` (tea: \`tea login add\`), and retry.`
    : 'Fix that, and retry.';
  const problem = `\`${name} ${words.slice(0, 2).join(' ')}\` failed: ${endSentence(said || 'no output')}`;
  return new TaskFailure('delivery-failed', `${problem} The branch is delivered.`, advice);
}
