import type { Sandbox, SandboxContext } from './enter-sandbox.ts';
import { sandboxAccess } from './sandbox-policy.ts';

/** The sandbox for a program of this session; undefined if sandboxing is off. Throws if one is required but missing. */
export async function sandboxFor(context: SandboxContext): Promise<Sandbox | undefined> {
  if (context.state.get(sandboxAccess).mode === 'off') return undefined;
  const { enterSandbox } = await import('./enter-sandbox.ts');
  return enterSandbox(context);
}
