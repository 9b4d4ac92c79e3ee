import { exportsProblem } from './exports-problem.ts';

/** A component that is larger is more likely something else. */
export const maxComponentBytes = 64 * 1024 * 1024;

const magic = [0x00, 0x61, 0x73, 0x6d];

/** Why bytes are no plugin that can be used here, as far as it shows without reading them in full; nothing where they may be one. */
export function componentProblem(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxComponentBytes)
    return `it is larger than ${maxComponentBytes / 1024 / 1024} MB, the most a plugin may have`;
  if (bytes.length < 8 || magic.some((byte, at) => bytes[at] !== byte))
    return 'it is no WebAssembly: its first bytes are others';
  const [version, , layer] = bytes.subarray(4);
  if (layer === 1) return exportsProblem(interfacesIn(bytes));
  const advice = 'robota plugin new NAME --wasm makes a project that builds one';
  return version === 1
    ? `it is a core module of WebAssembly and no component; ${advice}`
    : `it is WebAssembly of an unsupported version; ${advice}`;
}

const prefix = 'robota:plugin/plugin@';
const maxVersion = 32;

/** The interfaces of ours that are named in a component: names stand in it as they are written. */
function interfacesIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Set<string>();
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
    const version = text.toString('latin1', at + prefix.length, at + prefix.length + maxVersion);
    const [known] = /^\d+\.\d+\.\d+/.exec(version) ?? [];
    if (known !== undefined) found.add(`${prefix}${known}`);
  }
  return [...found];
}
