import { describeProblems, type Problem } from '@robota-sdk/agent-core';
import { findComponents } from './find-components.ts';
import { type ComponentContext, type LoadedComponent, loadComponents } from './load-components.ts';

/** The components of a session, which can be exchanged while it runs. */
export interface ComponentSlots {
  readonly components: readonly LoadedComponent[];
  /** Removes some components and adds others; returns the problems of the result. */
  exchange(gone: readonly LoadedComponent[], come: readonly LoadedComponent[]): Promise<readonly Problem[]>;
}

/** Replaces changed components and leaves everything else. Reports the result, if anything changed. */
export async function renewComponents(
  extensions: ComponentSlots,
  place: ComponentContext,
): Promise<string | undefined> {
  const { cwd, host, config } = place;
  const before = extensions.components;
  const { components: found, problems } = findComponents({ cwd, host, plugins: config.plugins });
  const loaded = await loadComponents(found, place, before);
  const after = loaded.components;
  const gone = before.filter((each) => !after.includes(each));
  const come = after.filter((each) => !before.includes(each));
  const said = describeProblems([...problems, ...loaded.problems]);
  if (gone.length === 0 && come.length === 0) return said.length === 0 ? undefined : said.join('\n');
  const failed = await extensions.exchange(gone, come);
  const names = (list: readonly LoadedComponent[]) => list.map(({ extension }) => extension.name).join(', ');
  const lost = gone.filter(({ path }) => !come.some((each) => each.path === path));
  return [
    ...(come.length === 0 ? [] : [`Loaded ${names(come)}.`]),
    ...(lost.length === 0 ? [] : [`Unloaded ${names(lost)}.`]),
    ...said,
    ...describeProblems(failed),
  ].join('\n');
}
