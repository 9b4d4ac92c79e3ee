import type { Sandbox, SandboxContext } from './enter-sandbox.ts';
import { sandboxAccess } from './sandbox-policy.ts';

/** The sandbox for a program of this session, or none where the session has none; throws where one is required and missing. */
export async function sandboxFor(context: SandboxContext): Promise<Sandbox | undefined> {
  if (context.state.get(sandboxAccess).mode === 'off') return undefined;
  const { enterSandbox } = await import('./enter-sandbox.ts');
  return enterSandbox(context);
}
