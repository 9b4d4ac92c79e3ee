import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkArguments, record, text } from '@robota-sdk/agent-core';

/** A directory that is removed when it is disposed of. */
export interface TemporaryProject extends AsyncDisposable {
  readonly path: string;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
}

/** Creates a directory with these files. */
export async function temporaryProject(
  files: Readonly<Record<string, string>> = {},
): Promise<TemporaryProject> {
  checkArguments('temporaryProject', { files: [files, record(text)] });
  const path = await realpath(await mkdtemp(join(tmpdir(), 'robota-project-')));
  const project: TemporaryProject = {
    path,
    read: (file) => readFile(join(path, file), 'utf8'),
    write: async (file, text) => {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
  for (const [file, text] of Object.entries(files)) await project.write(file, text);
  return project;
}
