import { resolve } from 'node:path';
import { processHost, resourceFolders } from '@robota-sdk/agent-config';
import { checkArguments, describeProblems, optional, pathShape, text } from '@robota-sdk/agent-core';
import type { IAgentDefinition } from '@robota-sdk/agent-resources';
import { builtInAgents, type LoadedAgents, loadAgents } from '@robota-sdk/agent-resources';

/**
 * Reads the agents for a session in a directory: the project's, then the user's, then built-in ones. The first of a
 * name wins. A model requested by a project's agent is dropped, because it needs the user's trust, which a session asks
 * for.
 */
export class AgentDefinitionLoader {
  readonly #cwd: string;
  readonly #home: string | undefined;

  /** `home` is the user's home directory. Default: that of this process. */
  constructor(cwd: string = process.cwd(), home?: string) {
    checkArguments('new AgentDefinitionLoader', { cwd: [cwd, pathShape], home: [home, optional(pathShape)] });
    this.#cwd = resolve(cwd);
    this.#home = home;
  }

  /** All agents by name, and problems of single files. */
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
    checkArguments('AgentDefinitionLoader.get', { name: [name, text] });
    return (await this.load()).definitions.find((each) => each.name === name);
  }
}
