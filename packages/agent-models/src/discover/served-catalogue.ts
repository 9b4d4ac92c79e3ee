import type { Config } from '@robota-sdk/agent-config';
import { type Catalogue, type Compat, given, isLoopback, type Model } from '@robota-sdk/agent-core';
import { listServerModels, type ServerAddress } from '../servers/list-models.ts';
import { describeServed, type ServedModel } from '../servers/served-model.ts';
import { refreshLater } from './discover-models.ts';
import { listedModels } from './listed-models.ts';
import { keepListedServers, type ListedModel, type ListedServer, readListedServers } from './model-cache.ts';
import type { OwnServer } from './own-server.ts';

/**
 * A session does not begin before its server has said how it runs the model, or has not answered in time. One on this
 * machine is waited for longer: it may be busy, and without its answer even the protocol of the tools is a guess.
 */
const patienceMs = 1_500;
const localPatienceMs = 5_000;
const lookPatienceMs = 600;
/** The list of a server elsewhere is asked for again after this. */
const freshMs = 24 * 60 * 60_000;

interface Wanted {
  readonly chosen: OwnServer | undefined;
  /** A user may choose among the models that servers listed before. */
  readonly isListed: boolean;
}

/** The catalogue with what servers listed before, and with the chosen model as its server runs it now. */
export async function servedCatalogue(config: Config, { chosen, isListed }: Wanted): Promise<Catalogue> {
  const lists = await readListedServers(config.host);
  const { catalogue } = config;
  const listed = isListed
    ? { ...catalogue, models: [...catalogue.models, ...listedModels(catalogue, lists)] }
    : catalogue;
  if (isListed) refreshLater(config, lists);
  return chosen ? withChosen(listed, { ...(await located(chosen)), lists }, config) : listed;
}

type Chosen = OwnServer & { readonly lists: readonly ListedServer[] };

async function withChosen(catalogue: Catalogue, chosen: Chosen, config: Config): Promise<Catalogue> {
  const { model, vendor } = chosen;
  const served = await servedNow(chosen, config);
  const vendors = catalogue.vendors.map((each) => (each.id === vendor.id ? { ...each, ...vendor } : each));
  if (!served) return { ...catalogue, vendors };
  const isWritten = config.catalogue.models.some(
    (each) => each.vendor === model.vendor && each.id === model.id,
  );
  const wanted = isWritten ? model.contextWindow : config.settings.local.contextWindow;
  // The id of the loaded model may only stand for it.
  const isNamed = isWritten || model.id !== vendor.defaultModel;
  const fitted = { ...fittedModel(model, served, wanted), ...(isNamed ? {} : given('name', served.name)) };
  const others = catalogue.models.filter((each) => each.vendor !== fitted.vendor || each.id !== fitted.id);
  return { vendors, models: [...others, fitted] };
}

/** How a server runs a model. One that is not on this machine is asked for its list once a day, and for nothing else. */
async function servedNow(
  { address, model, vendor, lists }: Chosen,
  { host }: Config,
): Promise<ServedModel | undefined> {
  const { baseUrl } = address;
  const isLocal = URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).host);
  if (isLocal || address.api === 'ollama')
    return describeServed({
      address,
      model: model.id,
      isOwn: true,
      patienceMs: isLocal ? localPatienceMs : patienceMs,
    });
  const kept = lists.find((each) => each.vendor === vendor.id && each.baseUrl === baseUrl);
  const isFresh = kept !== undefined && kept.at > Date.now() - freshMs;
  const rows = isFresh ? kept.models : await listNow(address, { vendor: vendor.id, host });
  const row = rows.find(({ id }) => id === model.id);
  const tokens = row?.window;
  return tokens === undefined ? undefined : { tokens, server: row?.server ?? 'other' };
}

/** An unanswered question is remembered as an empty list, so that it is not asked at each start. */
async function listNow(
  address: ServerAddress,
  { vendor, host }: { readonly vendor: string; readonly host: Config['host'] },
): Promise<readonly ListedModel[]> {
  const listing = await listServerModels(address, patienceMs);
  const models = listing.ok
    ? listing.models.map((id) => ({
        id,
        ...given('window', listing.windows[id]),
        ...(listing.ofVllm.has(id) ? ({ server: 'vllm' } as const) : {}),
      }))
    : [];
  await keepListedServers(host, [{ vendor, baseUrl: address.baseUrl, at: Date.now(), models }]).catch(
    () => {},
  );
  return models;
}

/** A server with several usual addresses is used where it answers; its new one comes first. */
async function located(chosen: OwnServer): Promise<OwnServer> {
  const { vendor, address, isUsual } = chosen;
  if (!isUsual || vendor.otherBaseUrls === undefined) return chosen;
  const places = [...vendor.otherBaseUrls, vendor.baseUrl];
  const listings = await Promise.all(
    places.map((baseUrl) => listServerModels({ ...address, baseUrl }, lookPatienceMs)),
  );
  const baseUrl = places[listings.findIndex(({ ok }) => ok)] ?? vendor.baseUrl;
  return { ...chosen, vendor: { ...vendor, baseUrl }, address: { ...address, baseUrl } };
}

/** A model with what its server says of it. Ollama's own API makes as much room as it is asked for; others have what they have. */
function fittedModel(model: Model, served: ServedModel, wanted: number): Model {
  const { server, trained, images, tools, thinking } = served;
  const told = served.isAssumed ? 0 : served.tokens;
  const asked = Math.min(trained ?? wanted, Math.max(wanted, told));
  const contextWindow = model.api === 'ollama' ? asked : served.tokens;
  const maxOutput = Math.max(1, Math.min(model.maxOutput, Math.floor(contextWindow / 4)));
  return {
    ...model,
    contextWindow,
    maxOutput,
    ...(images === undefined ? {} : { images }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(tools === false && model.toolProtocol === undefined ? { toolProtocol: 'xnl' as const } : {}),
    ...(server === 'llama.cpp' ? { compat: llamaCompat(model, thinking) } : {}),
    ...(server === 'lmstudio' || server === 'vllm' ? { compat: { ...model.compat, server } } : {}),
  };
}

/** Templates of models that think have their switch in the arguments of the template. */
function llamaCompat({ compat }: Model, thinking: ServedModel['thinking']): Compat {
  const isSwitched = thinking === 'adaptive' && compat?.thinkingFormat === undefined;
  return {
    ...compat,
    server: 'llama.cpp',
    ...(isSwitched ? { thinkingFormat: 'qwen-chat-template' } : {}),
  };
}
