import {
  type Config,
  discoverModels,
  type InteractiveSession,
  keyOrigins,
  type ListedServer,
  type Model,
  thinkingLevels,
  windowText,
} from '@robota-sdk/agent-sdk/front-end';
import { type KeyEvent, matchesKey, type SelectItem, wrapText } from '@robota-sdk/agent-tui';
import type { Stage } from '../stage/stage.ts';
import { ListPanel } from './list-panel.ts';

/** Opens the model picker, usable models first. */
export async function openModelPicker(stage: Stage, session: InteractiveSession): Promise<void> {
  const config = await session.live?.load().catch(() => undefined);
  const offer = new ModelOffer(session, config);
  const panel = new ListPanel<string>({
    stage,
    title: 'Model',
    note: () => `thinking: ${session.thinking}`,
    items: offer.items(),
    search: 'list',
    emptyText: 'No model fits',
    hints: [
      { action: 'tui.select.confirm', text: 'select' },
      { keys: 'left/right', text: 'thinking' },
      { action: 'tui.input.tab', text: 'all vendors' },
      { action: 'tui.select.cancel', text: 'cancel' },
    ],
    detail: (name, width) =>
      wrapText(offer.detailOf(name), width).map((line) => stage.look.paint('dim', line)),
    onKey: (event) => {
      if (!stage.keys.matches(event, 'tui.input.tab')) return changeThinking(event, session, stage);
      offer.isWhole = !offer.isWhole;
      panel.setItems(offer.items());
      return true;
    },
    onSelect: (name) => {
      open.close();
      stage.enter(`/model ${name}`);
    },
    onCancel: () => open.close(),
  });
  panel.select(offer.current);
  const open = stage.openPanel(panel);
  if (config) void addServedModels(panel, offer, config);
}

/** Servers of the user know best which models they have. */
async function addServedModels(panel: ListPanel<string>, offer: ModelOffer, config: Config): Promise<void> {
  const servers = await discoverModels(config).catch(() => []);
  if (servers.length === 0) return;
  const { selected } = panel;
  offer.addRunning(servers);
  panel.setItems(offer.items());
  if (selected !== undefined) panel.select(selected);
}

function changeThinking(event: KeyEvent, session: InteractiveSession, stage: Stage): boolean {
  const step = matchesKey(event, 'right') ? 1 : matchesKey(event, 'left') ? -1 : 0;
  if (step === 0) return false;
  const own = session;
  const next = thinkingLevels[thinkingLevels.indexOf(own.thinking) + step];
  if (next !== undefined) void own.setThinking(next).then(() => stage.refresh());
  return true;
}

/** The models there are, and what has to be known to choose one. */
class ModelOffer {
  readonly current: string;
  /** Models that cannot be used yet are listed, too; else a search finds them. */
  isWhole = false;
  readonly #models: readonly Model[];
  readonly #vendorNames: ReadonlyMap<string, string>;
  /** Vendors whose models can be asked now. */
  readonly #ready: Set<string>;
  /** Vendors that are local servers. */
  readonly #local: ReadonlySet<string>;
  #running: readonly ListedServer[] = [];

  constructor(session: InteractiveSession, config: Config | undefined) {
    const { model } = session;
    this.current = nameOf(model);
    this.#models = session.listModels();
    const vendors = config?.catalogue.vendors ?? [];
    this.#vendorNames = new Map(vendors.map(({ id, name }) => [id, name]));
    this.#local = new Set(vendors.filter(({ needsKey, cloud }) => !needsKey && !cloud).map(({ id }) => id));
    const withKey = config ? keyOrigins(config).filter(({ origin }) => origin !== undefined) : [];
    const withoutNeed = vendors.filter(({ api }) => api === 'offline');
    this.#ready = new Set([
      model.vendor,
      ...withKey.map(({ vendor }) => vendor.id),
      ...withoutNeed.map(({ id }) => id),
      // A local server needs no vendor key.
      ...Object.keys(config?.settings.baseUrls ?? {}),
    ]);
  }

  addRunning(servers: readonly ListedServer[]): void {
    this.#running = servers;
    for (const { vendor } of servers) this.#ready.add(vendor);
  }

  items(): readonly SelectItem<string>[] {
    const known = new Set(this.#models.map(nameOf));
    const running = this.#running.flatMap(({ vendor, models }) =>
      models
        .filter(({ id }) => !known.has(`${vendor}/${id}`))
        .map(({ id, window }) => {
          const facts = [window === undefined ? '' : windowText(window), ''] as const;
          return this.#item({ vendor, name: `${vendor}/${id}`, label: id, facts });
        }),
    );
    const listed = this.#models.map((model) =>
      this.#item({
        vendor: model.vendor,
        name: nameOf(model),
        label: model.name || model.id,
        facts: factsOf(model),
      }),
    );
    const all = [...listed, ...running];
    const rank = (item: SelectItem<string>) => (this.#ready.has(vendorOf(item.value)) ? 0 : 1);
    const isOfCurrent = (item: SelectItem<string>) =>
      vendorOf(item.value) === vendorOf(this.current) ? 0 : 1;
    return all.sort((a, b) => rank(a) - rank(b) || isOfCurrent(a) - isOfCurrent(b));
  }

  detailOf(name: string): string {
    const vendor = vendorOf(name);
    if (this.#ready.has(vendor)) return name;
    return this.#local.has(vendor)
      ? `${name}: no server of ${this.#nameOf(vendor)} answers on this machine.`
      : `${name}: there is no key for ${this.#nameOf(vendor)} yet. robota login ${vendor} stores one.`;
  }

  #item(model: { vendor: string; name: string; label: string; facts: ModelFacts }): SelectItem<string> {
    const { vendor, name, label, facts } = model;
    const [window, price] = facts;
    const isReady = this.#ready.has(vendor);
    return {
      value: name,
      label,
      cells: [
        { text: window, isRight: true },
        { text: price, isRight: true },
        { text: name === this.current ? 'current' : isReady ? '' : this.#lackOf(vendor) },
        { text: this.#nameOf(vendor) },
      ],
      keywords: name,
      isRare: !isReady && !this.isWhole,
    };
  }

  #lackOf(vendor: string): string {
    return this.#local.has(vendor) ? 'not running' : 'no key';
  }

  #nameOf(vendor: string): string {
    return this.#vendorNames.get(vendor) ?? vendor;
  }
}

type ModelFacts = readonly [window: string, price: string];

/** The window, and the price of a million tokens in and out. */
function factsOf({ contextWindow, price }: Model): ModelFacts {
  return [windowText(contextWindow), price ? `$${price.input} / $${price.output}` : ''];
}

function nameOf({ vendor, id }: Model): string {
  return `${vendor}/${id}`;
}

function vendorOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
