// A bundler plugin: large texts that few runs need are stored compressed, and unpacked when they are loaded.
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

/** The table of named characters, and the expression that finds their names. */
const longLine = /^\s*var (decodeMap|regexDecode) = (.*);$/gm;

/** @type {import('esbuild').Plugin} */
export const compressedTexts = {
  name: 'compressed-texts',
  setup: (build) => {
    // The pages of exported sessions and of the web server.
    build.onLoad({ filter: /\/(?:view|server)\/page\.json$/ }, ({ path }) => ({
      contents: `import { brotliDecompressSync } from 'node:zlib';
export default JSON.parse(${unpacked(readFileSync(path, 'utf8'))});`,
      loader: 'js',
    }));
    build.onLoad({ filter: /\/he\/he\.js$/ }, ({ path }) => ({ contents: smallCharacters(path) }));
  },
};

/** Characters are only read by their names in a web page, never written so. */
function smallCharacters(/** @type {string} */ path) {
  const text = readFileSync(path, 'utf8')
    .replace(/^\s*var encodeMap = \{.*\};$/m, 'var encodeMap = {};')
    .replace(longLine, (_, name, value) =>
      name === 'decodeMap'
        ? `var decodeMap = JSON.parse(${unpacked(JSON.stringify(new Function(`return ${value}`)()))});`
        : `var regexDecode = new RegExp(${unpacked(value.slice(1, value.lastIndexOf('/')))}, 'g');`,
    );
  return `var { brotliDecompressSync } = require('node:zlib');\n${text}`;
}

/** An expression that gives back a text. Four bytes are five characters, of which base64 would need more. */
function unpacked(/** @type {string} */ text) {
  const bytes = brotliCompressSync(text);
  const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
  let digits = '';
  for (let at = 0; at < padded.length; at += 4) {
    const number = padded.readUInt32BE(at);
    for (let place = 85 ** 4; place >= 1; place /= 85) digits += digit(Math.floor(number / place) % 85);
  }
  return `brotliDecompressSync((${decode})('${digits}').subarray(0,${bytes.length})).toString()`;
}

/** Characters from ( to }, without the backslash. */
function digit(/** @type {number} */ value) {
  return String.fromCharCode(value + 40 + Number(value >= 52));
}

/** Written into the bundle as it stands. */
function decode(/** @type {string} */ digits) {
  const bytes = Buffer.alloc((digits.length / 5) * 4);
  for (let at = 0; at < digits.length; at += 5) {
    let number = 0;
    for (let next = at; next < at + 5; next++) {
      const code = digits.charCodeAt(next);
      number = number * 85 + code - 40 - Number(code > 92);
    }
    bytes.writeUInt32BE(number, (at / 5) * 4);
  }
  return bytes;
}
