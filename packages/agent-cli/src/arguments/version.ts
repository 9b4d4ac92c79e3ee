/** The version of the command; the same as in package.json, inlined so that `--version` reads no file. */
export const version = '0.1.0';
