import type { Checkpoints } from '@robota-sdk/agent-sessions';
import { regularFileAt } from '../model/replace-file.ts';
import type { ListedFile, ReviewedChanges } from '../model/review.ts';

/** The files that the calls of a session changed: from before the first call to what is on disk now. */
export async function sessionChanges(
  checkpoints: Pick<Checkpoints, 'originals' | 'unknownChanges'>,
  folder: string,
): Promise<ReviewedChanges> {
  const files: ListedFile[] = [];
  const omitted: string[] = [];
  for (const { path, before, mode, problem } of await checkpoints.originals()) {
    const found = regularFileAt(path);
    if (problem !== undefined || found === undefined) omitted.push(path);
    else files.push({ path, before, mode, after: found.bytes, found });
  }
  return { title: 'this session', folder, files, omitted, unknown: await checkpoints.unknownChanges() };
}
