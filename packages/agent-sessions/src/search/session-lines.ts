import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeLine } from '../entry/codec.ts';
import type { Line } from '../entry/entry.ts';
import { LineMigrator } from '../entry/migrate.ts';
import { LineSplitter, textOfLine } from '../store/line-splitter.ts';

const chunkBytes = 256 * 1024;

/**
 * The bytes of a session's file line by line, including a last line without a line feed. Synchronous, because thousands
 * of small files are read in a row, where waiting would take longer than reading.
 */
export function* rawLines(path: string): Generator<Buffer> {
  const splitter = new LineSplitter();
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(fstatSync(descriptor).size + 1, chunkBytes));
    for (;;) {
      const length = readSync(descriptor, buffer, 0, buffer.length, null);
      if (length === 0) break;
      yield* splitter.push(buffer.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
  const rest = splitter.rest();
  if (rest) yield rest;
}

/** Decodes the lines of one session from their bytes, in order; undefined for damaged ones. */
export function lineDecoder(): (bytes: Buffer) => Line | undefined {
  const migrator = new LineMigrator();
  let isFirst = true;
  return (bytes) => {
    const text = textOfLine(bytes, { isFirst });
    isFirst = false;
    if (text === undefined || text.trim() === '') return undefined;
    const line = decodeLine(text, migrator);
    return line.kind === 'problem' ? undefined : line;
  };
}
