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

/** An expression that gives back a text. */
function unpacked(/** @type {string} */ text) {
  return `brotliDecompressSync(Buffer.from('${brotliCompressSync(text).toString('base64')}', 'base64')).toString()`;
}
