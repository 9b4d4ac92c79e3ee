// Packs the published packages and lets publint and attw look at them as an importer would. What passed once is not
// looked at again.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackages } from '../pack.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const passedFile = join(root, 'node_modules/.cache/robota/published.json');
/** Our packages are ES modules: the resolution of Node 10 and `require` of them are no promises of ours. */
const otherKinds = ['node10', 'node16-cjs'];

const destination = mkdtempSync(join(tmpdir(), 'robota-published-'));
try {
  const known = new Set(existsSync(passedFile) ? JSON.parse(readFileSync(passedFile, 'utf8')) : []);
  const archives = packPackages(destination).map((packed) => {
    const data = readFileSync(packed.file);
    return { ...packed, data, key: createHash('sha256').update(data).digest('hex') };
  });
  const fresh = archives.filter(({ key }) => !known.has(key));
  const found = fresh.length === 0 ? new Map() : await look(fresh);
  for (const problem of [...found.values()].flat()) process.stdout.write(`${problem}\n`);
  const passed = archives.map(({ key }) => key).filter((key) => (found.get(key) ?? []).length === 0);
  writeFileSync(passedFile, JSON.stringify(passed));
  process.exitCode = [...found.values()].flat().length > 0 ? 1 : 0;
} finally {
  rmSync(destination, { recursive: true, force: true });
}

/**
 * The problems of each archive, by its key.
 * @param {(import('../pack.mjs').Packed & { data: Buffer, key: string })[]} archives
 */
async function look(archives) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { name, data, folder, key } of archives) {
    const bytes = new Uint8Array(data);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { messages } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
    const types = await checkPackage(createPackageFromTarballData(bytes));
    const problems = types.types === false ? [] : types.problems.filter((each) => !isOther(each));
    found.set(key, [
      ...messages.map((message) => `${name}: ${formatMessage(message, manifest)}`),
      ...(types.types === false ? [`${name}: has no types`] : []),
      ...problems.map((problem) => `${name}: ${JSON.stringify(problem)}`),
    ]);
  }
  return found;
}

function isOther(/** @type {object} */ problem) {
  const kind = 'resolutionKind' in problem ? String(problem.resolutionKind) : '';
  return otherKinds.includes(kind);
}
