/**
 * The name of a command file: the parts of its path joined by colons, without folders named `commands`.
 * `openspec/commands/apply.md` becomes `openspec:apply`.
 */
export function commandName(relativePath: string, plugin?: string): string {
  const parts = relativePath
    .replace(/\.md$/i, '')
    .split('/')
    .filter((part, index, all) => part !== 'commands' || index === all.length - 1);
  // A space would end the typed name.
  return [...(plugin === undefined ? [] : [plugin]), ...parts].join(':').replace(/\s+/g, '-');
}

/** The last part of a name, which finds a command if it is unique. */
export function shortName(name: string): string | undefined {
  const short = name.slice(name.lastIndexOf(':') + 1);
  return short === name || short === '' ? undefined : short;
}
