// biome-ignore-all lint/suspicious/noTemplateCurlyInString: such texts are what is tested here.

import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeProblems } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { loadConfig } from '../load/load-config.ts';
import { extensionFiles } from './extension-files.ts';
import { moduleImports } from './module-imports.ts';

async function placeWith(
  module: string,
  name = 'x.mjs',
): Promise<TestProject & { files(): ReturnType<typeof extensionFiles> }> {
  const place = await makeTestProject();
  await place.put('.git/HEAD', 'ref: refs/heads/main');
  const path = await place.put(`.robota/extensions/${name}`, module);
  const folder = join(place.cwd, '.robota/extensions');
  return { ...place, files: () => extensionFiles({ path, folder }) };
}

describe('the files of an extension', () => {
  it.each([
    ["import '../../lib/dep.js';", 'x.mjs'],
    ["import/**/'../../lib/dep.js';", 'x.mjs'],
    ['import /* a */ { b } // c\n from /* d */ "../../lib/dep.js"', 'x.mjs'],
    ["export * from '../../lib/dep.js'", 'x.mjs'],
    ["await import(/* now */ '../../lib/dep.js')", 'x.mjs'],
    ['await import(`../../lib/dep.js`)', 'x.mjs'],
    ["import '../../lib/%64ep.js'", 'x.mjs'],
    ["import '../../lib/dep.js?v=1'", 'x.mjs'],
    ["const load = createRequire(import.meta.url); load('../../lib/dep')", 'x.mjs'],
    ["new Worker(new URL('../../lib/dep.js', import.meta.url))", 'x.mjs'],
    ["require('../../lib/dep')", 'x.js'],
    ["require('../../lib')", 'x.js'],
    ["module.require('../../lib/dep')", 'x.js'],
    ['/"/; require/**/(\'../../lib/dep\'); /"/', 'x.js'],
    ["'/*'; require('../../lib/dep'); '*/'", 'x.js'],
  ])('hold what is loaded by: %s', async (text, name) => {
    const place = await placeWith(text, name);
    await place.put('lib/dep.js', "require('./deeper')");
    await place.put('lib/deeper.js', '');
    await place.put('lib/package.json', { main: './dep' });
    const { files, refusal } = place.files();
    expect(refusal).toBeUndefined();
    const names = files.map((file) => relative(place.cwd, file));
    expect(names).toEqual(expect.arrayContaining(['lib/deeper.js', 'lib/dep.js']));
  });

  it.each([
    ['await import(name)', 'import(name)'],
    ["await import('../../lib/' + name)", 'only known at run time'],
    ['await import(`../../lib/${name}.mjs`)', 'only known at run time'],
    ['require(process.argv[2])', 'require(process.argv[2])'],
    ["import '../../lib/missing.mjs'", 'imports ../../lib/missing.mjs, which is missing'],
    ["import '../../lib/\\x64ep.js'", 'only known at run time'],
    ["import '#hidden'", '#hidden'],
    ["import 'data:text/javascript,1'", 'data:text/javascript,1'],
  ])('cannot be approved if they are only known at run time: %s', async (text, why) => {
    const place = await placeWith(text);
    await place.put('lib/dep.js', '');
    expect(place.files().refusal).toContain(why);
    const config = await loadConfig(place.cwd, { host: place.host, trustProject: true });
    expect(describeProblems(config.problems).join()).toContain('.robota/extensions/x.mjs');
    expect(describeProblems(config.problems).join()).toContain('is skipped');
  });

  it.each([
    '// import(name) and import "./gone.js"',
    '/** @type {import("./gone.js").T} */',
    "const text = 'use import(name)';",
    'host.import(name); my.require(name);',
    "import fs from 'node:fs'; import 'some-package';",
  ])('are not in doubt because of: %s', async (text) => {
    expect((await placeWith(text)).files().refusal).toBeUndefined();
  });

  it('are refused as a whole above the largest number, and never cut', async () => {
    const place = await placeWith('export default 1;');
    const folder = join(place.cwd, '.robota/extensions/data');
    await mkdir(folder);
    await Promise.all(Array.from({ length: 2_001 }, (_, index) => writeFile(join(folder, `${index}`), '')));
    expect(place.files().refusal).toContain('more than 2000 files');
  });

  it('hold the folder of the repository that a package is linked to', async () => {
    const place = await placeWith("import 'own';");
    await place.put('packages/own/package.json', { name: 'own', main: 'main.js' });
    await place.put('packages/own/main.js', '');
    await mkdir(join(place.cwd, 'node_modules'));
    await symlink('../packages/own', join(place.cwd, 'node_modules/own'));
    expect(place.files().files).toContain(join(place.cwd, 'packages/own/main.js'));
  });

  it('moduleImports ends for whatever text', () => {
    const piece = fc.constantFrom(
      'import',
      '(',
      ')',
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '//',
      '\n',
      './a',
      ' ',
      '${',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        moduleImports(parts.join(''));
      }),
    );
  });
});
