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
  return { status: 'ok', what: `model: ${name}` };
}

function missing(problem: Problem): Finding {
  return {
    status: 'broken',
    what: 'no model is available',
    why: problem.message,
    advice: 'Run robota login, start a server such as Ollama, or use --model offline.',
    problem,
  };
}

/** A running but unconfigured server is the shortest way to a model. */
function unused({ vendor, models: [first] }: LocalServer): Finding {
  const advice =
    first === undefined ? 'It has no model yet.' : `Use it: robota config set model ${vendor.id}/${first}`;
  return { status: 'note', what: `${vendor.name} is running on this machine`, advice };
}

/** A cloud has no free list of models: its credentials are looked for. */
async function askCloud({ vendor }: ConfiguredServer, config: Config, isInUse: boolean): Promise<Finding> {
  const found = await checkAccount(vendor, config);
  if (found.ok) return { status: 'ok', what: `${vendor.name}: credentials found (${found.source})` };
  const status = isInUse ? 'broken' : 'warning';
  const advice = `See docs/cloud-accounts.md. Try it with: robota doctor --model ${vendor.id}/MODEL`;
  return { status, what: `${vendor.name} has no credentials`, why: found.why, advice };
}

async function ask(
  { vendor, address, origin, problem }: ConfiguredServer,
  { isInUse }: { isInUse: boolean },
): Promise<Finding> {
  const failed = isInUse ? 'broken' : 'warning';
  if (problem !== undefined) {
    const advice = 'Use https, or set allowInsecureHttp.';
    return { status: failed, what: `${vendor.name} was not asked`, why: problem, advice };
  }
  const listing = await listServerModels(address, patienceMs);
  const time = `${listing.milliseconds} ms`;
  if (listing.ok) return { status: 'ok', what: `${vendor.name} answers (${time})` };
  const what = `${vendor.name} ${listing.status === undefined ? 'cannot be reached' : 'refused the request'} (${time})`;
  const host = URL.canParse(address.baseUrl) ? new URL(address.baseUrl).host : address.baseUrl;
  const why = `${host}: ${listing.why}`;
  if (listing.apiBaseUrl !== undefined)
    return { status: failed, what, why, advice: `Append /v1 to the base URL (${origin}).` };
  // A server without such a list may still have models.
  if (listing.status === 404 || listing.status === 405)
    return {
      status: 'ok',
      what: `${vendor.name} answers (${time})`,
      why: 'It lists no models.',
    };
  return { status: failed, what, why, advice: adviceFor(vendor.id, { ...listing, origin }) };
}

function adviceFor(
  vendor: string,
  { status, origin }: Extract<ModelListing, { ok: false }> & { readonly origin: string },
): string {
  if (status === 401 || status === 403)
    return `The key was rejected. Store another one: robota login ${vendor}`;
  if (status === 429) return 'Too many requests; try again later.';
  if (status !== undefined && status >= 500) return 'The service has a problem; try again later.';
  return vendor === 'ollama'
    ? 'Start it with ollama serve, or set OLLAMA_HOST.'
    : `Check the network, a proxy, and the base URL: ${origin}.`;
}
