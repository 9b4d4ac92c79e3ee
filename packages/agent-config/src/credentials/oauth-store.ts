import { readFileSync } from 'node:fs';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  object,
  orElse,
  parseJson,
  shape,
  text,
} from '@robota-sdk/agent-core';
import { editJson } from '../file/edit-json.ts';
import { readJsonFile } from '../file/read-json.ts';
import { updatePrivateFile } from '../file/update-private-file.ts';
import type { HostEnvironment } from '../host/dialects.ts';
import { userPaths } from '../host/paths.ts';

/** The part of `auth.json` that holds the logins to MCP servers, by their addresses. */
const loginsKey = 'mcp';

/** A stored login. */
export interface StoredLogin {
  readonly tokens?: JsonObject;
  /** Ourselves as the server knows us, with the way back it was told. */
  readonly client?: JsonObject;
  readonly redirectUrl?: string;
  /** The scopes the server last asked for. */
  readonly scope?: string;
}

/** Keeps the login to one server in `auth.json`, which only the user can read. */
export class OAuthStore {
  readonly #path: string;
  readonly #url: string;

  constructor(url: string, host: HostEnvironment) {
    this.#path = userPaths(host).auth;
    this.#url = loginKey(url);
  }

  async read(): Promise<StoredLogin> {
    return this.#loginIn((await readJsonFile(this.#path))?.value);
  }

  /** The same, synchronously; empty if the file is unusable, which reading keys reports. */
  readNow(): StoredLogin {
    const file = parseJson(orElse(() => readFileSync(this.#path, 'utf8'), ''));
    return isJsonObject(file) ? this.#loginIn(file) : {};
  }

  #loginIn(file: JsonObject = {}): StoredLogin {
    const logins = file[loginsKey];
    const isThere = isJsonObject(logins) && Object.hasOwn(logins, this.#url);
    return (isThere && loginShape.parse(logins[this.#url])) || {};
  }

  /** Changes what is kept; nothing takes a field out. */
  async update(change: { readonly [K in keyof StoredLogin]: StoredLogin[K] | undefined }): Promise<void> {
    await updatePrivateFile(this.#path, async (before) => {
      const after: Record<string, JsonValue> = { ...(await this.read()) };
      for (const [field, value] of Object.entries(change))
        if (value === undefined) delete after[field];
        else after[field] = value;
      return editJson(before ?? '', { path: [loginsKey, this.#url], value: after });
    });
  }

  /** Takes the login out; false where there was none. */
  async remove(): Promise<boolean> {
    const { tokens, client } = await this.read();
    if (!tokens && !client) return false;
    await updatePrivateFile(this.#path, (before) =>
      editJson(before ?? '', { path: [loginsKey, this.#url], value: undefined }),
    );
    return true;
  }
}

/** An address without what tells nothing about whose it is. */
function loginKey(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}${search}`;
}

const objectOf = shape<JsonObject>({ type: 'object' });
const loginShape = object({}, { tokens: objectOf, client: objectOf, redirectUrl: text, scope: text });
