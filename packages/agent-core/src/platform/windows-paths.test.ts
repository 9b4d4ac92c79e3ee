import path from 'node:path';
import { expect, it } from 'vitest';
import { relativePath } from './windows-paths.ts';

it('names a path from a directory with slashes, on any system', () => {
  expect(relativePath('C:\\code', 'C:\\code\\src\\a.ts', path.win32)).toBe('src/a.ts');
  expect(relativePath('C:\\code\\src', 'C:\\code', path.win32)).toBe('..');
  expect(relativePath('C:\\code', 'D:\\more\\a.ts', path.win32)).toBe('D:/more/a.ts');
  expect(relativePath('/code', '/code/a\\b.ts', path.posix)).toBe('a\\b.ts');
});
