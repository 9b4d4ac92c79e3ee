import { textRedactor } from '@robota-sdk/agent-core';
import type { ProjectCommandEnd, SandboxAccess } from '@robota-sdk/agent-sdk/front-end';
import type { CommandOptions } from '../contract/attempt-workspace.ts';
import type { FleetCommandResult } from '../contract/task.ts';

export interface TaskCommand {
  readonly command: string;
  readonly directory: string;
  readonly options: CommandOptions;
  /** The access of the command where it runs in the sandbox. */
  access(): Promise<SandboxAccess>;
  /** Variables of this process that must not stand in what is kept of its output. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Whether it may see them. */
  readonly seesSecrets: boolean;
}

const tailLength = 8_000;

const withoutSandbox: SandboxAccess = {
  mode: 'off',
  policy: { network: 'on', writable: [], readable: [], hidden: [] },
};

/** Runs a command of a task to its end. */
export async function runTaskCommand({
  command,
  directory,
  options,
  access,
  secrets,
  seesSecrets,
}: TaskCommand): Promise<FleetCommandResult> {
  const tail = new Tail();
  const { runProjectCommand } = await import('@robota-sdk/agent-sdk/front-end');
  const end = await runProjectCommand({
    command,
    cwd: directory,
    signal: options.signal,
    sandbox: options.sandbox ? await access() : withoutSandbox,
    timeoutMs: options.timeoutMs,
    env: { CI: '1', ...options.env },
    hiddenVariables: seesSecrets ? [] : Object.keys(secrets),
    onText: (text) => tail.add(text),
  });
  options.signal.throwIfAborted();
  const hide = textRedactor([...Object.values(options.env ?? {}), ...Object.values(secrets)]);
  const remarks = [...stopRemarks(end, options), ...end.remarks].map((remark) => `[${remark}]`);
  return {
    command,
    exitCode: end.exitCode,
    durationMs: Math.round(end.durationMs),
    tail: hide([tail.text.trimEnd(), ...remarks].filter(Boolean).join('\n')).slice(-tailLength),
    ...(end.exitCode === 126 || end.exitCode === 127 ? { cannotStart: true } : {}),
    ...(end.stopped === 'timeout' ? { timedOut: true } : {}),
  };
}

function stopRemarks({ stopped }: ProjectCommandEnd, { timeoutMs = 0 }: CommandOptions): string[] {
  if (stopped === 'timeout')
    return [`timed out after ${Math.round(timeoutMs / 1000)} s; all its processes were ended`];
  if (stopped === 'output-limit') return ['killed: it printed more than 256 MB'];
  if (stopped === 'planting') return ['ended: it kept creating repositories'];
  return [];
}

/** The end of a text; twice the length is kept, so that a secret at the cut is found as a whole. */
class Tail {
  text = '';

  add(more: string): void {
    this.text = (this.text + more).slice(-2 * tailLength);
  }
}
