import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A version for a registry of packages. */
export interface PublishedVersion {
  readonly name: string;
  readonly version: string;
  readonly tarball: Buffer;
  /** More of its manifest. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** Another sum than that of the archive. */
  readonly integrity?: string;
  /** `latest` unless given; undefined for none. */
  readonly tag?: string | undefined;
}

/** A registry of npm packages over real HTTP, on this machine. */
export interface PackageRegistry {
  readonly url: string;
  /** Methods and paths, in order. */
  readonly requests: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  publish(version: PublishedVersion): void;
  /** Answers requests whose path contains a text in another way. */
  answer(part: string, handler: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** Starts a registry that knows nothing yet. */
export async function startPackageRegistry(): Promise<PackageRegistry> {
  const published: PublishedVersion[] = [];
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const handlers: [part: string, handler: (request: IncomingMessage, response: ServerResponse) => void][] =
    [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/');
    requests.push(`${request.method} ${path}`);
    authorizations.push(request.headers.authorization);
    const special = handlers.find(([part]) => path.includes(part));
    if (special) return special[1](request, response);
    const archive = published.find((one) => path === `/${archivePath(one)}`);
    if (archive) return void response.end(archive.tarball);
    const own = published.filter(({ name }) => path === `/${name}`);
    if (own.length === 0) return void response.writeHead(404).end('{"error":"Not found"}');
    response.setHeader('content-type', 'application/json').end(JSON.stringify(describe(own, url())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url(),
    requests,
    authorizations,
    publish: (version) => void published.push(version),
    answer: (part, handler) => void handlers.unshift([part, handler]),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function describe(versions: readonly PublishedVersion[], url: string): object {
  const tagged = versions.filter((one) => !('tag' in one) || one.tag !== undefined);
  return {
    name: versions[0]?.name,
    'dist-tags': Object.fromEntries(tagged.map(({ tag = 'latest', version }) => [tag, version])),
    versions: Object.fromEntries(
      versions.map((one) => [
        one.version,
        {
          name: one.name,
          version: one.version,
          ...one.manifest,
          dist: { tarball: `${url}/${archivePath(one)}`, integrity: one.integrity ?? sumOf(one.tarball) },
        },
      ]),
    ),
  };
}

function archivePath({ name, version }: PublishedVersion): string {
  return `${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

function sumOf(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}
