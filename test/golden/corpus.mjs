// Records the corpus in memory, reads the recorded one, and tells what of it changed since it was first recorded.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** @typedef {Map<string, string>} Corpus Texts by `<language>/<section>/<file>`. */

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const languages = /** @type {const} */ (['en', 'de']);

export const recordedFolder = join(here, 'recorded');
export const firstRecording = join(here, 'first-recording.txt');
const decisions = join(here, 'DECISIONS.md');

/**
 * Runs the sections in a process for each language. A German text that equals the English one is left out.
 * @param {readonly string[]} sections all unless named
 * @returns {Promise<Corpus>}
 */
export async function recordCorpus(sections = []) {
  // The same length everywhere, so that columns and line ends are the same.
  const system = process.platform === 'win32' ? tmpdir() : '/tmp';
  const temporary = realpathSync(mkdtempSync(join(system, 'golden-')));
  try {
    const program = await bundle();
    const both = await Promise.allSettled(
      languages.map((language) => recordIn(language, sections, { program, temporary })),
    );
    const texts = both.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    const [english = {}, german = {}] = texts;
    /** @type {Corpus} */
    const corpus = new Map(Object.entries(english).map(([file, text]) => [`en/${file}`, text]));
    for (const [file, text] of Object.entries(german))
      if (english[file] !== text) corpus.set(`de/${file}`, text);
    return corpus;
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * The corpus as it is stored.
 * @returns {Corpus}
 */
export function readCorpus() {
  if (!existsSync(recordedFolder)) return new Map();
  const entries = readdirSync(recordedFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files
      .sort()
      .map((file) => [relative(recordedFolder, file).split(sep).join('/'), readFileSync(file, 'utf8')]),
  );
}

/** The hashes of the first recording, by file. */
export function readFirstRecording() {
  const lines = existsSync(firstRecording)
    ? readFileSync(firstRecording, 'utf8').split('\n').filter(Boolean)
    : [];
  return new Map(lines.map((line) => /** @type {const} */ ([line.slice(17), line.slice(0, 16)])));
}

export function hashOf(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * Files that are not as they were first recorded and that no line of DECISIONS.md names. A line names
 * `<section>/<file>`, or several of a section with `*` in the name of the file.
 * @param {Corpus} corpus
 */
export function unexplainedChanges(corpus) {
  const named = [...readFileSync(decisions, 'utf8').matchAll(/^- `([^`\s]+)`: \S/gm)].map(
    ([, name = '']) => name,
  );
  const first = readFirstRecording();
  const changed = [...first]
    .filter(([file, hash]) => hashOf(corpus.get(file) ?? '') !== hash)
    .map(([file]) => file);
  const added = [...corpus.keys()].filter((file) => !first.has(file));
  return [...changed, ...added].filter((file) => !named.some((name) => isNamed(name, file.slice(3)))).sort();
}

/** True if a name with stars means the file. */
function isNamed(/** @type {string} */ name, /** @type {string} */ file) {
  const [start = '', ...rest] = name.split('*');
  if (!file.startsWith(start)) return false;
  if (rest.length === 0) return file === name;
  const end = rest.at(-1) ?? '';
  return file.length >= start.length + end.length && file.endsWith(end);
}

/** Puts the sections into one file that Node can run. */
async function bundle() {
  const outfile = join(root, 'node_modules/.cache/robota/golden', `record-${process.pid}.mjs`);
  await build({
    entryPoints: [join(here, 'record-language.ts')],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/**
 * @param {'en' | 'de'} language
 * @param {readonly string[]} sections
 * @param {{ program: string, temporary: string }} places
 * @returns {Promise<Record<string, string>>}
 */
async function recordIn(language, sections, { program, temporary }) {
  const locale = language === 'de' ? 'de_DE.UTF-8' : 'en_US.UTF-8';
  const { PATH = '', GOLDEN_TIMES = '' } = process.env;
  const text = `const { recordLanguage } = await import(${JSON.stringify(pathToFileURL(program).href)});
const files = await recordLanguage(...${JSON.stringify([language, sections, here])});
await new Promise((resolve) => process.stdout.write(JSON.stringify(files), resolve));
process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    cwd: temporary,
    env: {
      PATH,
      GOLDEN_TIMES,
      HOME: temporary,
      LANG: locale,
      LC_ALL: locale,
      TZ: 'UTC',
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: join(temporary, 'compiled-code'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    output += part;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Error(`The corpus could not be recorded in ${language}: exit ${code}, see above.`);
  return JSON.parse(output);
}
