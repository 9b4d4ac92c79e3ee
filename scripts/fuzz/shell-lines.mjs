// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of bash
// Random lines of bash with a payload that runs `boom`, quoted in many ways, in every place of the grammar.
import { changingLine } from './shell-changes.mjs';
import { shellPositions } from './shell-positions.mjs';

/** @typedef {() => number} Random a number from 0 to 1, without it */

const payloads = [
  '$(boom)',
  '`boom`',
  'a[$(boom)]',
  'a[`boom`]',
  'a[$(boom)]=1',
  'a=([$(boom)]=1)',
  '($(boom))',
  '0+a[$(boom)]',
  '$((a[$(boom)]))',
  '$[a[$(boom)]]',
  '${PWD:$(boom)}',
  '${a[$(boom)]}',
  '${x:=$(boom)}',
  '"${PWD:+"$(boom)"}"',
  '"${PWD#"\'$(boom)\'"}"',
  "${PWD:+'$(boom)'}",
  '"${PWD:+\'$(boom)\'}"',
  'a[\\$(boom)]',
  'a[b[$(boom)]]',
  "$(b''oom)",
  '$(eval boom)',
  '-va[$(boom)]',
  '-v a[$(boom)]',
  "$($'\\x62oom')",
  '${ boom; }',
  'x;boom',
  'boom',
];

const contexts = [
  '@L@ && echo x',
  'ls; @L@',
  'echo x | @L@',
  '@L@ | cat',
  '(@L@)',
  '{ @L@\n}',
  '! @L@',
  'if true; then @L@\nfi',
  'for i in 1; do @L@\ndone',
  'case x in *) @L@\n;; esac',
  'f() { @L@\n}; f',
  'echo "$(@L@)"',
  'echo `@L@`',
  'cat <(@L@)',
  'cat <<E\n$(@L@)\nE',
  'command @L@',
  'builtin @L@',
  'timeout 5 @L@',
  'LANG=C @L@',
  'time @L@',
  'eval @S@',
  'bash -c @S@',
  '@L@ >/dev/null 2>&1',
  '@L@ # x',
  '  @L@  ',
  'cd . && @L@',
];

/**
 * The same numbers for the same seed, on every machine.
 * @param {number} seed
 * @returns {Random}
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {Random} random */
export function randomLine(random) {
  let line =
    random() < 0.3
      ? changingLine((list) => pick(random, list))
      : pick(random, shellPositions).replaceAll('@Q@', () => quoted(random, payload(random)));
  while (random() < 0.25) {
    const inner = line;
    line = pick(random, contexts)
      .replaceAll('@L@', () => inner)
      .replaceAll('@S@', () => quoted(random, inner));
  }
  return line;
}

/** @param {Random} random */
function payload(random) {
  const text = pick(random, payloads);
  if (random() > 0.15) return text;
  // Only part of it is quoted in the end, or it stands in one more layer.
  return pick(random, [
    `x${text}`,
    `${text}]`,
    `a[${text}]`,
    `"${text}"`,
    `\\${text}`,
    `'${text}'`,
    `{${text},y}`,
  ]);
}

/**
 * @param {Random} random
 * @param {string} text
 */
function quoted(random, text) {
  const single = (/** @type {string} */ part) => `'${part.replaceAll("'", "'\\''")}'`;
  const double = (/** @type {string} */ part) => `"${part.replaceAll(/[$`"\\]/g, '\\$&')}"`;
  const ansi = (/** @type {string} */ part) =>
    `$'${part.replaceAll(/[^a-z0-9]/g, (character) => hex(character))}'`;
  const bare = (/** @type {string} */ part) => part.replaceAll(/[^A-Za-z0-9_\n]/g, '\\$&');
  const raw = (/** @type {string} */ part) => part;
  const locale = (/** @type {string} */ part) => `$${double(part)}`;
  const styles = [single, single, double, ansi, bare, locale];
  if (random() < 0.08) return raw(text);
  if (random() < 0.7) return pick(random, styles)(text);
  const at = Math.floor(random() * text.length);
  return pick(random, styles)(text.slice(0, at)) + pick(random, [...styles, raw])(text.slice(at));
}

/** @param {string} character */
function hex(character) {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/**
 * @template T
 * @param {Random} random
 * @param {readonly T[]} list
 * @returns {T}
 */
function pick(random, list) {
  return /** @type {T} */ (list[Math.floor(random() * list.length)]);
}
