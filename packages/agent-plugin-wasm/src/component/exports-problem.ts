import { witVersion } from './plugin-wit.ts';

const interfacePattern = /^robota:plugin\/plugin@(\d+)\.(\d+)\.(\d\S*)$/;

/** Why a component with these exports is no plugin that can be used here; nothing where it is one. */
export function exportsProblem(names: readonly string[]): string | undefined {
  const versions = names.flatMap((name) => {
    const match = interfacePattern.exec(name);
    return match ? [{ major: match[1], text: name.slice(name.indexOf('@') + 1) }] : [];
  });
  const [major] = witVersion.split('.');
  if (versions.some((version) => version.major === major)) return undefined;
  if (versions.length > 0)
    return `it was made for robota:plugin ${versions.map(({ text }) => text).join(', ')}, and this is ${witVersion}; build it again with the world of today`;
  return `it exports no robota:plugin/plugin@${witVersion}, the interface of a plugin`;
}

/** True if a component brings a self-test. */
export function hasSelfTest(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith('robota:plugin/self-check@'));
}
