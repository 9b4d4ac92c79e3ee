/** A component that is larger is more likely something else. */
export const maxComponentBytes = 64 * 1024 * 1024;

const magic = [0x00, 0x61, 0x73, 0x6d];

/** Why bytes are no WebAssembly component, told by their head alone; nothing where they may be one. */
export function componentProblem(bytes: Uint8Array): string | undefined {
  if (bytes.length > maxComponentBytes)
    return `it is larger than ${maxComponentBytes / 1024 / 1024} MB, the most a plugin may have`;
  if (bytes.length < 8 || magic.some((byte, at) => bytes[at] !== byte))
    return 'it is no WebAssembly: its first bytes are others';
  const [version, , layer] = bytes.subarray(4);
  if (layer === 1) return undefined;
  const advice = 'robota plugin new NAME --wasm makes a project that builds one';
  return version === 1
    ? `it is a core module of WebAssembly and no component; ${advice}`
    : `it is WebAssembly of a version that nobody knows here; ${advice}`;
}
