import { parseFrontMatter } from '@robota-sdk/agent-config';
import { either, list, mapped, orElse, text } from '@robota-sdk/agent-core';
import { compileGlob } from '@robota-sdk/agent-tools';
import { field, readFields } from '../files/read-fields.ts';
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
    const content = accepts(path) ? reader.readText(path, root) : undefined;
    if (content === undefined) continue;
    const matter = await parseFrontMatter(content);
    const { values, problems } = readFields(ruleFields, { path, matter }, { ignored: unusedFields });
    reader.report(problems);
    const { globs = [] } = values;
    const body = matter.body.trim();
    if (globs.length > 0) sometimes.push({ path, text: body, directory, matches: matcherOf(globs) });
    else always.push(...(await reader.take({ path, text: body }, root)));
  }
  return { always, sometimes };
}

/** Commas separate globs, except in braces. */
const globList = mapped(either(list(text), text), (value) =>
  (typeof value === 'string' ? value.split(/,(?![^{]*\})/) : value)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== ''),
);

const ruleFields = { globs: field(globList, 'paths', 'globs') };

/** Fields that mean something to other tools. */
const unusedFields = ['name', 'title', 'description', 'alwaysApply', 'trigger', 'tags', 'version'];

/** A glob without a slash matches at any depth; an invalid one matches nothing. */
export function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap((glob) => {
    return orElse(() => [compileGlob(glob.includes('/') ? glob.replace(/^\.?\//, '') : `**/${glob}`)], []);
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
