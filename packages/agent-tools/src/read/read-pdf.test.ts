import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countPages, documentAccess, readPdf } from './read-pdf.ts';

/** A document of pages with one line each, as programs that check its table of objects accept it. */
function pdfOf(lines: readonly string[]): Buffer {
  const kids = lines.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  const font = 3 + lines.length * 2;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${lines.length} >>`,
    ...lines.flatMap((line, index) => {
      const stream = `BT /F1 12 Tf 40 100 Td (${line}) Tj ET`;
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${4 + index * 2} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`;
      return [page, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`];
    }),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

async function reader(options: { readonly accepts: boolean }) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'read-pdf-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const real = join(cwd, 'three.pdf');
  writeFileSync(real, pdfOf(['The first page', 'The second page', 'The third page']));
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
});
