import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly line: number;
  /** The first word behind the fence. */
  readonly language: string;
  /** The second: how a block of commands is run, or why it is not. */
  readonly mark: string;
  readonly code: string;
}

/** All fenced blocks of the pages that visitors and contributors read. */
export function documentBlocks(): readonly Block[] {
  return pages().flatMap(blocksOf);
}

/** The commands with a mark. */
export function commandBlocks(mark: string): readonly Block[] {
  return documentBlocks().filter((block) => block.language === 'sh' && block.mark === mark);
}

function pages(): readonly string[] {
  const folders = ['docs', 'docs/guides', 'docs/project', 'site', 'action', '.github'];
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  const examples = readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `examples/${name}`);
  return ['', 'examples', ...folders, ...packages, ...examples]
    .flatMap((folder) => markdownIn(folder))
    .filter((page) => page !== 'CHANGELOG.md')
    .sort();
}

function markdownIn(folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/^( *)(`{3,})([^\n`]*)\n([\s\S]*?)^\1\2 *$/gm)].map(
    ([, indent = '', , info = '', code = ''], index, all) => {
      const [language = '', mark = ''] = info.trim().split(/\s+/);
      const line = text.slice(0, all[index]?.index).split('\n').length;
      return { page, line, language, mark, code: code.replaceAll(`\n${indent}`, '\n').slice(indent.length) };
    },
  );
}
