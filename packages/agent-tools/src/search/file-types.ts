import { AgentError } from '@robota-sdk/agent-core';
import { compileGlob } from '../match/glob.ts';
import types from './file-types.json' with { type: 'json' };

/** The globs of each type of file, as ripgrep defines them. */
export const fileTypes: Readonly<Record<string, readonly string[]>> = types;

/** Matches paths of a file type by ripgrep's names. */
export function fileTypeMatcher(type: string): (path: string) => boolean {
  const globs = Object.hasOwn(fileTypes, type) ? fileTypes[type] : undefined;
  if (globs === undefined) throw unknownType(type);
  const patterns = globs.map(compileGlob);
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return patterns.some((pattern) => pattern.test(name));
  };
}

/** The error for a type that does not exist. */
export function unknownType(type: string): AgentError {
  const near = Object.keys(fileTypes).filter((name) => name.startsWith(type.slice(0, 1)));
  const list = near.length > 0 ? near.join(', ') : 'js, ts, py, rust, go, java, md';
  return new AgentError(
    'tool',
    `Unknown file type "${type}". Available: ${list}. Or use glob, such as "*.${type}".`,
  );
}
