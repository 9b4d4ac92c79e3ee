import { constants, copyFile, readFile, rm } from 'node:fs/promises';
import {
  AgentError,
  diskAdvice,
  endSentence,
  errorMessage,
  isJsonObject,
  parseJson,
  processHost,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { askForYes } from '../terminal/ask-line.ts';

/**
 * Returns to the first run: moves the user's settings file aside, then names the stored keys and deletes them after a
 * yes. Sessions stay.
 */
export async function resetSettings({ yes }: { readonly yes: boolean }): Promise<number> {
  const { settings, auth } = userPaths(await processHost());
  const copy = await moveAside(settings);
  say(copy ? `Deleted ${settings}. A copy is kept in ${copy}.` : `No settings at ${settings}.`);
  const keys = await storedKeys(auth);
  if (keys === undefined) return 0;
  say(`Stored keys in ${auth}: ${keys}.`);
  if (!yes && !canAsk()) {
    say('They are kept. Add --yes to delete them too, or run robota logout NAME for a single one.');
    return 0;
  }
  if (!yes && !(await askForYes('Delete the stored keys?'))) {
    say('The keys are kept, so the next start goes straight to the prompt.');
    return 0;
  }
  await rm(auth).catch((thrown: unknown) => {
    throw kept(auth, thrown);
  });
  say(`Deleted ${auth}.`);
  return 0;
}

/** Moves a file to the first free name of `.bak`, `.bak.1`, `.bak.2` …; nothing where there is no file. */
async function moveAside(file: string): Promise<string | undefined> {
  for (let number = 0; ; number += 1) {
    const copy = number === 0 ? `${file}.bak` : `${file}.bak.${number}`;
    try {
      // An earlier copy is never replaced.
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      await rm(file);
      return copy;
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      if (code !== 'EEXIST') throw kept(file, thrown);
    }
  }
}

function kept(file: string, thrown: unknown): AgentError {
  const advice = diskAdvice(thrown, file);
  return new AgentError('config', `${file} is kept: ${endSentence(errorMessage(thrown))} ${advice}`);
}

function say(line: string): void {
  process.stdout.write(`${filterEscapes(line)}\n`);
}

/** The names of the vendors with a key; nothing where none is stored. A file that cannot be read may hold some, too. */
async function storedKeys(auth: string): Promise<string | undefined> {
  const written = await readFile(auth, 'utf8').catch(() => undefined);
  if (written === undefined) return undefined;
  const value = parseJson(written);
  if (value === undefined) return 'unreadable';
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.length === 0 ? undefined : names.join(', ');
}

function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
