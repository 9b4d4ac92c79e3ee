// Bundles the scripts and the styles of exported HTML pages and of `robota web`. Each goes into a file page.json among the
// sources, which travels like any other JSON: through the tests, the packed packages and the bundle of the command.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { straightImports } from './straight-imports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pages = [
  { source: 'packages/agent-export/src', scripts: { script: 'page/main.ts' }, file: 'view/page.json' },
  {
    source: 'packages/agent-web/src',
    scripts: { script: 'page/main.tsx', reports: 'page/reports.tsx' },
    file: 'server/page.json',
  },
];

/** Writes the files that would change; the compiler needs them to be there. */
export async function buildPage() {
  for (const { source, scripts, file } of pages) {
    const folder = join(root, source);
    /** @type {Record<string, string>} */
    const page = { style: await bundled(join(folder, 'page/page.css')) };
    for (const [name, script] of Object.entries(scripts)) page[name] = await bundled(join(folder, script));
    writeChanged(join(folder, file), `${JSON.stringify(page)}\n`);
  }
}

function writeChanged(/** @type {string} */ file, /** @type {string} */ text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

async function bundled(/** @type {string} */ entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    charset: 'ascii',
    conditions: ['@robota-sdk/source'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    external: ['node:*'],
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [straightImports(root)],
    absWorkingDir: root,
  });
  const bundle = outputFiles[0]?.text.trim() ?? '';
  const text = entry.endsWith('.css') ? bundle : withoutComments(bundle);
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
