/** A failure is not kept, so that the next call tries again. Names that no minified file uses. */
const shim =
  'var $loaded;function $loadOnce(n,l){return($loaded??={})[n]??=l().catch(e=>{delete $loaded[n];throw e})}';

/**
 * Makes a bundled file keep what it loads on demand. Node takes about 0.05 ms for each `import()`, also of what is there
 * already, and a turn that runs a command has several.
 */
export function withLoadOnce(/** @type {string} */ text) {
  const changed = text.replace(
    /\bimport\(("(?:\.\/|node:)[^"]+")\)/g,
    (call, name) => `$loadOnce(${name},()=>${call})`,
  );
  return changed === text ? text : shim + changed;
}
