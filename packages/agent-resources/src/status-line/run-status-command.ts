import { statusLineSubject, type TrustGate } from '@robota-sdk/agent-config';
import { commandHook, HookProcesses, type JsonObject, type ToolContext } from '@robota-sdk/agent-core';
import { sandboxFor } from '@robota-sdk/agent-tools';

/** Time limit of the command in milliseconds. */
const longestRun = 1_000;

export interface StatusCommandRun {
  readonly command: string;
  /** The input of the command. */
  readonly payload: JsonObject;
  readonly trust: TrustGate | undefined;
  readonly context: Pick<ToolContext, 'workspace' | 'state' | 'env' | 'outputDir'>;
  readonly ui: Parameters<typeof sandboxFor>[0]['ui'];
}

/**
 * Runs the command of the `statusLine` setting and returns its first line, which may contain control sequences.
 * Undefined if it fails, is too slow or has changed since the user trusted it. A project's command runs in the sandbox,
 * like its hooks.
 */
export async function runStatusCommand(given: StatusCommandRun): Promise<string | undefined> {
  const { command, trust } = given;
  const subject = statusLineSubject({ command });
  const isOfProject = trust?.allows(subject) ?? false;
  // Files that a trusted command runs may change during the session.
  if (isOfProject && !(await trust?.isUnchanged(subject))) return undefined;
  try {
    return (await run(given, { isOfProject }))?.trim().split('\n', 1)[0];
  } catch {
    return undefined;
  }
}

async function run(
  { command, payload, context, ui }: StatusCommandRun,
  { isOfProject }: { readonly isOfProject: boolean },
): Promise<string | undefined> {
  const { cwd } = context.workspace;
  const env = { ...context.env, CLAUDE_PROJECT_DIR: cwd, ROBOTA_PROJECT_DIR: cwd };
  const sandbox = isOfProject ? await sandboxFor({ ...context, env, ui }) : undefined;
  const processes = new HookProcesses();
  try {
    const { text } = await commandHook.run({
      definition: { type: 'statusLine', command },
      payload,
      cwd,
      env: { ...env, ...sandbox?.env },
      signal: AbortSignal.timeout(longestRun),
      processes,
      enclose: sandbox?.wrap,
    });
    return text;
  } finally {
    await processes.dispose();
    sandbox?.end({ inBackground: false });
  }
}
