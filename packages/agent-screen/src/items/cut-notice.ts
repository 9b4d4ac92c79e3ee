import type { Item } from '@robota-sdk/agent-sessions';

/** A notice without its place among the items. */
export type NoticeText = Omit<Extract<Item, { kind: 'notice' }>, 'kind'>;

/** Why an answer ended early. */
export function cutNotice({ error }: Extract<Item, { kind: 'cut' }>): NoticeText {
  return error === undefined ? { level: 'info', text: 'Interrupted.' } : { level: 'error', text: error };
}
