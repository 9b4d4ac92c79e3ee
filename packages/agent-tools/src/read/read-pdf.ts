import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AgentError,
  describeBytes,
  findProgram,
  type StateKey,
  type ToolContext,
  type ToolOutput,
  textOutput,
} from '@robota-sdk/agent-core';
import { runProgram } from '../files/run-program.ts';

/** Whether the session's model accepts PDF documents. */
export const documentAccess: StateKey<{ accepts?: () => boolean }> = {
  name: 'document-access',
  create: () => ({}),
};

/** Maximum pages per call; more would fill the window. */
const mostPages = 20;
/** Google accepts 20 MB of Base64 per request, others more. */
const largestDocument = 15_000_000;
const mostCharacters = 50 * 1024;
const mostComplaint = 500;
/** UTF-8 characters have up to four bytes, and blank lines are dropped. */
const mostBytes = 16 * mostCharacters;
const timeoutMs = 30_000;

/** A PDF to read. */
interface PdfFile {
  /** As requested. */
  readonly path: string;
  readonly real: string;
  readonly pages: string | undefined;
}

interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** Returns pages of a PDF: as a document if the model accepts one, otherwise as text by `pdftotext`. */
export async function readPdf(file: PdfFile, context: ToolContext): Promise<ToolOutput> {
  const asked = file.pages === undefined ? undefined : parsePages(file.pages);
  const range = asked && (await pagesThere(file, asked, context));
  const accepts = context.state.get(documentAccess).accepts?.() ?? false;
  if (!accepts) return readText(file, range, context);
  const part = range === undefined ? await wholeDocument(file) : await somePages(file, range, context);
  if (part === undefined) return readText(file, range, context);
  const what = range === undefined ? 'the whole document' : `pages ${range.first} to ${range.last}`;
  const text = `${file.path}: PDF document, ${what}`;
  return {
    content: [
      { type: 'text', text },
      { type: 'image', mimeType: 'application/pdf', data: part.toString('base64') },
    ],
    display: { kind: 'text', text },
  };
}

/** Reads `5`, `1-5` and `10-`. */
export function parsePages(text: string): PageRange {
  const [from = '', to] = text.trim().split('-', 2);
  const first = Number(from);
  const last = to === undefined ? first : to.trim() === '' ? first + mostPages - 1 : Number(to);
  const isRange = Number.isInteger(first) && Number.isInteger(last) && first >= 1 && last >= first;
  if (!isRange)
    throw new AgentError(
      'tool',
      `pages is a page or a range such as "3" or "1-5", not ${JSON.stringify(text)}.`,
    );
  if (last - first >= mostPages)
    throw new AgentError('tool', `At most ${mostPages} pages per call. Read the rest with another call.`);
  return { first, last };
}

/** All of it, where it is small; else the caller has to choose pages. Undefined where vendors would refuse it. */
async function wholeDocument({ path, real }: PdfFile): Promise<Buffer | undefined> {
  const { size } = await stat(real);
  const bytes = size > largestDocument ? undefined : await readFile(real);
  if (bytes !== undefined && !isSendable(bytes)) return undefined;
  const count = bytes === undefined ? undefined : countPages(bytes);
  if (bytes !== undefined && (count === undefined || count <= mostPages)) return bytes;
  const has = count === undefined ? `has ${describeBytes(size)}` : `has ${count} pages`;
  throw new AgentError(
    'tool',
    `${path} ${has}. Read some of it, at most ${mostPages} pages at once: pages "1-${mostPages}".`,
  );
}

/** Vendors refuse documents that are encrypted, with or without a password, or cut off. */
function isSendable(bytes: Buffer): boolean {
  return bytes.includes('startxref') && !bytes.includes('/Encrypt');
}

/** More lists of pages than these are not looked at: each costs time. */
const mostLists = 2_000;

/** The number of pages, if the document states it outside compressed parts. */
export function countPages(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1');
  const list = /\/Type\s{0,4}\/Pages\b/g;
  const counts: number[] = [];
  for (let seen = 0; seen < mostLists && list.test(text); seen++) {
    const around = text.slice(Math.max(0, list.lastIndex - 2_000), list.lastIndex + 2_000);
    for (const [, count] of around.matchAll(/\/Count\s{1,4}(\d{1,6})/g)) counts.push(Number(count));
  }
  if (counts.length > 0) return counts.reduce((most, count) => Math.max(most, count), 0);
  const pages = text.match(/\/Type\s{0,4}\/Page\b/g)?.length ?? 0;
  return pages === 0 ? undefined : pages;
}

/** Programs that extract pages of a document, with their arguments. */
const splitters: readonly (readonly [
  string,
  (range: PageRange, files: readonly [string, string]) => readonly string[],
])[] = [
  ['qpdf', ({ first, last }, [from, to]) => ['--empty', '--pages', from, `${first}-${last}`, '--', to]],
  ['mutool', ({ first, last }, [from, to]) => ['merge', '-o', to, from, `${first}-${last}`]],
  [
    'gs',
    ({ first, last }, [from, to]) => [
      '-dSAFER',
      '-q',
      '-dBATCH',
      '-dNOPAUSE',
      '-sDEVICE=pdfwrite',
      `-dFirstPage=${first}`,
      `-dLastPage=${last}`,
      `-sOutputFile=${to}`,
      from,
    ],
  ],
];

/** Limits a range to existing pages: programs refuse a range that ends after the last page. */
async function pagesThere(
  { path, real }: PdfFile,
  { first, last }: PageRange,
  context: ToolContext,
): Promise<PageRange> {
  const qpdf = findProgram('qpdf', { cwd: context.workspace.cwd });
  const options = { ...limitsOf(context), cwd: context.workspace.cwd };
  const said =
    qpdf === undefined
      ? undefined
      : await runProgram(qpdf, ['--show-npages', real], options).catch(() => undefined);
  const count = Number.parseInt(said?.stdout ?? '', 10);
  if (!(count > 0)) return { first, last };
  if (first > count) throw new AgentError('tool', `${path} has ${count} pages.`);
  return { first, last: Math.min(last, count) };
}

/** Some pages as a separate document; undefined if no installed program can extract them. */
async function somePages(
  { real }: PdfFile,
  range: PageRange,
  context: ToolContext,
): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'robota-pdf-'));
  try {
    for (const [name, argumentsFor] of splitters) {
      const program = findProgram(name, { cwd: context.workspace.cwd });
      if (program === undefined) continue;
      const to = join(folder, 'pages.pdf');
      const options = { ...limitsOf(context), cwd: folder };
      await runProgram(program, argumentsFor(range, [real, to]), options).catch(() => undefined);
      context.signal.throwIfAborted();
      const isSmall = await stat(to).then(
        ({ size }) => size <= largestDocument,
        () => false,
      );
      const bytes = isSmall ? await readFile(to) : undefined;
      if (bytes?.subarray(0, 5).toString('latin1') === '%PDF-') return bytes;
    }
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A malicious document could keep a program busy or fill the memory with output. */
function limitsOf({ env, signal }: ToolContext) {
  return { env, signal, timeoutMs, maximumBytes: mostBytes };
}

async function readText(
  { path, real }: PdfFile,
  range: PageRange | undefined,
  context: ToolContext,
): Promise<ToolOutput> {
  const program = findProgram('pdftotext', { cwd: context.workspace.cwd });
  if (program === undefined)
    throw new AgentError(
      'tool',
      `${path} is a PDF document. Its text needs pdftotext, which is not installed (poppler-utils, or brew install poppler).`,
    );
  const { first, last } = range ?? { first: 1, last: mostPages };
  const words = ['-layout', '-enc', 'UTF-8', '-f', String(first), '-l', String(last), real, '-'];
  const options = { ...limitsOf(context), cwd: context.workspace.cwd };
  const { stdout, stderr, exitCode, stopped } = await runProgram(program, words, options);
  if (stopped === 'timeout')
    throw new AgentError(
      'tool',
      `pdftotext took more than ${timeoutMs / 1000} s for ${path}. Read fewer pages.`,
    );
  if (exitCode !== 0 && stopped === undefined)
    throw new AgentError(
      'tool',
      `pdftotext cannot read ${path}: ${stderr.trim().slice(0, mostComplaint) || `exit code ${exitCode}`}`,
    );
  const pages = stdout.split('\f');
  if (pages.at(-1)?.trim() === '') pages.pop();
  const shown = pages.map((page, index) => `[page ${first + index}]\n${page.trimEnd()}`).join('\n\n');
  if (shown.trim() === '') throw new AgentError('tool', `${path} has no text on these pages.`);
  const isCut = shown.length > mostCharacters || stopped === 'output';
  const isMore = range === undefined && pages.length === mostPages;
  const notes = [
    ...(isCut ? [`Cut after ${mostCharacters} characters; read fewer pages at once.`] : []),
    ...(isMore ? [`There may be more; read on with pages "${mostPages + 1}-${mostPages * 2}".`] : []),
  ];
  const text = isCut ? shown.slice(0, mostCharacters) : shown;
  return textOutput(notes.length === 0 ? text : `${text}\n\n[${notes.join(' ')}]`, {
    display: { kind: 'file', path, text, firstLine: 1 },
  });
}
