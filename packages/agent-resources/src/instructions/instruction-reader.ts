import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { readProjectFile, secretPart } from '@robota-sdk/agent-config';
import { errorMessage, isMissing, isWithin, type Problem, realPathOf, warning } from '@robota-sdk/agent-core';
import { revealText } from '../template/hidden-text.ts';
import { findImports, type ImportMention } from './find-imports.ts';
import { foreignness } from './foreign-file.ts';

/** A file with instructions for the model. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
}

/** The base folder of imports, and a sink for problems. */
export interface InstructionReaderOptions {
  readonly home: string;
  readonly problems: Problem[];
}

/** A longer file would fill the window; the omission is mentioned. */
const maxCharacters = 40_000;
/** Imports of imports of imports. */
const maxDepth = 5;
/** With more imports, it is no longer an instruction file. */
const maxImports = 50;
/** Limit for imported files. */
const maxImportBytes = 1024 * 1024;

const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** Reads instruction files with their imports, each file once. */
export class InstructionReader {
  readonly #options: InstructionReaderOptions;
  readonly #read = new Set<string>();
  #imports = 0;

  constructor(options: InstructionReaderOptions) {
    this.#options = options;
  }

  /**
   * The visible text of a file; undefined if it is missing or empty, and for a repository's file if it leads out of
   * `root`.
   */
  readText(path: string, root: string | undefined): string | undefined {
    if (isMissing(path)) return undefined;
    try {
      const text = readProjectFile(path, root)
        .replace(/^\ufeff/, '')
        .trim();
      return text === '' ? undefined : this.#revealed(path, text);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (!missing.has(code))
        this.#warn('instructions.unread', path, `The file was not read: ${errorMessage(thrown)}.`);
      return undefined;
    }
  }

  /**
   * A file followed by its imports. A repository's file may import only from inside `root`; without a root the file is
   * the user's own, and may import any of the user's files.
   */
  async read(path: string, root?: string): Promise<readonly InstructionFile[]> {
    if (this.#read.has(realPathOf(path))) return [];
    const text = this.readText(path, root);
    return text === undefined ? [] : this.take({ path, text }, root);
  }

  /** The same for a text that was read already. */
  async take({ path, text }: InstructionFile, root?: string): Promise<readonly InstructionFile[]> {
    this.#read.add(realPathOf(path));
    return [{ path, text: shortened(text) }, ...(await this.#importsOf({ path, text }, { root, depth: 1 }))];
  }

  report(problems: readonly Problem[]): void {
    this.#options.problems.push(...problems);
  }

  async #importsOf(
    { path, text }: InstructionFile,
    { root, depth }: { readonly root: string | undefined; readonly depth: number },
  ): Promise<InstructionFile[]> {
    const files: InstructionFile[] = [];
    if (!text.includes('@')) return files;
    for (const mention of findImports(text)) {
      const target = await this.#targetOf(mention, path);
      if (target === undefined || this.#read.has(target.real)) continue;
      const refusal = this.#refusalOf(target.real, root, depth);
      if (refusal !== undefined) {
        this.#warn('instructions.unread', path, `The import ${target.path} was not read: ${refusal}.`);
        continue;
      }
      this.#read.add(target.real);
      this.#imports++;
      const content = this.readText(target.path, root);
      if (content === undefined || content.includes('\0')) continue;
      files.push({ path: target.path, text: shortened(content) });
      files.push(
        ...(await this.#importsOf({ path: target.path, text: content }, { root, depth: depth + 1 })),
      );
    }
    return files;
  }

  async #targetOf(
    { candidates, isAlone }: ImportMention,
    importer: string,
  ): Promise<{ path: string; real: string } | undefined> {
    for (const written of candidates) {
      const path = this.#resolve(written, dirname(importer));
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() && found.size <= maxImportBytes) return { path, real: realPathOf(path) };
    }
    const [path] = candidates;
    // Elsewhere in a text, `@name` may be a user name or a package.
    if (isAlone && /\.\w+$/.test(path))
      this.#warn('instructions.unread', importer, `The import ${path} is missing or too large.`);
    return undefined;
  }

  #resolve(written: string, directory: string): string {
    if (written === '~' || written.startsWith('~/')) return join(this.#options.home, written.slice(1));
    return isAbsolute(written) ? written : resolve(directory, written);
  }

  #refusalOf(real: string, root: string | undefined, depth: number): string | undefined {
    if (depth > maxDepth) return `imports go at most ${maxDepth} files deep`;
    if (this.#imports >= maxImports) return `at most ${maxImports} files are imported`;
    if (root === undefined) return foreignness(real);
    if (!isWithin(root, real))
      return 'a repository may import its own files only; import it in your own file';
    const secret = secretPart(real, root);
    return secret === undefined ? undefined : `${secret} may hold secrets`;
  }

  /** Hidden text is made visible: the model must not read what the user cannot see. */
  #revealed(path: string, written: string): string {
    const { text, removed, escaped } = revealText(written);
    const taken = removed === 0 ? [] : [`${removed} invisible tag characters were removed`];
    const spelt = escaped === 0 ? [] : [`${escaped} controls of the text direction are spelt out`];
    const found = [...taken, ...spelt].join(', ');
    if (found !== '')
      this.#warn(
        'instructions.hidden-text',
        path,
        `The file contains hidden text: ${found}. Look at it before you rely on it.`,
      );
    return text;
  }

  #warn(code: string, file: string, message: string): void {
    this.#options.problems.push(
      warning(code, message, { source: { file }, isInactive: code === 'instructions.unread' }),
    );
  }
}

function shortened(text: string): string {
  if (text.length <= maxCharacters) return text;
  // Half a character at the end would make the request invalid for some vendors.
  const start = text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '');
  return `${start}\n[${text.length - start.length} more characters; read the file for them]`;
}
