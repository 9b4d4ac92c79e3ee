import type { Workspace } from '@robota-sdk/agent-core';
import { findSandbox } from './find-sandbox.ts';
import type { SandboxAccess, SandboxPolicy } from './sandbox-policy.ts';

/** Describes, line by line, whether commands are sandboxed here and what they may do. */
export async function describeSandbox(
  { mode, policy }: SandboxAccess,
  workspace: Workspace,
): Promise<readonly string[]> {
  if (mode === 'off') return ['Sandbox: off. Commands may do what you may.'];
  const tool = await findSandbox();
  if (tool.kind === 'missing') {
    const effect = mode === 'required' ? 'Commands are refused' : 'Commands run without it';
    return [`Sandbox: ${mode}, but ${tool.reason}. ${effect}.`, tool.advice];
  }
  return [
    `Sandbox: ${mode}, by ${tool.kind} (${tool.file}).`,
    `Writable: ${[workspace.cwd, ...workspace.additional, ...policy.writable].join(', ')}, and a temporary directory of its own.`,
    'Read-only: everything else, and inside the workspace the protected files, git hooks and git configuration.',
    `Hidden: ${workspace.home} except the workspace, installed tools and their caches${listed(', ', policy.hidden)}${listed('; shown: ', policy.readable)}.`,
    `Network: ${describeNetwork(policy.network)}.`,
  ];
}

function describeNetwork(network: SandboxPolicy['network']): string {
  if (typeof network === 'string') return network;
  return network.allow.length === 0 ? 'off' : `only ${network.allow.join(', ')}`;
}

function listed(prefix: string, items: readonly string[]): string {
  return items.length === 0 ? '' : prefix + items.join(', ');
}
