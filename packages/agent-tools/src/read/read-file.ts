import { type FileHandle, readdir } from 'node:fs/promises';
import {
  AgentError,
  describeBytes,
  type ToolContext,
  type ToolOutput,
  textOutput,
  type Workspace,
} from '@robota-sdk/agent-core';
import { withUnsavedChanges } from '../files/editor-text.ts';
import { fileLedger, versionOf } from '../files/file-ledger.ts';
import {
  confirmAccess,
  describePathProblem,
  openResolved,
  type ResolvedPath,
} from '../files/resolve-path.ts';
import { describeMissing } from '../files/similar-names.ts';
import {
  decodeText,
  decodeWindows1252,
  detectTextFormat,
  lineBreakOf,
  type TextFormat,
} from '../files/text-file.ts';
import { largestImageFile } from '../image/fit-images.ts';
import { outputRoom } from '../output/output-room.ts';
import { type FileType, fileTypeOf } from './file-type.ts';
import { LineCollector } from './line-collector.ts';
import { maxLines, type ReadInput, readPath } from './read-input.ts';

const maxBytes = 50 * 1024;
const maxLineLength = 2_000;
// Larger files are read in chunks, and identified by size and time instead of a hash.
const maxWholeBytes = 8 * 1024 * 1024;
const sampleBytes = 64 * 1024;

/** Reads numbered lines of text, or an image. */
export async function readFileFor(input: ReadInput, context: ToolContext): Promise<ToolOutput> {
  const explain = (resolved: ResolvedPath) => explainUnreadable(input, resolved, context.workspace);
  const { real } = await confirmAccess(readPath(input), context, explain);
  const handle = await openResolved(real);
  try {
    return await readOpened(handle, { input, real, context });
  } finally {
    await handle.close();
  }
}

/** For a missing file or a directory, suggests what to read instead. */
async function explainUnreadable(
  input: ReadInput,
  resolved: ResolvedPath,
  workspace: Workspace,
): Promise<string | undefined> {
  if (resolved.problem === 'NotFound') return describeMissing(input.file_path, resolved, workspace);
  if (resolved.problem !== 'IsDirectory') return undefined;
  const names = await readdir(resolved.real).catch(() => []);
  const some = names.sort().slice(0, 20).join(', ') + (names.length > 20 ? ', ...' : '');
  return `${describePathProblem('IsDirectory', input.file_path)} It holds ${some || 'nothing'}.`;
}

interface Reading {
  readonly input: ReadInput;
  readonly real: string;
  readonly context: ToolContext;
}

async function readOpened(handle: FileHandle, reading: Reading): Promise<ToolOutput> {
  const { size, mtimeMs } = await handle.stat();
  const sample = await readStart(handle, Math.min(size, sampleBytes));
  const type = fileTypeOf(sample);
  const ledger = reading.context.state.get(fileLedger);
  if (type?.imageType) return readImage(handle, type, { ...reading, size });
  if (isPdf(type)) {
    const { input, real, context } = reading;
    return (await import('./read-pdf.ts')).readPdf(
      { path: input.file_path, real, pages: input.pages },
      context,
    );
  }
  if (size <= maxWholeBytes) {
    const bytes = size > 0 && size <= sampleBytes ? sample : await handle.readFile();
    const file = decodeText(bytes);
    if (!file) throw binaryFile(reading.input, type, bytes.length);
    const stored = { ...file, version: versionOf(bytes, mtimeMs) };
    const { version, text } = await withUnsavedChanges(reading.real, stored, reading.context);
    ledger.record(reading.real, version);
    return textResult([text], { ...reading, format: file, lineBreak: lineBreakOf(text) });
  }
  const format = detectTextFormat(wholeCharacters(sample));
  if (!format) throw binaryFile(reading.input, type, size);
  ledger.record(reading.real, { size, changedAt: mtimeMs });
  const lineBreak = lineBreakOf(decodeText(wholeCharacters(sample))?.text ?? '');
  return textResult(readPieces(handle, format), { ...reading, format, lineBreak });
}

async function readStart(handle: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Drops an incomplete character at the end of a sample. */
function wholeCharacters(sample: Buffer): Buffer {
  for (let cut = 0; cut <= 3; cut += 1) {
    const part = sample.subarray(0, sample.length - cut);
    if (detectTextFormat(part)?.encoding === 'utf-8') return part;
  }
  return sample.subarray(0, sample.length - (sample.length % 2));
}

async function* readPieces(handle: FileHandle, format: TextFormat): AsyncGenerator<string> {
  const decoder = format.encoding === 'windows-1252' ? undefined : new TextDecoder(format.encoding);
  const buffer = Buffer.alloc(sampleBytes);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const bytes = buffer.subarray(0, bytesRead);
    yield decoder ? decoder.decode(bytes, { stream: true }) : decodeWindows1252(bytes);
  }
}

interface TextReading extends Reading {
  readonly format: TextFormat;
  readonly lineBreak: '\n' | '\r';
}

async function textResult(
  pieces: Iterable<string> | AsyncIterable<string>,
  reading: TextReading,
): Promise<ToolOutput> {
  const { input, context, format } = reading;
  const offset = Math.max(1, input.offset ?? 1);
  const lines = Math.min(maxLines, input.limit ?? maxLines);
  const bytes = Math.min(maxBytes, context.state.get(outputRoom).characters() ?? maxBytes);
  const limits = { offset, lines, bytes, lineLength: Math.min(maxLineLength, bytes) };
  const collector = new LineCollector(limits, reading.lineBreak);
  for await (const piece of pieces) {
    context.signal.throwIfAborted();
    collector.push(piece);
    if (collector.isFull) break;
  }
  collector.end();
  if (collector.lastLine === 0) return textOutput(`${input.file_path} is empty.`);
  if (collector.rows.length === 0) {
    throw new AgentError(
      'tool',
      `offset ${offset} is past the end: ${input.file_path} has ${collector.lastLine} lines.`,
    );
  }
  const next = offset + collector.rows.length;
  const notes = [
    ...(format.encoding === 'utf-8' ? [] : [`Encoding: ${format.encoding}.`]),
    ...(collector.isFull ? [`There are more lines; read on with offset ${next}.`] : []),
  ];
  const text = collector.rows.join('\n') + (notes.length > 0 ? `\n\n[${notes.join(' ')}]` : '');
  const shown = collector.plainLines.join('\n');
  return textOutput(text, {
    display: { kind: 'file', path: input.file_path, text: shown, firstLine: offset },
  });
}

async function readImage(
  handle: FileHandle,
  type: FileType,
  { input, context, size }: Reading & { readonly size: number },
): Promise<ToolOutput> {
  const path = input.file_path;
  const { showImage, imageTooLarge } = await import('./read-image.ts');
  if (size > largestImageFile)
    throw new AgentError('tool', imageTooLarge({ path, type }, `it has ${describeBytes(size)}.`));
  return showImage({ path, type, bytes: await readStart(handle, size) }, context.signal);
}

function binaryFile(input: ReadInput, type: FileType | undefined, size: number): AgentError {
  const what = `${type ? `a ${type.name}` : 'binary data'} of ${describeBytes(size)}`;
  const text = `BinaryFile: ${input.file_path} is ${what}, not text. Use Bash, for example with file, strings or xxd.`;
  return new AgentError('tool', text, { brief: 'binary file' });
}

/** The bytes of a PDF may look like text. */
function isPdf(type: FileType | undefined): boolean {
  return type?.name === 'PDF document';
}
