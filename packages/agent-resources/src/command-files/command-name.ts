/**
 * What a command file is called: the parts of its path joined by colons, without parts that are only called `commands`.
 * `openspec/commands/apply.md` is `openspec:apply`.
 */
export function commandName(relativePath: string, plugin?: string): string {
  const parts = relativePath
    .replace(/\.md$/i, '')
    .split('/')
    .filter((part, index, all) => part !== 'commands' || index === all.length - 1);
  // A blank would end the name where it is typed.
  return [...(plugin === undefined ? [] : [plugin]), ...parts].join(':').replace(/\s+/g, '-');
}

/** The last part of a name, by which a command is found where nothing else has that name. */
export function shortName(name: string): string | undefined {
  const short = name.slice(name.lastIndexOf(':') + 1);
  return short === name || short === '' ? undefined : short;
}
