import { resolve } from 'node:path';
import { processHost, resourceFolders } from '@robota-sdk/agent-config';
import { describeProblems } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { builtInAgents, type LoadedAgents, loadAgents } from '@robota-sdk/agent-resources';

/**
 * Reads the agents that a session in a directory has: those of the project's folders, then the user's, then the
 * built-in ones. Of one name the first counts. A model that a project's agent asks for is left out: that needs the
 * user's trust, which a session asks for.
 */
export class AgentDefinitionLoader {
  readonly #cwd: string;
  readonly #home: string | undefined;

  /** `home` is the user's home directory, that of this process unless given. */
  constructor(cwd: string = process.cwd(), home?: string) {
    this.#cwd = resolve(cwd);
    this.#home = home;
  }

  /** All agents by their names, and what was wrong with single files. */
  async load(): Promise<LoadedAgents & { readonly warnings: readonly string[] }> {
    const own = await processHost();
    const host = this.#home === undefined ? own : { env: {}, home: this.#home };
    const { definitions, problems } = await loadAgents(resourceFolders('agents', this.#cwd, host));
    const names = new Set(definitions.map(({ name }) => name));
    return {
      definitions: [...definitions, ...builtInAgents.filter(({ name }) => !names.has(name))],
      problems,
      warnings: describeProblems(problems),
    };
  }

  async get(name: string): Promise<IAgentDefinition | undefined> {
    return (await this.load()).definitions.find((each) => each.name === name);
  }
}
