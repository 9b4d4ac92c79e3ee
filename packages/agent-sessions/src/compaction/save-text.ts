import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, makeDirectories, textOf } from '@robota-sdk/agent-core';

/** Writes the text of a message into a file of the session and says where; nothing where that fails. */
export function saveText(message: Message, directory: string): string | undefined {
  const file = join(directory, `message-${message.id}.txt`);
  try {
    makeDirectories(directory, 0o700);
    writeFileSync(file, textOf(message.content), { mode: 0o600 });
    return file;
  } catch {
    return undefined;
  }
}
