import { join } from 'node:path';
import { type HostEnvironment, readJsonFile, updatePrivateFile } from '@robota-sdk/agent-config';
import { record, robotaDirectories, type TypeOf, words } from '@robota-sdk/agent-core';

/** The stored approval of a component's permissions; undefined if the user was never asked. */
export async function readApproval(seal: string, host: HostEnvironment): Promise<'yes' | 'no' | undefined> {
  return (await approvalsIn(fileOf(host)))[seal];
}

/** Stores an answer; it applies to exactly this component and this manifest. */
export async function rememberApproval(
  seal: string,
  answer: 'yes' | 'no',
  host: HostEnvironment,
): Promise<void> {
  const path = fileOf(host);
  await updatePrivateFile(path, async () => {
    const kept = { ...(await approvalsIn(path)), [seal]: answer };
    return `${JSON.stringify({ approvals: kept }, null, 2)}\n`;
  });
}

function fileOf(host: HostEnvironment): string {
  return join(robotaDirectories(host).state, 'wasm-approvals.json');
}

async function approvalsIn(path: string): Promise<TypeOf<typeof approvals>> {
  return approvals.parse((await readJsonFile(path))?.value.approvals) ?? {};
}

const approvals = record(words('yes', 'no'));
