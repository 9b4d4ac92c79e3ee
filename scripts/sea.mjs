// `npm run sea` builds the single executable of this platform: Node and the bundle in one file, in
// build/agent-cli-PLATFORM-ARCH, a folder that can be packed. It takes what `npm run build` made.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forwarder } from '../packages/agent-tools/dist/sandbox/proxy-launcher.js';
import { functionOfChunk } from './chunks/function-of-chunk.mjs';
import { keptCompilations } from './sea/kept-compilations.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'packages/agent-cli');
const processWorkers = ['plugin-worker', 'transpile-worker'];
/** The mark in the binary of Node that postject looks for. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const isWindows = process.platform === 'win32';

const seaAssets = `
const $sea = process.getBuiltinModule('node:sea');
const $meta = {
  get url() {
    return process.getBuiltinModule('node:url').pathToFileURL(process.execPath).href;
  },
};
const $read = (name) => {
  const asset = Buffer.from($sea.getRawAsset(name));
  const end = 4 + asset.readUInt32LE(0);
  const kept = end < asset.length ? asset.subarray(end) : undefined;
  return { text: asset.latin1Slice(4, end), kept };
};
const $seen = () => {};
/** Modules that are files, of users or of optional packages. Node loads them for a module that it has loaded itself. */
let $importing;
function $importFile(address) {
  if ($importing === undefined) {
    const { Module } = process.getBuiltinModule('node:module');
    const module = new Module(process.execPath);
    module._compile('module.exports = (address) => import(address);', process.execPath);
    $importing = module.exports;
  }
  return $importing(address);
}
function $isWorker() {
  const name = process.argv[2] === '--internal-worker' ? process.argv[3] : undefined;
  if (!['plugin-worker', 'transpile-worker', 'proxy-forwarder'].includes(name)) return false;
  $compile(name)($require, $load, $importFile, $meta, $builtin);
  return true;
}`;

const began = performance.now();
const work = mkdtempSync(join(tmpdir(), 'robota-sea-'));
try {
  const file = await buildExecutable();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`${file}: ${Math.round(statSync(file).size / 1e6)} MB, built in ${seconds} s\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function buildExecutable() {
  const loader = readFileSync(join(root, 'scripts/chunks/loader.cjs'), 'utf8');
  // Without the lines for the interpreter and the loader of files.
  const [, , ...program] = readFileSync(join(cli, 'dist/bin.js'), 'utf8').split('\n');
  const bin = functionOfChunk(program.join('\n'), { name: 'bin.js' });
  const start = `${bin}($require,$load,$importFile,$meta,$builtin);`;
  const chunks = chunkFunctions();
  const kept = await keptCompilations({ program: `${loader}\n${start}`, chunks, work });
  /** @type {Record<string, string>} */
  const assets = {};
  const addAsset = (/** @type {string} */ name, /** @type {Buffer} */ content) => {
    assets[name] = join(work, `asset-${Object.keys(assets).length}`);
    writeFileSync(assets[name], content);
  };
  for (const [name, text] of chunks) addAsset(name, chunkAsset(text, kept.get(name)));
  for (const [name, text] of workerFunctions()) addAsset(name, chunkAsset(text));
  // A thread takes its program as a text.
  addAsset('html-worker', Buffer.from(`${workerFunction('html-worker')}(0,0,0,{url:"file:///"})`, 'latin1'));
  const main = join(work, 'main.cjs');
  writeFileSync(main, [seaAssets, loader, `if (!$isWorker()) ${start}`].join('\n'));
  return inject({ main, assets });
}

/** The text of a chunk behind its length, and what V8 keeps of it. */
function chunkAsset(/** @type {string} */ text, /** @type {Buffer | undefined} */ kept = undefined) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, Buffer.from(text, 'latin1'), kept ?? Buffer.alloc(0)]);
}

/** @returns {Map<string, string>} */
function chunkFunctions() {
  /** @type {string[]} */
  const names = JSON.parse(readFileSync(join(cli, 'dist/chunks.json'), 'utf8'));
  const own = names.filter((name) => name.endsWith('.js') && !['library.js', 'index.js'].includes(name));
  return new Map(own.map((name) => [name, readFileSync(join(cli, 'dist/chunks', name), 'latin1')]));
}

/** Functions that are the program of a process of its own. @returns {[string, string][]} */
function workerFunctions() {
  const functions = processWorkers.map(
    (name) => /** @type {[string, string]} */ ([name, workerFunction(name)]),
  );
  return [...functions, ['proxy-forwarder', `(()=>{const require=process.getBuiltinModule;${forwarder}})`]];
}

function workerFunction(/** @type {string} */ name) {
  const text = readFileSync(join(cli, 'dist/chunks', `${name}.mjs`), 'utf8');
  return functionOfChunk(text, { name, isAsync: true });
}

/** Puts the program into a copy of Node. */
function inject(/** @type {{ main: string, assets: Record<string, string> }} */ { main, assets }) {
  const folder = join(root, `build/agent-cli-${process.platform}-${process.arch}`);
  const file = join(folder, 'bin', isWindows ? 'robota.exe' : 'robota');
  const blob = join(work, 'blob');
  const config = { main, output: blob, assets, disableExperimentalSEAWarning: true, useCodeCache: true };
  writeFileSync(join(work, 'config.json'), JSON.stringify(config));
  execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'config.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(process.execPath, file);
  strip(file);
  if (process.platform === 'darwin') execFileSync('codesign', ['--remove-signature', file]);
  const segment = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
  const postject = join(root, 'node_modules/postject/dist/cli.js');
  const words = [postject, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`postject failed: ${stderr}`);
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', file]);
  chmodSync(file, 0o755);
  writeManifest(folder);
  return file;
}

/** Names of functions are for debuggers; without them a fifth is saved. */
function strip(/** @type {string} */ file) {
  if (process.platform !== 'linux') return;
  chmodSync(file, 0o755);
  spawnSync('strip', ['--strip-all', file], { stdio: 'ignore' });
}

/** The package that brings the executable of one platform to those who update it. */
function writeManifest(/** @type {string} */ folder) {
  const { version, license, author, homepage, repository, bugs } = JSON.parse(
    readFileSync(join(cli, 'package.json'), 'utf8'),
  );
  const manifest = {
    name: `@robota-sdk/agent-cli-${process.platform}-${process.arch}`,
    version,
    description: `Robota as a single executable for ${process.platform} on ${process.arch}.`,
    ...{ license, author, homepage, repository, bugs },
    keywords: ['robota', 'ai', 'agent', 'cli'],
    os: [process.platform],
    cpu: [process.arch],
    files: ['bin', 'THIRD-PARTY-NOTICES.txt', 'LICENSE-NODE.txt'],
    publishConfig: { access: 'public' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(cli, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(cli, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(cli, 'dist/THIRD-PARTY-NOTICES.txt'), join(folder, 'THIRD-PARTY-NOTICES.txt'));
  copyFileSync(licenceOfNode(), join(folder, 'LICENSE-NODE.txt'));
}

/** Node brings its licence along: beside bin/ in archives and packages of npm, beside the program on Windows. */
function licenceOfNode() {
  const folder = dirname(realpathSync(process.execPath));
  const places = [
    join(folder, '../LICENSE'),
    join(folder, 'LICENSE'),
    join(folder, '../share/doc/nodejs/LICENSE'),
    join(root, `node_modules/node-${process.platform}-${process.arch}/LICENSE`),
  ];
  const found = places.find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    `The licence of Node is not beside ${process.execPath}, and the executable contains Node. Use a Node from nodejs.org or from npm.`,
  );
}
