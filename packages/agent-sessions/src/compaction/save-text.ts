import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, textOf } from '@robota-sdk/agent-core';

/** Writes the text of a message into a file of the session and says where; nothing where that fails. */
export function saveText(message: Message, directory: string): string | undefined {
  const file = join(directory, `message-${message.id}.txt`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(file, textOf(message.content), { mode: 0o600 });
    return file;
  } catch {
    return undefined;
  }
}
