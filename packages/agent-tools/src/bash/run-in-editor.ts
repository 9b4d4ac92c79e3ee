import { type ToolContext, type ToolOutput, textOutput } from '@robota-sdk/agent-core';
import type { EditorCommandEnd, EditorPort } from '../files/editor-access.ts';
import { limitText, outputLimit } from '../output/limit-output.ts';
import { describeExit, formatSeconds } from './describe-job.ts';
import { remarksLimit } from './run-command.ts';
import { TerminalText } from './terminal-text.ts';

/** Runs a command in the editor's terminal to its end, time-out or interruption; nothing where the editor can't. */
export async function runInEditor(
  { command, timeoutMs }: { readonly command: string; readonly timeoutMs: number },
  context: ToolContext,
  run: NonNullable<EditorPort['runCommand']>,
): Promise<ToolOutput | undefined> {
  const { callId, workspace, env, outputDir, signal } = context;
  const timeout = AbortSignal.timeout(timeoutMs);
  const end = await run({ callId, command, cwd: workspace.cwd, env }, AbortSignal.any([signal, timeout]));
  if (!end) return undefined;
  const screen = new TerminalText();
  const printed = (screen.write(end.output) + screen.flush()).replace(/(?<!\n)\n+$/, '');
  const { text } = await limitText(printed, { outputDir, name: callId, limit: outputLimit - remarksLimit });
  const stopped = stopRemark({ isAborted: signal.aborted, isLate: timeout.aborted, timeoutMs });
  const remarks = stopped === undefined ? remarksOn(end, printed) : [stopped];
  const isError = stopped !== undefined || end.exitCode !== 0;
  const body = text === '' && remarks.length === 0 ? '(no output)' : text;
  const shown = [body, ...remarks.map((remark) => `[${remark}]`)].filter(Boolean).join('\n');
  const display = { kind: 'terminal', command, output: shown, exitCode: end.exitCode } as const;
  return textOutput(shown, isError ? { isError, display } : { display });
}

function stopRemark(why: {
  readonly isAborted: boolean;
  readonly isLate: boolean;
  readonly timeoutMs: number;
}): string | undefined {
  if (why.isAborted) return 'interrupted; the command was ended';
  if (!why.isLate) return undefined;
  return `timed out after ${formatSeconds(why.timeoutMs)}; the command was ended. Use a larger timeout or run_in_background`;
}

function remarksOn({ exitCode, signal, isCut }: EditorCommandEnd, printed: string): string[] {
  const end = { code: exitCode, signal: signal as NodeJS.Signals | null };
  return [
    ...(isCut
      ? ['the beginning of the output was not kept by the terminal; write it to a file instead']
      : []),
    ...(exitCode === 0 ? [] : [`${printed === '' ? 'no output, ' : ''}${describeExit(end)}`]),
  ];
}
