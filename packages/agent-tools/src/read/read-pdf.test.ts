import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@robota-sdk/agent-core';
import { pdfOf, testToolContext } from '@robota-sdk/agent-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countPages, documentAccess, readPdf } from './read-pdf.ts';

function reader(options: { readonly accepts: boolean }) {
  return readerOf(pdfOf(['The first page', 'The second page', 'The third page']), options);
}

async function directory(): Promise<string> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'read-pdf-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return cwd;
}

async function readerOf(bytes: Buffer, options: { readonly accepts: boolean }) {
  const cwd = await directory();
  const real = join(cwd, 'three.pdf');
  writeFileSync(real, bytes);
  const context = testToolContext(cwd);
  context.state.get(documentAccess).accepts = () => options.accepts;
  return async (pages?: string) => (await readPdf({ path: 'three.pdf', real, pages }, context)).content;
}

const textOf = (content: readonly { readonly type: string }[]) => JSON.stringify(content);

// Debian and Ubuntu have them in poppler-utils and qpdf.
const missing = ['pdftotext', 'qpdf'].filter((name) => findProgram(name, { cwd: tmpdir() }) === undefined);
const suite = missing.length === 0 ? describe : describe.skip;

suite(`pages of a PDF${missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not installed)`}`, () => {
  it('are text by the real pdftotext for a model that takes no documents', async () => {
    const read = await reader({ accepts: false });
    expect(textOf(await read())).toMatch(/The first page.*The third page/);
    const second = textOf(await read('2'));
    expect(second).toContain('The second page');
    expect(second).not.toMatch(/The first page|The third page/);
    expect(textOf(await read('2-'))).toMatch(/The second page.*The third page/);
    await expect(read('9')).rejects.toThrow(/page/);
  });

  it('are a document of their own by the real qpdf, also where the range ends behind the last page', async () => {
    const read = await reader({ accepts: true });
    for (const [pages, count] of [
      ['2', 1],
      ['1-2', 2],
      ['2-', 2],
      ['1-20', 3],
    ] as const) {
      const [, document] = (await read(pages)) as readonly {
        readonly type: string;
        readonly data?: string;
      }[];
      expect(document).toMatchObject({ type: 'image', mimeType: 'application/pdf' });
      expect(countPages(Buffer.from(document?.data ?? '', 'base64'))).toBe(count);
    }
    await expect(read('7-9')).rejects.toThrow('three.pdf has 3 pages.');
  });

  it('are cut where they hold far more text than fits', async () => {
    const wide = pdfOf(Array.from({ length: 20 }, () => 'all work '.repeat(1_000)));
    const bytes = Buffer.from(wide.toString('latin1').replaceAll('0 0 300 200', '0 0 9999999 200'), 'latin1');
    const read = await readerOf(bytes, { accepts: false });
    const text = textOf(await read());
    expect(text).toContain('Cut after 51200 characters');
    expect(text.length).toBeLessThan(60_000);
  });

  it.each([
    ['a page as large as a country', pdfOf(['far']).toString('latin1').replace('0 0 300 200', '0 0 9e7 9e7')],
    ['a table of objects that is gone', pdfOf(['lost']).toString('latin1').replace('startxref', 'xxxxxxxxx')],
    [
      'a list of pages that contains itself',
      pdfOf(['loop']).toString('latin1').replace('[3 0 R]', '[2 0 R]'),
    ],
    ['half of its bytes', pdfOf(['half']).toString('latin1').slice(0, 300)],
    ['nothing but its first line', '%PDF-1.7\n'],
    ['a password', encrypted()],
  ])('of a document with %s are an answer or an error of one line', async (_, text) => {
    const read = await readerOf(Buffer.from(text, 'latin1'), { accepts: false });
    const said = await read().then(textOf, (thrown: Error) => thrown.message);
    expect(said.length).toBeLessThan(2_000);
    expect(said).not.toContain('undefined');
  });

  it('of a document that a vendor would refuse are text', async () => {
    const open = await readerOf(Buffer.from(encrypted(''), 'latin1'), { accepts: true });
    expect(textOf(await open())).toContain('secret');
    const [page] = await open('1').then((content) => content.slice(1));
    expect(page).toMatchObject({ mimeType: 'application/pdf' });
    const closed = await readerOf(Buffer.from(encrypted(), 'latin1'), { accepts: true });
    await expect(closed()).rejects.toThrow(/pdftotext cannot read three\.pdf: .*password/);
    const half = await readerOf(pdfOf(['half']).subarray(0, 300), { accepts: true });
    await expect(half()).rejects.toThrow('pdftotext cannot read three.pdf');
  });

  it('are not waited for once the user interrupts', async () => {
    const cwd = await directory();
    const real = join(cwd, 'slow.pdf');
    writeFileSync(real, pdfOf(['x']));
    const interrupt = new AbortController();
    interrupt.abort(new Error('Interrupted.'));
    const context = { ...testToolContext(cwd), signal: interrupt.signal };
    await expect(readPdf({ path: 'slow.pdf', real, pages: undefined }, context)).rejects.toThrow(
      'Interrupted.',
    );
  });
});

/** A document that is encrypted; it wants a password to be read unless that is empty. */
function encrypted(password = 'user'): string {
  const folder = mkdtempSync(join(tmpdir(), 'read-pdf-'));
  const [from, to] = [join(folder, 'from.pdf'), join(folder, 'to.pdf')];
  writeFileSync(from, pdfOf(['secret']));
  const program = findProgram('qpdf', { cwd: tmpdir() });
  if (program !== undefined) execFileSync(program, ['--encrypt', password, 'owner', '256', '--', from, to]);
  const text = existsSync(to) ? readFileSync(to, 'latin1') : '';
  rmSync(folder, { recursive: true });
  return text;
}

it('counts the pages of a document that is made to take long', () => {
  const began = process.cpuUsage();
  expect(countPages(Buffer.from('/Type/Pages/Count 7 '.repeat(700_000)))).toBe(7);
  expect(countPages(Buffer.from('/Type /Page '.repeat(100_000)))).toBe(100_000);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(5_000);
});
