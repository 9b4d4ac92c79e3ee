/* global $read, $seen */
// Loads the chunks of the single executable. They are functions, each compiled from its text and from what V8 kept of
// its compilation at build time. `$read` gives an asset: the length of the text, the text, and the kept compilation.
const $loaded = new Map();
const $meta = {
  get url() {
    return process.getBuiltinModule('node:url').pathToFileURL(process.execPath).href;
  },
};

function $compile(name) {
  const { Script } = process.getBuiltinModule('node:vm');
  const asset = $read(name);
  const end = 4 + asset.readUInt32LE(0);
  const kept = asset.subarray(end);
  const cachedData = kept.length > 0 ? kept : undefined;
  const script = new Script(asset.latin1Slice(4, end), { filename: name, cachedData });
  $seen(name, script);
  return script.runInThisContext();
}

function $require(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = $loaded.get(name);
  if (known !== undefined) return known;
  const exports = {};
  $loaded.set(name, exports);
  try {
    $compile(name)(exports, $require, $load, $importFile, $meta);
  } catch (thrown) {
    $loaded.delete(name);
    throw thrown;
  }
  return exports;
}

async function $load(path) {
  return path.startsWith('node:') ? process.getBuiltinModule(path) : $require(path);
}

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
