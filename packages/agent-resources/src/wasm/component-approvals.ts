import { join } from 'node:path';
import { type HostEnvironment, readJsonFile, updatePrivateFile } from '@robota-sdk/agent-config';
import { isJsonObject, type JsonObject, robotaDirectories } from '@robota-sdk/agent-core';

/** The stored approval of a component's permissions; undefined if the user was never asked. */
export async function readApproval(seal: string, host: HostEnvironment): Promise<'yes' | 'no' | undefined> {
  const answer = (await approvalsIn(fileOf(host)))[seal];
  return answer === 'yes' || answer === 'no' ? answer : undefined;
}

/** Keeps an answer; it holds for exactly this component and this manifest. */
export async function rememberApproval(
  seal: string,
  answer: 'yes' | 'no',
  host: HostEnvironment,
): Promise<void> {
  const path = fileOf(host);
  await updatePrivateFile(path, async () => {
    const approvals = { ...(await approvalsIn(path)), [seal]: answer };
    return `${JSON.stringify({ approvals }, null, 2)}\n`;
  });
}

function fileOf(host: HostEnvironment): string {
  return join(robotaDirectories(host).state, 'wasm-approvals.json');
}

async function approvalsIn(path: string): Promise<JsonObject> {
  const approvals = (await readJsonFile(path))?.value.approvals;
  return isJsonObject(approvals) ? approvals : {};
}
