import { parseFrontMatter } from '@robota-sdk/agent-config';
import { orElse } from '@robota-sdk/agent-core';
import { compileGlob } from '@robota-sdk/agent-tools';
import { filesOfRules } from './find-instructions.ts';
import type { InstructionFile, InstructionReader } from './instruction-reader.ts';

/** A rule for certain files; it joins when one of them is touched. */
export interface RuleFile extends InstructionFile {
  /** The base of its globs. */
  readonly directory: string;
  /** True if it applies to a file, relative to `directory`. */
  matches(path: string): boolean;
}

/** The rules of a folder: general ones, and those for certain files. */
export interface Rules {
  readonly always: readonly InstructionFile[];
  readonly sometimes: readonly RuleFile[];
}

export interface RuleReading {
  /** The base of the rules' globs. */
  readonly directory: string;
  /** From where they may import, as for every instruction file. */
  readonly root: string | undefined;
  readonly reader: InstructionReader;
  /** True if a file may be read at all. */
  accepts(path: string): boolean;
}

/** Reads a folder of rules. */
export async function readRules(
  folder: string,
  { directory, root, reader, accepts }: RuleReading,
): Promise<Rules> {
  const always: InstructionFile[] = [];
  const sometimes: RuleFile[] = [];
  for (const path of filesOfRules(folder, root)) {
    const text = accepts(path) ? reader.readText(path, root) : undefined;
    if (text === undefined) continue;
    const { data, body } = await parseFrontMatter(text);
    const globs = globsIn(data.paths ?? data.globs);
    const matches = globs.length > 0 ? matcherOf(globs) : undefined;
    if (matches) sometimes.push({ path, text: body.trim(), directory, matches });
    else always.push(...(await reader.take({ path, text: body.trim() }, root)));
  }
  return { always, sometimes };
}

function globsIn(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? splitGlobs(value) : [];
  return list.filter((item): item is string => typeof item === 'string' && item.trim() !== '');
}

/** Commas separate globs, except in braces. */
function splitGlobs(text: string): string[] {
  return text.split(/,(?![^{]*\})/).map((glob) => glob.trim());
}

/** A glob without a slash matches at any depth; an invalid one matches nothing. */
function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap((glob) => {
    return orElse(() => [compileGlob(glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`)], []);
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
