import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { imageSize, type ToolContext, textOf } from '@robota-sdk/agent-core';
import { testToolContext } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { encodeJpeg } from '../image/encode-jpeg.ts';
import { encodePng } from '../image/encode-png.ts';
import { LineCollector } from './line-collector.ts';
import { documentAccess } from './read-pdf.ts';
import { readTool } from './read-tool.ts';

let cwd: string;
let context: ToolContext;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-read-')));
  context = testToolContext(cwd);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const put = (content: string | Buffer, name = 'a.txt') => writeFileSync(join(cwd, name), content);
const read = async (input: { offset?: number; limit?: number; pages?: string } = {}, name = 'a.txt') =>
  textOf((await readTool.execute({ file_path: name, ...input }, context)).content);

describe('Read', () => {
  it.skipIf(process.platform !== 'linux')('says how to open a file whose name is not UTF-8', async () => {
    const name = Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([0xff, 0xfe]), Buffer.from("-it's.txt")]);
    writeFileSync(name, 'found');
    const asked = readdirSync(cwd)[0] ?? '';
    const failure = await read({}, asked).catch((thrown: Error) => thrown.message);
    const pattern = /give it (\S+), or rename/.exec(String(failure))?.[1];
    expect(failure).toMatch(/^NotFound: .* bytes that are not UTF-8, only Bash can open the file/);
    expect(execFileSync('bash', ['-c', `cat ${pattern}`], { cwd, encoding: 'utf8' })).toBe('found');
  });

  it('gives numbered lines, from an offset and up to a limit', async () => {
    proves('R-27', 'P-35', 'E-1');
    put('one\r\ntwo\n\nfour');
    expect(await read()).toBe('1\tone\n2\ttwo\n3\t\n4\tfour');
    expect(await read({ offset: 2, limit: 2 })).toBe(
      '2\ttwo\n3\t\n\n[There are more lines; read on with offset 4.]',
    );
    expect(await read({ offset: 4, limit: 5 })).toBe('4\tfour');
    await expect(read({ offset: 9 })).rejects.toThrow('past the end: a.txt has 4 lines');
  });

  it('shows people the lines without numbers', async () => {
    proves('R-27');
    put('one\ntwo\n');
    const { display } = await readTool.execute({ file_path: 'a.txt', offset: 2 }, context);
    expect(display).toEqual({ kind: 'file', path: 'a.txt', text: 'two', firstLine: 2 });
  });

  it('stops at 50 KB or 2,000 lines and says how to read on', async () => {
    proves('P-35');
    put(`${'x'.repeat(99)}\n`.repeat(1_000));
    const text = await read();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024 + 100);
    const next = Number(text.match(/offset (\d+)\.\]$/)?.[1]);
    expect(text).toContain(`\n${next - 1}\t`);
    expect(await read({ offset: next })).toMatch(new RegExp(`^${next}\t`));
    put('\n'.repeat(3_000));
    expect(await read()).toContain('read on with offset 2001');
  });

  it('cuts very long lines and says by how much', async () => {
    proves('P-35');
    put(`${'é'.repeat(5_000)}\nnext`);
    expect(await read()).toBe(`1\t${'é'.repeat(2_000)}... [3000 more characters]\n2\tnext`);
  });

  it('reads other encodings and says which', async () => {
    proves('R-27');
    put(Buffer.from('caf\xe9\n', 'latin1'));
    expect(await read()).toBe('1\tcafé\n\n[Encoding: windows-1252.]');
    put(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hé\r\nx', 'utf16le')]));
    expect(await read()).toBe('1\thé\n2\tx\n\n[Encoding: utf-16le.]');
    put('\ufeffmarked');
    expect(await read()).toBe('1\tmarked');
    put('mac\rlines\r');
    expect(await read()).toBe('1\tmac\n2\tlines');
  });

  it('says that an empty file is empty', async () => {
    proves('R-27');
    put('');
    expect(await read()).toBe('a.txt is empty.');
  });

  it('shows png, jpg, gif and webp as images, by their bytes', async () => {
    proves('P-36');
    const images: Record<string, [string, string]> = {
      'image/png': ['a.txt', '\x89PNG\r\n\x1a\n....'],
      'image/jpeg': ['b.jpg', '\xff\xd8\xff\xe0....'],
      'image/gif': ['c.gif', 'GIF89a\x01\0\x01\0'],
      'image/webp': ['d.webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    };
    for (const [mimeType, [name, start]] of Object.entries(images)) {
      const bytes = Buffer.from(start, 'latin1');
      put(bytes, name);
      const { content, display } = await readTool.execute({ file_path: name }, context);
      expect(content[1]).toEqual({ type: 'image', mimeType, data: bytes.toString('base64') });
      expect(display).toMatchObject({ kind: 'image', mimeType });
    }
  });

  it('makes an image smaller that a vendor would refuse, and tells its scale', async () => {
    proves('P-36', 'P-102');
    put(unpackedPng(1_980, 1_900), 'heavy.png');
    expect(statSync(join(cwd, 'heavy.png')).size).toBeGreaterThan(11_000_000);
    put(
      encodePng({ width: 9_000, height: 30, pixels: new Uint8ClampedArray(9_000 * 30 * 4).fill(200) }),
      'wide.png',
    );
    const grey = new Uint8ClampedArray(2_400 * 1_200 * 4).fill(128);
    put(encodeJpeg({ width: 2_400, height: 1_200, pixels: grey }, 50), 'photo.jpg');
    const shown = async (name: string) => {
      const { content } = await readTool.execute({ file_path: name }, context);
      const [text, image] = content;
      if (text?.type !== 'text' || image?.type !== 'image') throw new Error('no image');
      expect(image.data.length).toBeLessThan(5_000_000);
      return { text: text.text, size: imageSize(image.data, image.mimeType), mimeType: image.mimeType };
    };
    expect(await shown('wide.png')).toEqual({
      text: 'wide.png: PNG image, 1.2 kB, 9000×30 pixels, shown at 2000×7; multiply coordinates by 4.50',
      size: { width: 2_000, height: 7 },
      mimeType: 'image/png',
    });
    const heavy = await shown('heavy.png');
    expect(heavy.text).toMatch(/^heavy\.png: PNG image, 11\.3 MB, 1980×1900 pixels, shown at 1980×1900$/);
    expect(heavy.mimeType).toBe('image/png');
    expect(await shown('photo.jpg')).toMatchObject({
      size: { width: 2_000, height: 1_000 },
      mimeType: 'image/jpeg',
    });
  });

  it('refuses a large image that it cannot make smaller, with advice', async () => {
    proves('P-36', 'P-102');
    put(Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'big.webp');
    truncateSync(join(cwd, 'big.webp'), 6_000_000);
    await expect(read({}, 'big.webp')).rejects.toThrow(/WebP image that is too large.*smaller PNG or JPEG/);
    put(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'big.png');
    truncateSync(join(cwd, 'big.png'), 6_000_000);
    await expect(read({}, 'big.png')).rejects.toThrow(/too large.*The PNG is damaged\./);
  });

  it('gives a PDF as a document to a model that takes one, and asks for pages of a long one', async () => {
    context.state.get(documentAccess).accepts = () => true;
    const bytes = Buffer.from(
      '%PDF-1.7\n1 0 obj << /Type /Pages /Kids [] /Count 3 >> endobj\nstartxref\n9\n%%EOF\n',
    );
    put(bytes, 'short.pdf');
    const { content } = await readTool.execute({ file_path: 'short.pdf' }, context);
    expect(content).toEqual([
      { type: 'text', text: 'short.pdf: PDF document, the whole document' },
      { type: 'image', mimeType: 'application/pdf', data: bytes.toString('base64') },
    ]);
    put('%PDF-1.7\n1 0 obj << /Count 90 /Type /Pages >> endobj\nstartxref\n9\n%%EOF\n', 'long.pdf');
    await expect(read({}, 'long.pdf')).rejects.toThrow(
      'long.pdf has 90 pages. Read some of it, at most 20 pages',
    );
    await expect(read({ pages: '1-50' }, 'long.pdf')).rejects.toThrow('At most 20 pages');
    await expect(read({ pages: 'all' }, 'long.pdf')).rejects.toThrow('pages is a page or a range');
  });

  it('gives the text of pages where the model takes no documents, by the program of the machine', async () => {
    put('%PDF-1.7\n', 'doc.pdf');
    // Programs of the project itself are never used.
    const programs = mkdtempSync(join(tmpdir(), 'robota-programs-'));
    // The machine may have the real one.
    vi.stubEnv('PATH', programs);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(programs, { recursive: true });
    });
    await expect(read({}, 'doc.pdf')).rejects.toThrow('needs pdftotext, which is not installed');
    vi.stubEnv('PATH', `${programs}:/usr/bin:/bin`);
    const script = '#!/bin/sh\nprintf "called %s\\n\\fsecond\\n\\f" "$*"\n';
    writeFileSync(join(programs, 'pdftotext'), script, { mode: 0o755 });
    expect(await read({ pages: '3-4' }, 'doc.pdf')).toBe(
      `[page 3]\ncalled -layout -enc UTF-8 -f 3 -l 4 ${join(cwd, 'doc.pdf')} -\n\n[page 4]\nsecond`,
    );
  });

  it('names binary files by type and size instead of dumping them', async () => {
    proves('R-27');
    put(Buffer.from('\0\x01\x02ELF', 'latin1'), 'bin.dat');
    await expect(read({}, 'bin.dat')).rejects.toThrow('BinaryFile: bin.dat is binary data of 6 bytes');
    put(Buffer.from('PK\x03\x04\0', 'latin1'), 'a.zip');
    await expect(read({}, 'a.zip')).rejects.toThrow('ZIP archive');
  });

  it('offers similar names for a wrong path', async () => {
    proves('R-27');
    mkdirSync(join(cwd, 'src', 'lib'), { recursive: true });
    put('x', 'src/parser.ts');
    put('x', 'src/lib/unique-name.ts');
    await expect(read({}, 'src/praser.ts')).rejects.toThrow(
      'NotFound: "src/praser.ts" does not exist. Check the path, or use Glob to find it. Did you mean src/parser.ts?',
    );
    await expect(read({}, 'src/praser.ts')).rejects.toMatchObject({ problem: { brief: 'not found' } });
    await expect(read({}, 'src/parser.js')).rejects.toThrow('Did you mean src/parser.ts?');
    await expect(read({}, 'wrong/unique-name.ts')).rejects.toThrow('Did you mean src/lib/unique-name.ts?');
    await expect(read({}, 'zzzzzz')).rejects.toThrow(`Relative paths start at ${cwd}`);
    await expect(read({}, '../zzz')).rejects.toThrow(/find it\.$/);
  });

  it('lists some of a directory and points to Glob', async () => {
    proves('R-27');
    mkdirSync(join(cwd, 'dir'));
    put('x', 'dir/inner.txt');
    await expect(read({}, 'dir')).rejects.toThrow(/IsDirectory: "dir".*Glob.*It holds inner\.txt\./);
  });

  it('never waits for a pipe', async () => {
    proves('R-27');
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(cwd, 'pipe')]);
    await expect(read({}, 'pipe')).rejects.toThrow('NotARegularFile');
  });

  it('reads anywhere in a huge file in flat memory', async () => {
    proves('P-35');
    const size = 300_000_000;
    put(`${'z'.repeat(99)}\n`.repeat(1_000));
    truncateSync(join(cwd, 'a.txt'), size);
    const before = process.memoryUsage().rss;
    expect(await read({ limit: 1 })).toMatch(
      /^1\tz{99}\n\n\[There are more lines; read on with offset 2\.\]$/,
    );
    expect(await read({ offset: 1_001 })).toContain(`... [${size - 100_000 - 2_000} more characters]`);
    await expect(read({ offset: 1_002 })).rejects.toThrow('has 1001 lines');
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('keeps characters whole that a piece of a huge file cuts in two', async () => {
    put(`x${'😀'.repeat(3_000_000)}\nend\n`);
    expect(await read()).toMatch(/^1\tx(😀){999}\.\.\. \[5998002 more characters\]\n2\tend$/u);
  });
});

describe('LineCollector', () => {
  it('gives the same lines however the text is cut into pieces', () => {
    proves('P-35');
    const pieces = fc.array(
      fc
        .array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r'), { maxLength: 8 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (parts, offset, lines) => {
          const limits = { offset, lines, bytes: 1_000, lineLength: 5 };
          const collector = new LineCollector(limits, '\n');
          for (const part of parts) collector.push(part);
          collector.end();
          const whole = parts.join('');
          const all = whole.split('\n').map((line) => line.replace(/\r$/, ''));
          if (whole.endsWith('\n') || whole === '') all.pop();
          const expected = all.slice(offset - 1, offset - 1 + lines);
          const shortened = expected.map((line) =>
            line.length > 5 ? `${line.slice(0, 5)}... [${line.length - 5} more characters]` : line,
          );
          expect(collector.plainLines).toEqual(shortened);
          expect(collector.isFull).toBe(all.length > offset - 1 + lines);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

/** A PNG whose data is not compressed. */
function unpackedPng(width: number, height: number): Buffer {
  const small = encodePng({ width, height, pixels: new Uint8ClampedArray(width * height * 4).fill(99) });
  const chunk = (name: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), body]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const head = Buffer.from(small.subarray(16, 29));
  head[9] = 2;
  const lines = Buffer.alloc((width * 3 + 1) * height, 77);
  for (let y = 0; y < height; y += 1) lines[y * (width * 3 + 1)] = 0;
  const data = chunk('IDAT', deflateSync(lines, { level: 0 }));
  return Buffer.concat([small.subarray(0, 8), chunk('IHDR', head), data, chunk('IEND', Buffer.alloc(0))]);
}
