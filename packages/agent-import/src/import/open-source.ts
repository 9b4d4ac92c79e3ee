import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { AgentError, endSentence, errorMessage, isJsonObject, type JsonObject } from '@robota-sdk/agent-core';
import {
  databaseLines,
  databaseSession,
  exportedLines,
  opencodeText,
  storedLines,
} from '../rows/opencode-source.ts';
import { parseObject } from '../source/read-json-lines.ts';
import { SourceFile } from '../source/source-file.ts';
import { detectFormat, isCodexObject } from './detect-format.ts';

/** Decompressed, as the text has to fit a string. */
const mostBytes = 256 * 1024 * 1024;

/** Opens what a path names: a file, or a session that lies in many files, in a database, or compressed. */
export async function openSource(path: string): Promise<SourceFile> {
  const stored = databaseSession(resolve(path));
  if (stored) {
    const lines = await databaseLines(stored.database, stored.id);
    return new SourceFile(resolve(path), opencodeText(lines));
  }
  const file = new SourceFile(resolve(path));
  const head = detectFormat(file);
  const isOlderCodex = head.format === 'codex' && isOneObject(file);
  if (head.format !== 'opencode' && head.format !== 'compressed' && !isOlderCodex) return file;
  try {
    if (isOlderCodex) return codexLines(file);
    return head.format === 'compressed' ? await decompressed(file) : joined(file);
  } finally {
    file.close();
  }
}

/** True if a file begins with an object that has the items of a session. */
function isOneObject(file: SourceFile): boolean {
  for (const { text } of file.lines()) {
    if (text?.trim() === '') continue;
    return text?.trim() === '{' || isCodexObject(parseObject(text) ?? {});
  }
  return false;
}

/** The lines that later versions of Codex write. */
function codexLines({ path }: SourceFile): SourceFile {
  const { session, items } = parseObject(readFileSync(path, 'utf8')) ?? {};
  if (!isJsonObject(session) || !Array.isArray(items))
    throw new AgentError('session', `${path} is damaged: Codex wrote it, but it is not a complete object.`);
  return new SourceFile(
    path,
    opencodeText([{ instructions: '', ...session }, ...items.filter(isJsonObject)]),
  );
}

/** All of a session of opencode as one text. */
function joined({ path }: SourceFile): SourceFile {
  if (dirname(path).endsWith(join('session', 'info')))
    throw new AgentError(
      'session',
      `${path} is in the first format of opencode, which is not supported. Start opencode once to convert it, then import it again.`,
    );
  const value: JsonObject = parseObject(readFileSync(path, 'utf8')) ?? {};
  const lines = exportedLines(value) ?? (String(value.id).startsWith('ses_') && storedLines(path, value));
  if (lines) return new SourceFile(path, opencodeText(lines));
  throw new AgentError('session', `${path} is damaged: opencode wrote it, but it is not a complete object.`);
}

async function decompressed({ path }: SourceFile): Promise<SourceFile> {
  // Node has it since 22.15.
  const { zstdDecompress } = zlib as { zstdDecompress?: typeof zlib.gunzip };
  if (!zstdDecompress)
    throw new AgentError(
      'session',
      `${path} is compressed, which needs Node 22.15 or newer. Or run "zstd -d" and import the file that it makes.`,
    );
  try {
    const options = { maxOutputLength: mostBytes };
    const bytes = await promisify<Buffer, object, Buffer>(zstdDecompress)(readFileSync(path), options);
    return new SourceFile(path, bytes.toString('utf8'));
  } catch (thrown) {
    throw new AgentError('session', `${path} cannot be decompressed: ${endSentence(errorMessage(thrown))}`, {
      cause: thrown,
    });
  }
}
