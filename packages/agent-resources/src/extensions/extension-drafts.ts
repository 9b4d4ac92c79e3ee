import { relative } from 'node:path';
import type { ProjectSource, TrustDraft } from '@robota-sdk/agent-config';
import { extensionFiles } from './extension-files.ts';
import { packagesIn } from './extension-packages.ts';
import { type FoundExtension, findExtensions } from './find-extensions.ts';

/** Maximum number of file names in the question. */
const listedFiles = 20;

/** Finds the extensions that a repository supplies. */
export async function extensionDrafts({ cwd, host, layers }: ProjectSource): Promise<readonly TrustDraft[]> {
  const { extensions } = await findExtensions({ cwd, host }, packagesIn(layers));
  const own = extensions.filter(({ scope }) => scope === 'project');
  return Promise.all(own.map((found) => extensionDraft(found, cwd)));
}

/** The trust item for an extension of a repository. */
export async function extensionDraft(found: FoundExtension, cwd: string): Promise<TrustDraft> {
  const { files, refusal } = extensionFiles(found);
  const name = relative(cwd, found.path);
  const others = files.filter((file) => file !== found.path).map((file) => relative(cwd, file));
  const rest = others.length - listedFiles;
  const lines = [
    `runs ${name} with all your rights`,
    ...others.slice(0, listedFiles).map((file) => `with ${file}`),
    ...(rest > 0 ? [`and ${rest} more files`] : []),
  ];
  return {
    kind: 'extension',
    name: found.packageName ?? name,
    content: lines.join('\n'),
    source: found.path,
    files,
    refusal,
  };
}
