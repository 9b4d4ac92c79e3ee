import {
  type Config,
  type KeyTrial,
  tryKey,
  type UserInterface,
  type Vendor,
} from '@robota-sdk/agent-sdk/front-end';

/** A key the user entered; undefined if none. */
export type EnteredKey = { readonly key: string; readonly trial: KeyTrial } | undefined;

/** Asks for a vendor's key until the vendor accepts it, or the user keeps it anyway. */
export async function askKey(vendor: Vendor, config: Config, ui: UserInterface): Promise<EnteredKey> {
  for (;;) {
    const answer = await ui.ask({
      kind: 'text',
      title: `The key for ${vendor.name}`,
      trail: `Key for ${vendor.name}`,
      detail: 'What you type or paste stays hidden. Leave empty to go back.',
      masked: true,
    });
    const key = answer.kind === 'text' ? cleanKey(answer.text) : '';
    if (key === '') return undefined;
    ui.notify({ level: 'info', text: `Asking ${vendor.name} …` });
    const trial = await tryKey({ vendor, key }, config);
    if (trial.verdict === 'accepted') return { key, trial };
    const found = trial.verdict === 'refused' ? 'rejected' : 'not checked';
    const next = await ui.ask({
      kind: 'select',
      title:
        trial.verdict === 'refused' ? `${vendor.name} refused the key.` : 'The key could not be checked.',
      detail: trial.message,
      options: [
        { label: 'Type it again', done: { text: `Key ${found} by ${vendor.name}`, isRefusal: true } },
        { label: 'Keep it anyway', done: { text: `Key for ${vendor.name} saved without a check` } },
        {
          label: 'Go back',
          done: { text: `Key ${found} by ${vendor.name}, and not stored`, isRefusal: true },
        },
      ],
    });
    const choice = next.kind === 'selected' ? next.indexes[0] : undefined;
    if (choice === 1) return { key, trial };
    if (choice !== 0) return undefined;
  }
}

/** Pasted keys bring blanks, quotes or the name of their variable along. */
export function cleanKey(text: string): string {
  return text
    .trim()
    .replace(/^(?:export\s+)?[A-Z][A-Z0-9_]*=/, '')
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
}
