const blockBytes = 64;
/** The end mark and the length in bits. */
const endBytes = 9;

/** SHA-256 of a short text such as a path, in hexadecimal digits. Loading Node's own takes longer. */
export function shortHash(text: string): string {
  const bytes = paddedBytes(text);
  const [state, keys] = constants();
  const words = new Int32Array(blockBytes);
  for (let at = 0; at < bytes.length; at += blockBytes) {
    for (let index = 0; index < 16; index++) words[index] = bytes.readInt32BE(at + 4 * index);
    mixBlock(state, words, keys);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

function paddedBytes(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(Math.ceil((length + endBytes) / blockBytes) * blockBytes);
  bytes.write(text);
  bytes[length] = 0x80;
  bytes.writeUInt32BE(length * 8, bytes.length - 4);
  return bytes;
}

/** Fractional parts of the roots of the first primes: square roots of eight, cube roots of 64. */
function constants(): [state: Int32Array, keys: Int32Array] {
  const primes: number[] = [];
  for (let number = 2; primes.length < blockBytes; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32;
  return [
    Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
    Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
  ];
}

/** Rotations are written inline: a function would be called often enough to be compiled. */
function mixBlock(state: Int32Array, words: Int32Array, keys: Int32Array): void {
  for (let index = 16; index < blockBytes; index++) {
    const early = words[index - 15] ?? 0;
    const late = words[index - 2] ?? 0;
    const first = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const second = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < blockBytes; index++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const high = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const low = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const step = (h + high + choice + (keys[index] ?? 0) + (words[index] ?? 0)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + step) | 0;
    d = c;
    c = b;
    b = a;
    a = (step + low + majority) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < mixed.length; index++) state[index] = (state[index] ?? 0) + (mixed[index] ?? 0);
}
