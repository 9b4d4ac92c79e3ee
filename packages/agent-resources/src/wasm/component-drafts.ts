import { relative } from 'node:path';
import type { ProjectSource, TrustDraft } from '@robota-sdk/agent-config';
import { type FoundComponent, findComponents } from './find-components.ts';

/** Finds the WebAssembly components that a repository supplies. */
export async function componentDrafts({ cwd, host }: ProjectSource): Promise<readonly TrustDraft[]> {
  const own = findComponents({ cwd, host }).components.filter(({ scope }) => scope === 'project');
  return Promise.all(own.map((found) => componentDraft(found, cwd)));
}

/** The trust item for a component of a repository: its content and permissions. */
export async function componentDraft(found: FoundComponent, cwd: string): Promise<TrustDraft> {
  const name = relative(cwd, found.path);
  const { grantLines } = await import('./grant-lines.ts');
  const granted = await grantLines(found);
  const lines = [
    `runs ${name} as WebAssembly, ${granted.length === 0 ? 'without files, network or variables' : 'which'}`,
    ...granted.map((line) => `  ${line}`),
  ];
  return {
    kind: 'extension',
    name,
    content: lines.join('\n'),
    source: found.path,
    files: [found.path, found.manifest],
  };
}
