/** The names a server answers to. Everything that a request says of itself is compared with these, never with each other. */
export interface WebAddress {
  readonly port: number;
  readonly isSecure: boolean;
  /** `Host` as a browser sends it, with the origin of its pages. */
  readonly origins: ReadonlyMap<string, string>;
  /** Differs by port, because cookies do not. */
  readonly cookieName: string;
}

/** The address of a server by its host names; the first is the one that is printed. */
export function webAddress(
  names: readonly string[],
  { port, isSecure }: { readonly port: number; readonly isSecure: boolean },
): WebAddress {
  const scheme = isSecure ? 'https' : 'http';
  const isUsual = port === (isSecure ? 443 : 80);
  const hosts = names.map((name) => (isUsual ? name : `${name}:${port}`));
  return {
    port,
    isSecure,
    origins: new Map(hosts.map((host) => [host, `${scheme}://${host}`])),
    // Browsers take this prefix only with TLS, and then from this very host alone.
    cookieName: `${isSecure ? '__Host-' : ''}robota-web-${port}`,
  };
}

/** The origin to print. */
export function mainOrigin({ origins }: WebAddress): string {
  return [...origins.values()][0] ?? '';
}
