import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostEnvironment, withStaging } from '@robota-sdk/agent-config';
import {
  anyObject,
  guard,
  list,
  makeDirectories,
  object,
  parseJson,
  record,
  robotaDirectories,
  text,
} from '@robota-sdk/agent-core';
import type { PluginDescription, TranspiledComponent } from './plugin-types.ts';

/** Changes whenever the cached form changes. */
const format = 1;
const indexName = 'component.json';
/** Every rebuild of a component adds an entry. */
const maxKept = 40;

/**
 * Prepared components by the hash of their content. Everything is stored with its own hash: a mismatch counts as
 * missing, and is prepared again.
 */
export class ComponentCache {
  readonly #root: string;

  constructor(host: HostEnvironment) {
    this.#root = join(robotaDirectories(host).cache, 'wasm');
  }

  /** Reads a cached component. */
  async read(hash: string): Promise<TranspiledComponent | undefined> {
    const index = indexShape.parse(await this.#sealed(join(this.#folder(hash), indexName)));
    if (!index) return undefined;
    const files = await Promise.all(
      Object.entries(index.files).map(async ([name, sum]) => {
        const bytes = await readFile(join(this.#folder(hash), name)).catch(() => undefined);
        return bytes && sumOf(bytes) === sum ? ([name, bytes] as const) : undefined;
      }),
    );
    const whole = files.filter((file) => file !== undefined);
    if (whole.length !== files.length) return undefined;
    return { files: new Map(whole), imports: index.imports, exports: index.exports };
  }

  /** Stores a component in one step, replacing an earlier one. */
  async write(hash: string, { files, imports, exports }: TranspiledComponent): Promise<void> {
    const folder = this.#folder(hash);
    await withStaging(this.#root, async (staging) => {
      const made = join(staging, 'made');
      await mkdir(made, { mode: 0o700 });
      for (const [name, bytes] of files) await writeFile(join(made, name), bytes, { mode: 0o600 });
      const sums = Object.fromEntries([...files].map(([name, bytes]) => [name, sumOf(bytes)]));
      await writeFile(join(made, indexName), sealedText({ files: sums, imports, exports }), { mode: 0o600 });
      await rm(folder, { recursive: true, force: true });
      await rename(made, folder);
    });
    await this.#removeOldest();
  }

  /** The cached self-description of a plugin with this manifest. */
  async description(hash: string, seal: string): Promise<PluginDescription | undefined> {
    const now = new Date();
    await utimes(this.#folder(hash), now, now).catch(() => {});
    const described = await this.#sealed(this.#descriptionFile(hash, seal));
    return isDescription(described) ? described : undefined;
  }

  async describe(hash: string, seal: string, description: PluginDescription): Promise<void> {
    makeDirectories(this.#folder(hash), 0o700);
    const file = this.#descriptionFile(hash, seal);
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, sealedText(description), { mode: 0o600 });
    await rename(temporary, file);
  }

  /** Evicts the least recently used entries. */
  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#root)).filter((name) => !name.startsWith('.'));
    const used = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#root, name);
        return { path, at: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const old = used.sort((a, b) => b.at - a.at).slice(maxKept);
    await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
  }

  #folder(hash: string): string {
    return join(this.#root, `${hash}-${format}`);
  }

  #descriptionFile(hash: string, seal: string): string {
    return join(this.#folder(hash), `description-${seal.slice(0, 16)}.json`);
  }

  async #sealed(file: string): Promise<unknown> {
    const sealed = sealedShape.parse(parseJson(await readFile(file, 'utf8').catch(() => '')));
    return sealed && sumOf(JSON.stringify(sealed.value)) === sealed.sum ? sealed.value : undefined;
  }
}

const sealedShape = object({ sum: text, value: anyObject });
const isDescription = guard<PluginDescription>(() => {
  const named = { name: text, description: text };
  const tool = object({ ...named, input: anyObject }, { label: text, brief: text });
  return object({ name: text, tools: list(tool), commands: list(object(named, { argumentHint: text })) });
});
const indexShape = object({ files: record(text), imports: list(text), exports: list(text) });

function sealedText(value: object): string {
  return JSON.stringify({ sum: sumOf(JSON.stringify(value)), value });
}

function sumOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
