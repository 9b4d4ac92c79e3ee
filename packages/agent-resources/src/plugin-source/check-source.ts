import { isIP } from 'node:net';
import { AgentError } from '@robota-sdk/agent-core';

/** Fails unless an address is one that may be fetched: encrypted, or on this machine. */
export function requireAddress(text: string, { local }: { readonly local: boolean }): string {
  const refuse = (why: string): never => {
    throw new AgentError('config', `${JSON.stringify(text)} is not fetched: ${why}.`);
  };
  if (text.startsWith('-')) refuse('a URL cannot start with "-"');
  if (/[\p{Cc}\s]/u.test(text)) refuse('it has blanks or control characters in it');
  if (/^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?!\/\/|-)\S+$/.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : refuse('it is not a URL');
  if (url.hostname.startsWith('-') || url.username.startsWith('-')) refuse('it is not a URL');
  if (url.protocol === 'https:' || url.protocol === 'ssh:') return text;
  if (url.protocol === 'file:') return local ? text : refuse('only you can name files of this machine');
  if (url.protocol !== 'http:') return refuse(`${url.protocol}// is not supported; use https://`);
  return isLoopbackHost(url.hostname) ? text : refuse('plain http can be tampered with; use https://');
}

/** Throws unless a text is a branch or tag that git cannot misread. */
export function requireRef(ref: string): string {
  const isPlain =
    /^[A-Za-z0-9_][\w./@+-]{0,199}$/.test(ref) && !/\.\.|@\{|\/\/|\.lock(?:\/|$)|[./]$/.test(ref);
  if (isPlain) return ref;
  throw new AgentError('config', `${JSON.stringify(ref)} is not a branch, tag or commit.`);
}

/** Fails unless a text is a full commit id. */
export function requireCommit(sha: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(sha)) return sha.toLowerCase();
  throw new AgentError('config', `${JSON.stringify(sha)} is not a commit: give all 40 digits.`);
}

/** Throws unless a text is a relative folder; returns it without `./`. */
export function requireFolder(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const isPlain =
    !path.startsWith('/') && !/[\\\p{Cc}]/u.test(path) && !/^[A-Za-z]:/.test(path) && !parts.includes('..');
  if (isPlain && !parts.some((part) => part.toLowerCase() === '.git')) return parts.join('/');
  throw new AgentError('config', `${JSON.stringify(path)} is not a folder below its source.`);
}

export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
