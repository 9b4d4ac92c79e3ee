// The last changes to the files of a bundle, which make them load faster.
import { renameSync, writeFileSync } from 'node:fs';
import { withLoadOnce } from './load-once.mjs';

const requireShim = 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);';

export function finishedChunk(/** @type {string} */ text) {
  return finished(withLoadOnce(text));
}

/** The same for a chunk that becomes a function, whose loader keeps what it loaded. */
export function finishedFunction(/** @type {string} */ text) {
  return finished(text).replaceAll('process.getBuiltinModule("node:', '$builtin("node:');
}

function finished(/** @type {string} */ text) {
  return withBuiltins(withRequire(text));
}

/** CommonJS dependencies inside an ES module still call `require` for Node's own modules. */
function withRequire(/** @type {string} */ text) {
  return /\btypeof require\b/.test(text) ? `${requireShim}${text}` : text;
}

/**
 * An import of a module of Node makes Node read everything the module offers, and with it load what that stands for:
 * `node:http` has WebSocket among its parts, which is all of `fetch`. Asked for directly it gives what is used.
 */
function withBuiltins(/** @type {string} */ text) {
  return text.replace(
    /(?<=^|[;}\n])import(?: |\*as )?([\w$]+|\{[^}]*\}) ?from"(node:[^"]+)";/g,
    (_, bound, name) =>
      name === 'node:crypto' && bound.startsWith('{')
        ? whenCalled(bound.slice(1, -1).split(','))
        : `const ${bound.replaceAll(' as ', ':')}=process.getBuiltinModule("${name}");`,
  );
}

/** Cryptography takes milliseconds and megabytes to load, and most runs do without it. Only functions of it are imported. */
function whenCalled(/** @type {string[]} */ names) {
  const functions = names.map((written) => {
    const [name, bound = name] = written.trim().split(' as ');
    return `${bound}=(...given)=>process.getBuiltinModule("node:crypto").${name}(...given)`;
  });
  return `const ${functions.join(',')};`;
}

/** Replaces a file in one step, so that a command started meanwhile never reads half of it. */
export function writeWhole(/** @type {string} */ path, /** @type {string | Uint8Array} */ text) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
