import path from 'node:path';
import { type ArchiveEntry, type ArchiveLimits, ArchiveMeter, refuseArchive } from './archive-entry.ts';

/** Maximum length of a chain of links. */
const maxSteps = 8;

/**
 * Replaces a link by a copy of its target. The target must be in the archive; other links are refused. The entries have
 * clean names, and copies count towards the limits.
 */
export function copyLinks(entries: readonly ArchiveEntry[], limits: ArchiveLimits): readonly ArchiveEntry[] {
  if (!entries.some(({ kind }) => kind === 'link')) return entries;
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const meter = new ArchiveMeter(limits);
  const kept = entries.flatMap((entry) => (entry.kind === 'link' ? copyOf(entry, byName) : [entry]));
  for (const { content } of kept) meter.add(content.length);
  return kept;
}

type Names = ReadonlyMap<string, ArchiveEntry>;

function copyOf(link: ArchiveEntry, byName: Names): readonly ArchiveEntry[] {
  const target = targetOf(link, byName);
  const file = byName.get(target);
  if (file?.kind === 'file') return [{ ...file, name: link.name }];
  if (target === '.' || `${link.name}/`.startsWith(`${target}/`))
    refuseArchive(`"${link.name}" is a link to a folder around it`);
  const below = [...byName.values()].filter(({ name }) => name.startsWith(`${target}/`));
  if (below.length === 0) refuseArchive(`"${link.name}" is a link to something that is not in it`);
  // A link inside of it would have to be followed again, perhaps without end.
  if (below.some(({ kind }) => kind === 'link'))
    refuseArchive(`"${link.name}" is a link to a folder with links in it`);
  return below.map((entry) => ({ ...entry, name: `${link.name}${entry.name.slice(target.length)}` }));
}

/** The final target of a link. */
function targetOf(link: ArchiveEntry, byName: Names): string {
  let current = link;
  for (let step = 0; step < maxSteps; step++) {
    const written = current.target ?? '';
    const isPlain = written !== '' && !/^[/\\]|[\\\p{Cc}]|^[A-Za-z]:/u.test(written);
    const name = isPlain
      ? path.posix.join(path.posix.dirname(current.name), written).replace(/\/$/, '')
      : '..';
    if (name === '..' || name.startsWith('../'))
      refuseArchive(`"${link.name}" is a link that leads out of it`);
    const next = byName.get(name);
    if (next?.kind !== 'link') return name;
    current = next;
  }
  return refuseArchive(`"${link.name}" is a link that leads through too many others`);
}
