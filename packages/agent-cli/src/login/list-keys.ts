import type { KeyOrigin } from '@robota-sdk/agent-sdk/front-end';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Prints where the key of each vendor comes from; never a key. */
export async function listKeys(
  origins: readonly KeyOrigin[],
  { json }: { readonly json: boolean },
): Promise<number> {
  const rows = origins.map(({ vendor: { id, name }, origin, hidden }) => ({
    vendor: id,
    name,
    key: origin ?? null,
    hidden: [...hidden],
  }));
  const width = Math.max(...rows.map(({ vendor }) => vendor.length));
  const lines = rows.map(({ vendor, key, hidden }) => {
    const more = hidden.length === 0 ? '' : ` (hides ${hidden.join(', ')})`;
    return `${vendor.padEnd(width)}  ${key ?? 'no key'}${more}`;
  });
  const output = terminalOutput(process.stdout);
  await output.write(json ? `${JSON.stringify(rows)}\n` : output.clean(`${lines.join('\n')}\n`));
  return 0;
}
