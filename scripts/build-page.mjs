// Bundles the script and the style of exported HTML pages into packages/agent-export/src/view/page.json, which
// travels like any other JSON of the source: through the tests, the packed packages and the bundle of the command.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { straightImports } from './straight-imports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'packages/agent-export/src');

/** Writes the file if it would change; that it is always there is what the compiler needs. */
export async function buildPage() {
  const text = `${JSON.stringify({ script: await bundled('page/main.ts'), style: await bundled('page/page.css') })}\n`;
  const file = join(source, 'view/page.json');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

async function bundled(/** @type {string} */ entry) {
  const { outputFiles } = await build({
    entryPoints: [join(source, entry)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    charset: 'ascii',
    conditions: ['@robota-sdk/source'],
    external: ['node:*'],
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [straightImports(root)],
    absWorkingDir: root,
  });
  const bundle = outputFiles[0]?.text.trim() ?? '';
  const text = entry.endsWith('.ts') ? withoutComments(bundle) : bundle;
  if (/<\/(script|style)/i.test(text) || text.includes('<!--') || text.includes('node:'))
    throw new Error(`${entry} holds what can't stand inside a page.`);
  return text;
}

/** Escapes the opening of HTML comments, which the grammar of markup has in a string. */
function withoutComments(/** @type {string} */ script) {
  const escaped = script.replaceAll('<!--', '\\x3c!--');
  // Throws if it stood outside of a string.
  new Script(escaped);
  return escaped;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPage();
