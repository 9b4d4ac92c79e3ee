import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { extensionFileIn, noteExtension } from './loaded-files.ts';

const stackOf = (place: string) => `Error: x\n    at own (${place}:3:7)\n    at node:internal/timers:1:1`;

it('finds only files of extensions that were loaded, whatever folders are called', () => {
  const file = join(tmpdir(), 'clone/packages/agent-resources/dist/extensions/guard.js');
  expect(extensionFileIn(stackOf(file))).toBeUndefined();
  const own = join(tmpdir(), 'home/extensions/own.mjs');
  noteExtension(own);
  expect(extensionFileIn(stackOf(file))).toBeUndefined();
  expect(extensionFileIn(stackOf(`${pathToFileURL(own).href}?version=1`))).toBe(own);
});
