/* global $underFirstFlags, $folder */
// biome-ignore-all lint/correctness/noUnusedVariables: the loader and the launcher use them
// Chunks as files, in `$folder`. Compilations are kept in a folder that only the user can write, once `$keep` names it.
const $meta = {
  get url() {
    return process.getBuiltinModule('node:url').pathToFileURL(`${$folder}/chunk.mjs`).href;
  },
  dirname: $folder,
};
/** A kept compilation begins with the digest of its chunk, a sum of its bytes (V8 checks neither) and the number of its runs. */
const $digestLength = 16;
const $runsOffset = 20;
const $headLength = 24;
/** The first run may compile little, such as that of `/help`; later ones add the functions they needed. */
const $mostRuns = 3;
let $keptIn;
const $digests = new Map();
const $runs = new Map();
const $unsettled = new Map();

function $keep(folder) {
  $keptIn = folder;
}

function $read(name) {
  const filename = `${$folder}/${name}`;
  const text = process.getBuiltinModule('node:fs').readFileSync(filename, 'latin1');
  if ($keptIn === undefined) return { text, filename };
  $digests.set(name, text.slice(-$digestLength));
  return { text, filename, kept: $keptOf(name) };
}

function $keptOf(name) {
  const fs = process.getBuiltinModule('node:fs');
  let file;
  try {
    file = fs.openSync(`${$keptIn}/${name}`, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
    const { uid, mode } = fs.fstatSync(file);
    const isForeign = process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0);
    if (isForeign) return undefined;
    const bytes = fs.readFileSync(file);
    if (bytes.latin1Slice(0, $digestLength) !== $digests.get(name)) return undefined;
    const code = bytes.subarray($headLength);
    if ($sumOf(code) !== bytes.readUInt32LE($digestLength)) return undefined;
    $runs.set(name, bytes.readUInt32LE($runsOffset));
    return code;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

function $sumOf(bytes) {
  return process.getBuiltinModule('node:zlib').crc32(bytes);
}

function $seen(name, script) {
  if ($keptIn === undefined) return;
  const runs = script.cachedDataRejected === false ? $runs.get(name) : 0;
  if (runs >= $mostRuns) return;
  if ($unsettled.size === 0) process.on('exit', $store);
  $unsettled.set(name, { script, runs: runs + 1 });
}

/** Keeps what was compiled in this run, and removes what belongs to chunks of earlier builds. */
function $store() {
  const fs = process.getBuiltinModule('node:fs');
  try {
    for (const [name, compiled] of $unsettled) $write(`${$keptIn}/${name}`, $filled(name, compiled));
    for (const name of fs.readdirSync($keptIn))
      if (!fs.existsSync(`${$folder}/${name.replace(/\.\d+$/, '')}`)) fs.rmSync(`${$keptIn}/${name}`);
  } catch {
    // A folder that cannot be written costs time at the next start, nothing else.
  }
}

function $filled(name, { script, runs }) {
  const code = $underFirstFlags(() => script.createCachedData());
  const head = Buffer.alloc($headLength);
  head.latin1Write($digests.get(name), 0);
  head.writeUInt32LE($sumOf(code), $digestLength);
  head.writeUInt32LE(runs, $runsOffset);
  return Buffer.concat([head, code]);
}

function $write(path, bytes) {
  const fs = process.getBuiltinModule('node:fs');
  const temporary = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, path);
  } catch (thrown) {
    fs.rmSync(temporary, { force: true });
    throw thrown;
  }
}

function $importFile(address) {
  return import(address);
}
