import { describeExit, type ToolContext, textOutput } from '@robota-sdk/agent-core';
import type { EditorCommandEnd, EditorPort } from '../files/editor-access.ts';
import { limitText } from '../output/limit-output.ts';
import { formatSeconds } from './describe-job.ts';
import { type BashResult, remarksLimit } from './run-command.ts';
import { TerminalText } from './terminal-text.ts';

/** Runs a command in the editor's terminal until it ends, times out or is interrupted; undefined if unsupported. */
export async function runInEditor(
  { command, timeoutMs }: { readonly command: string; readonly timeoutMs: number },
  context: ToolContext,
  run: NonNullable<EditorPort['runCommand']>,
): Promise<BashResult | undefined> {
  const { callId, workspace, env, outputDir, signal } = context;
  const timeout = AbortSignal.timeout(timeoutMs);
  const end = await run({ callId, command, cwd: workspace.cwd, env }, AbortSignal.any([signal, timeout]));
  if (!end) return undefined;
  const screen = new TerminalText();
  const printed = (screen.write(end.output) + screen.flush()).replace(/(?<!\n)\n+$/, '');
  const options = { outputDir, name: callId, reserve: remarksLimit };
  const { text, omitted } = await limitText(printed, options);
  const stopped = stopRemark({ isAborted: signal.aborted, isLate: timeout.aborted, timeoutMs });
  const exit = stopped === undefined ? exitRemarks(end, printed) : [];
  const remarks = stopped === undefined ? cutRemarks(end) : [stopped];
  const isError = stopped !== undefined || end.exitCode !== 0;
  const textWith = (all: readonly string[]) =>
    [text, ...all.map((remark) => `[${remark}]`)].filter(Boolean).join('\n');
  const shown = textWith([...remarks, ...exit]) || '(no output)';
  const cut = omitted && { omitted };
  const display = { kind: 'terminal', command, output: shown, exitCode: end.exitCode, ...cut } as const;
  const exitCode = stopped === undefined ? end.exitCode : null;
  return {
    output: textOutput(shown, { ...(isError ? { isError } : {}), display, exitCode }),
    printed: textWith(exitCode === null ? [...remarks, ...exit] : remarks),
    ...cut,
  };
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

function cutRemarks({ isCut }: EditorCommandEnd): string[] {
  return isCut ? ['the terminal dropped the beginning of the output; write it to a file instead'] : [];
}

function exitRemarks({ exitCode, signal }: EditorCommandEnd, printed: string): string[] {
  const end = describeExit({ code: exitCode, signal });
  return exitCode === 0 ? [] : [`${printed === '' ? 'no output, ' : ''}${end}`];
}
