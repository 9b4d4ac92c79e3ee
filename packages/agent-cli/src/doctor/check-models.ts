import {
  type Config,
  type ConfiguredServer,
  checkAccount,
  configuredServers,
  findLocalServers,
  type LocalServer,
  listServerModels,
  type ModelListing,
  modelInUse,
  type Problem,
} from '@robota-sdk/agent-sdk/front-end';
import type { Finding } from './finding.ts';

const patienceMs = 5_000;

/**
 * True if there is a model to work with, and whether the servers that are configured answer. No key is
 * printed.
 */
export async function checkModels(
  config: Config,
  { asksServers }: { readonly asksServers: boolean },
): Promise<readonly Finding[]> {
  const inUse = modelInUse(config);
  const servers = configuredServers(config);
  const vendor = inUse.ok ? inUse.model.vendor : undefined;
  const asked = asksServers ? servers : [];
  const local = asksServers && !inUse.ok ? await findLocalServers(config) : [];
  return [
    inUse.ok ? found(`${inUse.model.vendor}/${inUse.model.id}`) : missing(inUse.problem),
    ...(await Promise.all(
      asked.map((server) => {
        const isInUse = server.vendor.id === vendor;
        return server.vendor.cloud ? askCloud(server, config, isInUse) : ask(server, { isInUse });
      }),
    )),
    ...local.map(unused),
  ];
}

function found(name: string): Finding {
  return { area: 'models', status: 'ok', what: `the model in use is ${name}` };
}

function missing(problem: Problem): Finding {
  return {
    area: 'models',
    status: 'broken',
    what: 'there is no model to work with',
    why: problem.message,
    advice: 'Run robota login, start a server such as Ollama, or use --model offline.',
    problem,
  };
}

/** A running but unconfigured server is the shortest way to a model. */
function unused({ vendor, models: [first] }: LocalServer): Finding {
  const advice =
    first === undefined ? 'It has no model yet.' : `Use it: robota config set model ${vendor.id}/${first}`;
  return { area: 'models', status: 'note', what: `${vendor.name} runs on this machine`, advice };
}

/** A cloud has no free list of models: its credentials are looked for. */
async function askCloud({ vendor }: ConfiguredServer, config: Config, isInUse: boolean): Promise<Finding> {
  const found = await checkAccount(vendor, config);
  if (found.ok)
    return { area: 'models', status: 'ok', what: `${vendor.name}: credentials found (${found.source})` };
  const status = isInUse ? 'broken' : 'warning';
  const advice = `See docs/cloud-accounts.md. Try it with: robota doctor --model ${vendor.id}/MODEL`;
  return { area: 'models', status, what: `${vendor.name} has no credentials`, why: found.why, advice };
}

async function ask(
  { vendor, address, origin, problem }: ConfiguredServer,
  { isInUse }: { isInUse: boolean },
): Promise<Finding> {
  const failed = isInUse ? 'broken' : 'warning';
  if (problem !== undefined) {
    const advice = 'Use https, or set allowInsecureHttp.';
    return { area: 'models', status: failed, what: `${vendor.name} was not asked`, why: problem, advice };
  }
  const listing = await listServerModels(address, patienceMs);
  const time = `${listing.milliseconds} ms`;
  if (listing.ok) return { area: 'models', status: 'ok', what: `${vendor.name} answers (${time})` };
  const what = `${vendor.name} ${listing.status === undefined ? 'cannot be reached' : 'does not serve us'} (${time})`;
  const host = URL.canParse(address.baseUrl) ? new URL(address.baseUrl).host : address.baseUrl;
  const why = `${host}: ${listing.why}`;
  // A server without such a list may still have models.
  if (listing.status === 404 || listing.status === 405)
    return {
      area: 'models',
      status: 'ok',
      what: `${vendor.name} answers (${time})`,
      why: 'It lists no models.',
    };
  return { area: 'models', status: failed, what, why, advice: adviceFor(vendor.id, { ...listing, origin }) };
}

function adviceFor(
  vendor: string,
  { status, origin }: Extract<ModelListing, { ok: false }> & { readonly origin: string },
): string {
  if (status === 401 || status === 403) return `The key was refused. Store another: robota login ${vendor}`;
  if (status === 429) return 'Too many requests; wait a while.';
  if (status !== undefined && status >= 500) return 'The service has a problem of its own; try again later.';
  return vendor === 'ollama'
    ? 'Start it with ollama serve, or say where it is with OLLAMA_HOST.'
    : `Check the network, a proxy, and the base URL: ${origin}.`;
}
