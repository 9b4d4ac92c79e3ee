import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { expect, it, onTestFinished } from 'vitest';
import { readRegularFile, readRegularFileSync } from './read-regular-file.ts';

const root = await temporaryDirectory();
const at = (name: string) => join(root, name);

it('a file is read, also through a link, and not through one where links are refused', async () => {
  writeFileSync(at('file'), 'text');
  symlinkSync('file', at('link'));
  for (const name of ['file', 'link']) {
    expect(readRegularFileSync(at(name)).toString()).toBe('text');
    expect((await readRegularFile(at(name))).toString()).toBe('text');
  }
  await expect(readRegularFile(at('link'), { noFollow: true })).rejects.toThrow('ELOOP');
});

it('pipes, sockets and devices are refused at once', async () => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
  symlinkSync('pipe', at('link-to-pipe'));
  symlinkSync('/dev/zero', at('link-to-device'));
  const server = createServer().listen(at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  for (const name of ['pipe', 'link-to-pipe', 'link-to-device', 'socket']) {
    expect(() => readRegularFileSync(at(name)), name).toThrow('it is not a regular file');
    await expect(readRegularFile(at(name)), name).rejects.toThrow('it is not a regular file');
  }
});

it('directories and files above the limit say so', async () => {
  mkdirSync(at('directory'));
  writeFileSync(at('large'), 'x'.repeat(11));
  expect(() => readRegularFileSync(at('directory'))).toThrow('EISDIR');
  expect(() => readRegularFileSync(at('large'), { largest: 10 })).toThrow('it is larger than 10 bytes');
  expect(readRegularFileSync(at('large'), { largest: 11 })).toHaveLength(11);
  await expect(readRegularFile(at('missing'))).rejects.toMatchObject({ code: 'ENOENT' });
});
