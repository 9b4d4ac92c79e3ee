import type { JsonObject } from '@robota-sdk/agent-core';
import { grantedFetch, type HttpRequest } from './granted-fetch.ts';
import { GrantedFiles, type PathJudge } from './granted-files.ts';
import type { Grants } from './plugin-manifest.ts';

export interface HostServicesOptions {
  /** The approved permissions. */
  readonly grants: Grants;
  readonly config: JsonObject;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Has the last word on every file: what rules deny stays denied. */
  readonly judge?: PathJudge | undefined;
}

/** Services for plugins; requests are checked here, outside the plugin's process. */
export class HostServices {
  readonly #options: HostServicesOptions;
  readonly #files: GrantedFiles;

  constructor(options: HostServicesOptions) {
    this.#options = options;
    this.#files = new GrantedFiles(options);
  }

  /** The variables that were granted and are set. */
  environment(): (readonly [name: string, value: string])[] {
    const { grants, env } = this.#options;
    return grants.env.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
  }

  /** Answers a request. Throws what the plugin is told where it is refused. */
  async serve(name: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const [first, second] = args;
    switch (name) {
      case 'config':
        return JSON.stringify(this.#options.config);
      case 'environment':
        return this.environment().find(([known]) => known === first)?.[1];
      case 'readFile':
        return this.#files.read(String(first));
      case 'writeFile':
        return this.#files.write(String(first), second as Uint8Array);
      case 'listFiles':
        return this.#files.list(String(first));
      case 'fetch':
        return grantedFetch(first as HttpRequest, { hosts: this.#options.grants.network, signal });
      default:
        throw new Error(`there is no ${name}`);
    }
  }
}
