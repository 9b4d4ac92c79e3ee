import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { AgentError, endSentence, errorMessage, type JsonObject } from '@robota-sdk/agent-core';
import {
  databaseLines,
  databaseSession,
  exportedLines,
  opencodeText,
  storedLines,
} from '../rows/opencode-source.ts';
import { parseObject } from '../source/read-json-lines.ts';
import { SourceFile } from '../source/source-file.ts';
import { detectFormat } from './detect-format.ts';

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
  if (head.format !== 'opencode' && head.format !== 'compressed') return file;
  try {
    return head.format === 'compressed' ? await decompressed(file) : joined(file);
  } finally {
    file.close();
  }
}

/** All of a session of opencode as one text. */
function joined({ path }: SourceFile): SourceFile {
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
