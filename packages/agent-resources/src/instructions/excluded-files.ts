import { orElse } from '@robota-sdk/agent-core';
import { compileGlob } from '@robota-sdk/agent-tools';

/** The files that no glob of absolute paths excludes; an invalid glob excludes nothing. */
export function withoutExcluded<F extends { readonly path: string }>(
  files: readonly F[],
  globs: readonly string[],
): readonly F[] {
  if (globs.length === 0) return files;
  const patterns = globs.flatMap((glob) => orElse(() => [compileGlob(glob.replace(/^\//, ''))], []));
  return files.filter(({ path }) => !patterns.some((pattern) => pattern.test(path.replace(/^\//, ''))));
}
