import { existsSync } from 'node:fs';
import { type Config, userPaths } from '@robota-sdk/agent-config';
import type { ModelSelection } from '../choose/choose-models.ts';
import { chosenServer } from './own-server.ts';

/**
 * The configuration of a session that also knows what the servers of the user serve: the model it begins with as its
 * server runs it, and in a terminal, where a user may choose another one, what servers listed before. A session with a
 * vendor's model asks nothing and loads nothing.
 */
export async function servedConfig<C extends Config>(
  request: ModelSelection & { readonly config: C; readonly terminal?: unknown },
): Promise<C> {
  const { config } = request;
  if (!config.settings.discoverModels) return config;
  const chosen = chosenServer(request);
  const isListed = request.terminal !== undefined;
  if (!chosen && !(isListed && existsSync(userPaths(config.host).servedModels))) return config;
  const { servedCatalogue } = await import('./served-catalogue.ts');
  const catalogue = await servedCatalogue(config, { chosen, isListed });
  // A copy by descriptors: the settings of a session are read at each use.
  const descriptors = Object.getOwnPropertyDescriptors(config);
  return Object.defineProperties(
    {},
    { ...descriptors, catalogue: { value: catalogue, enumerable: true } },
  ) as C;
}
