import type { ExplainContext } from '@robota-sdk/agent-admin';
import {
  describeChanges,
  fixedKeys,
  optionRows,
  type Settings,
  withOptions,
  withoutReplaced,
} from '@robota-sdk/agent-config';
import { AgentError, errorMessage, isMissing, type JsonObject, Listeners } from '@robota-sdk/agent-core';
import type { LoadedConfig } from '@robota-sdk/agent-resources';
import { type LoadConfigOptions, loadConfig } from '@robota-sdk/agent-resources';
import type { BudgetLimits } from '@robota-sdk/agent-sessions';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import { commandLineSettings } from './command-line-settings.ts';
import { type StopWatching, watchSettings } from './watch-settings.ts';

export interface LiveSettingsOptions {
  readonly config: LoadedConfig;
  readonly place: ExplainContext;
  /** Options of the program or the command line, which override the files. */
  readonly options?: Partial<CreateSessionOptions>;
  /** Overrides of the files, applied at every reload. */
  readonly given?: SessionOverrides;
}

/** Options of a session that override its files. */
export type SessionOverrides = Pick<LoadConfigOptions, 'givenSettings' | 'pluginDirectories'>;

/** Settings that take effect in a running session; the others apply to the next one. */
const liveKeys: ReadonlySet<string> = new Set([
  'bypassForbiddenBy',
  ...optionRows.flatMap(([name, { live }]) => (live ? (name.split('.')[0] ?? []) : [])),
]);

/** The settings of a session as its files have them now. */
export class LiveSettings {
  readonly #place: ExplainContext;
  /** As it was loaded, with the settings that are in force now. */
  readonly config: LoadedConfig;
  readonly #budget: { -readonly [Scope in keyof BudgetLimits]: BudgetLimits[Scope] };
  readonly #trust: LoadedConfig['trust'];
  readonly #options: Partial<CreateSessionOptions>;
  #given: SessionOverrides;
  /** The initial values above the files. */
  readonly #first: readonly JsonObject[];
  /** Later values above those. */
  #over: JsonObject = {};
  #settings: Settings;
  /** The last reported settings of the files. */
  #told: Settings;
  #sources: readonly string[];
  #reading: Promise<readonly string[]> = Promise.resolve([]);
  #apply: (before: Settings) => void = () => {};
  readonly #listeners = new Listeners<readonly string[]>();

  /** Calls a listener with the keys of changed settings; returns a function to unsubscribe. */
  readonly subscribe = this.#listeners.add;

  constructor({ config: loaded, place, options = {}, given = {} }: LiveSettingsOptions) {
    const config = { ...loaded, settings: withOptions(loaded.settings, options) };
    this.#options = options;
    this.#place = place;
    this.#given = given;
    this.#first = given.givenSettings ?? [];
    this.#trust = config.trust;
    this.#sources = config.sources;
    this.#budget = { ...config.settings.budget };
    this.#settings = { ...config.settings, budget: this.#budget };
    this.#told = config.settings;
    const current = () => this.#settings;
    this.config = {
      ...config,
      get settings() {
        return current();
      },
    };
  }

  /**
   * Sets overrides above all other settings; a key replaces an earlier override, null removes it. Throws if they are
   * invalid, and changes nothing.
   */
  async give(settings: JsonObject): Promise<void> {
    const fixed = fixedKeys(settings);
    if (fixed.length > 0)
      throw new AgentError(
        'usage',
        `These settings cannot change in an open session: ${fixed.join(', ')}. Start another one with them.`,
      );
    const entries = Object.entries({ ...this.#over, ...settings }).filter(([, value]) => value !== null);
    const over = Object.fromEntries(entries);
    const given = { ...this.#given, givenSettings: [over, ...this.#first] };
    await this.load(given);
    this.#given = given;
    this.#over = over;
    await this.reload();
  }

  /** The directory and the overrides, for explanations of settings. */
  get place(): ExplainContext {
    const overrides = commandLineSettings(this.#optionsNow());
    return { ...this.#place, overrides, givenSettings: this.#given.givenSettings };
  }

  /** Reads settings, keys and models again, with the overrides of this session. Changes nothing. */
  load(
    given: SessionOverrides & Pick<LoadConfigOptions, 'refuseBroken'> = this.#given,
  ): Promise<LoadedConfig> {
    const { cwd, host } = this.#place;
    return loadConfig(cwd, { ...given, host, trust: this.#trust });
  }

  /** Options, unless something later replaced them. */
  #optionsNow(): Partial<CreateSessionOptions> {
    return withoutReplaced(this.#options, this.#over);
  }

  /** Registers a function to call after settings changed. */
  onChange(apply: (before: Settings) => void): void {
    this.#apply = apply;
  }

  /**
   * Reads the files again and applies what can change; returns lines that describe it. Repository content counts only
   * as approved at the start of the session. An invalid file changes nothing.
   */
  reload(): Promise<readonly string[]> {
    // One after the other: an older read must not override a newer one.
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  /** Follows the files while a user works; reports changes. */
  watch(tell: (line: string) => void): StopWatching {
    return watchSettings(this.place, () => {
      void this.reload().then((lines) => lines.forEach((line) => void tell(line)));
    });
  }

  async #read(): Promise<readonly string[]> {
    const read = await this.load({ ...this.#given, refuseBroken: true }).catch(errorMessage);
    if (typeof read === 'string') return [`${read} The settings from before stay in force.`];
    const loaded = { ...read, settings: withOptions(read.settings, this.#optionsNow()) };
    const before = this.#settings;
    const held = { ...before, budget: { ...this.#budget } };
    const changed = changedKeys(held, loaded.settings);
    const gone = this.#sources.filter((file) => !loaded.sources.includes(file) && isMissing(file));
    this.#sources = loaded.sources;
    const isTold = changedKeys(this.#told, loaded.settings).length === 0;
    this.#told = loaded.settings;
    if (changed.length === 0 || isTold) return [];
    for (const scope of ['turn', 'session', 'day'] as const) delete this.#budget[scope];
    Object.assign(this.#budget, loaded.settings.budget);
    const live = changed.filter((key) => liveKeys.has(key));
    const taken = Object.fromEntries(live.map((key) => [key, loaded.settings[key]]));
    this.#settings = withoutAbsent({ ...before, ...taken, budget: this.#budget });
    this.#apply(before);
    this.#listeners.tell(live);
    return describeChanges({
      before: held,
      after: loaded.settings,
      changed,
      gone,
      isLive: (key) => liveKeys.has(key),
    });
  }
}

function changedKeys(before: Settings, after: Settings): (keyof Settings)[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Settings>;
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** A setting removed from the files is absent, not undefined. */
function withoutAbsent(settings: Settings): Settings {
  const present = { ...settings };
  for (const key of Object.keys(present) as (keyof Settings)[])
    if (present[key] === undefined) delete present[key as 'model'];
  return present;
}
