// Bundles the script and the style of a page into a JSON file of its package, for exported sessions and for `robota web`.
// It travels like any other JSON of the source: through the tests, the packed packages and the bundle of the command.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { straightImports } from './straight-imports.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Packages with a page, and the file that it becomes. */
const pages = [
  { source: 'packages/agent-export/src', script: 'page/main.ts', target: 'view/page.json' },
  { source: 'packages/agent-web/src', script: 'page/main.tsx', target: 'server/page.json' },
];
/** Stands in for a page that is not written yet. */
const stub = {
  script: `const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const show = (text) => { document.getElementById('app').textContent = text; };
const headers = { 'Content-Type': 'application/json' };
const enter = () => fetch('/api/enter', { method: 'POST', headers, body: JSON.stringify({ token }) });
if (token) enter().then((reply) => reply.json()).then((reply) => {
  if (reply.key) localStorage.setItem('robota-key', reply.key);
  show(JSON.stringify(reply.device ?? reply));
});`,
  style: 'body { font: 15px system-ui; }',
};

/** Writes the files that would change; that they are always there is what the compiler needs. */
export async function buildPage() {
  for (const { source, script, target } of pages) {
    const folder = join(root, source);
    const style = () => bundled(join(folder, 'page/page.css'));
    const page = existsSync(join(folder, script))
      ? { script: await bundled(join(folder, script)), style: await style() }
      : stub;
    writeChanged(join(folder, target), `${JSON.stringify(page)}\n`);
  }
}

function writeChanged(/** @type {string} */ file, /** @type {string} */ text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
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
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'ascii',
    conditions: ['@robota-sdk/source'],
    external: ['node:*'],
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [straightImports(root)],
    absWorkingDir: root,
  });
  const bundle = outputFiles[0]?.text.trim() ?? '';
  const text = !entry.endsWith('.css') ? withoutComments(bundle) : bundle;
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
