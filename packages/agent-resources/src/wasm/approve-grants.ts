import type { HostEnvironment } from '@robota-sdk/agent-config';
import { type Problem, sentence, type UserInterface, warning } from '@robota-sdk/agent-core';
import { readApproval, rememberApproval } from './component-approvals.ts';
import { componentTitle } from './component-title.ts';
import type { ReadComponent } from './read-component.ts';

export interface ApprovalContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly ui?: UserInterface | undefined;
}

/** Resolves to true if the user approved the permissions of a component: once for exactly these files. */
export async function approveGrants(
  { found, seal, manifest }: ReadComponent,
  place: ApprovalContext,
): Promise<{ readonly isApproved: boolean; readonly problem?: Problem }> {
  const { describeGrants } = await import('@robota-sdk/agent-plugin-wasm');
  const { host, ui } = place;
  const known = await readApproval(seal, host);
  if (known !== undefined) return { isApproved: known === 'yes' };
  const title = componentTitle(found.path, place);
  const lines = describeGrants(manifest.grants);
  const answer = await ui?.ask({
    kind: 'confirm',
    title: `May the extension ${title} do this, now and later, as long as its files stay the same?`,
    detail: lines.join('\n'),
  });
  if (answer?.kind === 'confirmed') {
    await rememberApproval(seal, answer.yes ? 'yes' : 'no', host);
    return { isApproved: answer.yes };
  }
  const message = sentence`The extension ${{ extension: title }} runs without the permissions it asks for (${{ permissions: lines.join(', ') }}): you have not approved them.`;
  const hint = { text: 'Review them with', run: ['plugin', 'approve', found.name] };
  const problem = warning('extension.not-approved', message, { subject: found.name, hint, isInactive: true });
  return { isApproved: false, problem };
}
