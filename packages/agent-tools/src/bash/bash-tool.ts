import {
  type Access,
  AgentError,
  isJsonObject,
  type JsonValue,
  type ParseResult,
  type Schema,
  type ToolContext,
  type ToolOutput,
  type ToolScope,
  textOutput,
} from '@robota-sdk/agent-core';
import { editorAccess } from '../files/editor-access.ts';
import { sandboxAccess } from '../sandbox/sandbox-policy.ts';
import { type StandaloneTool, standaloneTool } from '../tool/standalone-tool.ts';
import { strictSchema } from '../tool/strict-schema.ts';
import type { BashResult } from './run-command.ts';

/** Input of Bash: a command to run, or an action on a background job. */
export interface BashInput {
  readonly command?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly description?: string;
  readonly run_in_background?: boolean;
  readonly job?: { readonly action: 'list' | 'read' | 'kill'; readonly id?: number };
}

const defaultTimeout = 120_000;
const longestTimeout = 600_000;

/** Runs shell commands in the workspace, and manages background commands. */
export const bashTool: StandaloneTool<BashInput> = standaloneTool({
  name: 'Bash',
  description:
    'Run a bash command in the working directory; each call is a fresh shell without stdin. Returns stdout and stderr combined, and the exit code. Prefer Read, Edit, Glob and Grep over cat, sed, find and grep.',
  input: bashSchema(),
  access,
  execute,
});

function bashSchema(): Schema<BashInput> {
  const inDirectory = 'Write cd DIRECTORY && before the command.';
  const schema = strictSchema<BashInput>(
    {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout: { type: 'number', description: `ms, default ${defaultTimeout}, max ${longestTimeout}` },
        description: { type: 'string', description: 'What it does, in 5-10 words' },
        run_in_background: { type: 'boolean', description: 'Return a job id at once' },
        job: {
          type: 'object',
          description: 'Instead of command: see or end background jobs',
          properties: { action: { enum: ['list', 'read', 'kill'] }, id: { type: 'number' } },
          required: ['action'],
        },
      },
    },
    { cwd: inDirectory, workdir: inDirectory, working_directory: inDirectory },
  );
  return { json: schema.json, parse: (value) => parseWithSeconds(withJobNumber(value), schema) };
}

/** Accepts displayed job names: `bash-2` is number 2. */
function withJobNumber(value: JsonValue): JsonValue {
  const job = isJsonObject(value) ? value['job'] : undefined;
  if (!isJsonObject(value) || !isJsonObject(job) || typeof job['id'] !== 'string') return value;
  const number = /^(?:bash-)?(\d+)$/.exec(job['id'])?.[1];
  return number === undefined ? value : { ...value, job: { ...job, id: Number(number) } };
}

/** Other agents pass the timeout in seconds, as `timeout_secs`. */
function parseWithSeconds(value: JsonValue, schema: Schema<BashInput>): ParseResult<BashInput> {
  const seconds = isJsonObject(value) ? value['timeout_secs'] : undefined;
  if (!isJsonObject(value) || seconds === undefined || seconds === null) return schema.parse(value);
  const { timeout_secs: _, ...rest } = value;
  const isNumber = typeof seconds === 'number' || (typeof seconds === 'string' && seconds.trim() !== '');
  if (!isNumber || !Number.isFinite(Number(seconds)))
    return { ok: false, error: 'timeout_secs must be a number of seconds.' };
  if (typeof rest['timeout'] === 'number')
    return { ok: false, error: 'Give either timeout, in milliseconds, or timeout_secs, in seconds.' };
  return schema.parse({ ...rest, timeout: Number(seconds) * 1_000 });
}

function access(input: BashInput, { workspace }: ToolScope): readonly Access[] {
  if (input.command === undefined) return [];
  return [{ kind: 'run', command: input.command, cwd: workspace.cwd }];
}

async function execute(input: BashInput, context: ToolContext): Promise<ToolOutput> {
  const { command, job } = input;
  if ((command === undefined) === (job === undefined)) {
    throw new AgentError('tool', 'Give either command, to run it, or job, to see background jobs.');
  }
  if (job !== undefined) return executeJob(job, context);
  if (command === undefined || command.trim() === '') throw new AgentError('tool', 'The command is empty.');
  assertRunnable(command);
  const timeoutMs = timeoutOf(input);
  if (!input.run_in_background)
    return (await runToEnd({ command, timeoutMs: timeoutMs ?? defaultTimeout }, context)).output;
  const { startInBackground } = await import('./run-command.ts');
  return startInBackground(timeoutMs === undefined ? { command } : { command, timeoutMs }, context);
}

/** Runs a command that the user typed, like Bash. */
export async function runUserCommand(
  input: { readonly command: string; readonly timeoutMs: number },
  context: ToolContext,
): Promise<BashResult> {
  assertRunnable(input.command);
  return runToEnd(input, context);
}

function assertRunnable(command: string): void {
  if (command.includes('\0'))
    throw new AgentError('tool', 'The command holds a NUL character, which no shell can take.');
}

/** Uses the editor's terminal if the session has one; sandboxed commands run in this process. */
async function runToEnd(
  input: { readonly command: string; readonly timeoutMs: number },
  context: ToolContext,
): Promise<BashResult> {
  const { port } = context.state.get(editorAccess);
  if (port?.runCommand && context.state.get(sandboxAccess).mode === 'off') {
    const { runInEditor } = await import('./run-in-editor.ts');
    const result = await runInEditor(input, context, port.runCommand);
    if (result) return result;
  }
  return (await import('./run-command.ts')).runCommand(input, context);
}

async function executeJob(job: NonNullable<BashInput['job']>, context: ToolContext): Promise<ToolOutput> {
  const { listJobs, readJob, killJob } = await import('./job-actions.ts');
  if (job.action === 'list') return textOutput(listJobs(context));
  const text = job.action === 'read' ? await readJob(job.id, context) : await killJob(job.id, context);
  return textOutput(text);
}

function timeoutOf({ timeout }: BashInput): number | undefined {
  if (timeout === undefined) return undefined;
  if (!(timeout > 0)) throw new AgentError('tool', 'timeout must be more than 0 milliseconds.');
  return Math.min(timeout, longestTimeout);
}
