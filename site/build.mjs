// `npm run site` builds the documentation as a web site in site/dist: the pages of docs/, the reference written from the program
// itself, llms.txt, and each page as Markdown. Broken links and anchors fail it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadLinks } from './links.mjs';
import { sitePages } from './pages.mjs';
import { llmsText } from './sections.mjs';

const site = fileURLToPath(new URL('.', import.meta.url));
const content = join(site, 'content');
/** The path of the site on its host; VitePress reads the same variable. */
const base = process.env.SITE_BASE ?? '/';
const lockfile = readFileSync(join(site, 'package-lock.json'), 'utf8');
const stamp = join(site, 'node_modules/.installed');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockfile) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']);
  writeFileSync(stamp, lockfile);
}
rmSync(content, { recursive: true, force: true });
const pages = await sitePages();
for (const [path, text] of pages) {
  write(join(content, path), text);
  // VitePress takes Markdown below public/ as it is, so every page can be read as it was written.
  write(join(content, 'public', path), text);
}
write(join(content, 'public/llms.txt'), llmsText(pages, base));
write(join(content, 'public/llms-full.txt'), [...pages].map(([, text]) => text).join('\n\n---\n\n'));
cpSync(join(site, '../docs/media'), join(content, 'public/media'), { recursive: true });
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build']);

const dead = deadLinks(join(site, 'dist'), base);
if (dead.length > 0) {
  process.stderr.write(`Broken links:\n${dead.map((line) => `  ${line}\n`).join('')}`);
  process.exit(1);
}
process.stdout.write(`${pages.size} pages are in site/dist\n`);

function write(/** @type {string} */ path, /** @type {string} */ text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function run(/** @type {string} */ command, /** @type {string[]} */ args) {
  execFileSync(command, args, { cwd: site, stdio: 'inherit' });
}
