import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { projectPaths } from '../paths.ts';

/** Adds allow rules to the project's local settings; comments in the file stay. */
export async function saveProjectRules(cwd: string, rules: readonly string[]): Promise<void> {
  const path = projectPaths(cwd).localSettings;
  const { applyEdits, modify, parse } = await import('jsonc-parser');
  let text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return '{}\n';
    throw thrown;
  });
  for (const rule of rules) {
    const known: unknown = parse(text)?.permissions?.allow;
    if (Array.isArray(known) && known.includes(rule)) continue;
    const position = Array.isArray(known) ? known.length : 0;
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const isArrayInsertion = Array.isArray(known);
    const target = isArrayInsertion ? ['permissions', 'allow', position] : ['permissions', 'allow'];
    const value = isArrayInsertion ? rule : [rule];
    text = applyEdits(text, modify(text, target, value, { formattingOptions, isArrayInsertion }));
  }
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, path);
}
