/* global $read, $seen, $meta */
// Loads the chunks of the program. They are functions, each compiled from its text and from what V8 kept of its compilation.
// `$read` gives both, `$seen` gets the compiled script, `$meta` is what a chunk knows as `import.meta`.
const $loaded = new Map();

function $compile(name) {
  const { Script } = process.getBuiltinModule('node:vm');
  const { text, kept, filename = name } = $read(name);
  const script = $underFirstFlags(() => new Script(text, { filename, cachedData: kept }));
  $seen(name, script);
  return script.runInThisContext();
}

/** V8 takes what it kept only under the same flags: of our chunks, and of modules of Node. The screen changes some, and says how they were. */
function $underFirstFlags(run) {
  const changed = globalThis[Symbol.for('robota.changed-v8-flags')];
  if (changed === undefined) return run();
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const { first } of changed.values()) setFlagsFromString(first);
  try {
    return run();
  } finally {
    for (const { now } of changed.values()) setFlagsFromString(now);
  }
}

function $require(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const known = $loaded.get(name);
  if (known !== undefined) return known;
  const exports = {};
  $loaded.set(name, exports);
  try {
    const made = $compile(name)($require, $load, $importFile, $meta, $builtin);
    Object.defineProperties(exports, Object.getOwnPropertyDescriptors(made));
  } catch (thrown) {
    $loaded.delete(name);
    throw thrown;
  }
  return exports;
}

const $builtins = new Map();

function $builtin(name) {
  const known = $builtins.get(name);
  if (known !== undefined) return known;
  const module = $underFirstFlags(() => process.getBuiltinModule(name));
  $builtins.set(name, module);
  return module;
}

async function $load(path) {
  return path.startsWith('node:') ? $builtin(path) : $require(path);
}
