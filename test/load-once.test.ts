import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLoadOnce } from '../scripts/load-once.mjs';

describe('a bundled file that loads others on demand', () => {
  it('asks Node once, and gives the same to each caller', () => {
    const text = `const load=()=>import("./part.mjs");
      console.log(load()===load(),(await load()).part===(await load()).part);`;
    expect(printedBy(text)).toBe('true true\n');
  });

  it('tries again after a failure', () => {
    const text = `import{renameSync}from"node:fs";const load=()=>import("./later.mjs");
      try{await load()}catch(error){console.log(error.code)}
      renameSync(new URL("part.mjs",import.meta.url),new URL("later.mjs",import.meta.url));
      console.log((await load()).part.name);`;
    expect(printedBy(text)).toBe('ERR_MODULE_NOT_FOUND\npart\n');
  });

  it('loads modules of Node, several at once', () => {
    const text = `const[net,path]=await Promise.all([import("node:net"),import("node:path")]);
      console.log(typeof net.connect,path.basename("a/b"));`;
    expect(printedBy(text)).toBe('function b\n');
  });

  it('stays as it is where nothing is loaded, or what is named only at run time', () => {
    for (const text of ['export const one = 1;', 'import(name)', 'import(`./$' + '{name}.mjs`)'])
      expect(withLoadOnce(text)).toBe(text);
  });
});

function printedBy(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'robota-load-'));
  writeFileSync(join(folder, 'part.mjs'), 'export const part = { name: "part" };');
  writeFileSync(join(folder, 'bundle.mjs'), withLoadOnce(text));
  return execFileSync(process.execPath, [join(folder, 'bundle.mjs')], { encoding: 'utf8' });
}
