import { createHash, createHmac } from 'node:crypto';

/** Keys of an AWS account. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A request to sign. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[];
}

/** The scope that a signature is valid for. */
export interface SigningScope {
  readonly region: string;
  readonly service: string;
  readonly now?: Date;
}

const algorithm = 'AWS4-HMAC-SHA256';

/** Adds the headers of Signature Version 4 to a request. */
export function signRequest(
  { method, url, headers, body }: UnsignedRequest,
  keys: AwsKeys,
  { region, service, now = new Date() }: SigningScope,
): Record<string, string> {
  const time = `${now.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const day = time.slice(0, 8);
  const added = {
    ...headers,
    host: url.host,
    'x-amz-date': time,
    ...(keys.sessionToken === undefined ? {} : { 'x-amz-security-token': keys.sessionToken }),
  };
  const names = Object.keys(added)
    .map((name) => name.toLowerCase())
    .filter(isSigned)
    .sort();
  const byName = new Map(Object.entries(added).map(([name, value]) => [name.toLowerCase(), value]));
  const signedHeaders = names.join(';');
  const canonical = [
    method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${(byName.get(name) ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = [algorithm, time, scope, sha256([Buffer.from(canonical)])].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${keys.accessKeyId}/${scope}`;
  const { host: _, ...sent } = added;
  return {
    ...sent,
    authorization: `${algorithm} Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

/** Others may be changed on the way. */
function isSigned(name: string): boolean {
  return name === 'host' || name === 'content-type' || name.startsWith('x-amz');
}

/** The path is encoded once more than it is sent. */
function canonicalPath(pathname: string): string {
  return pathname.split('/').map(encode).join('/');
}

function canonicalQuery(parameters: URLSearchParams): string {
  return [...parameters]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
