/** This machine and private networks speak plain HTTP; without a scheme that is what is meant there. */
export function isLocalAddress(address: string): boolean {
  const host = /^(\[[^\]]*\]|[^:/]*)/.exec(address)?.[1]?.toLowerCase() ?? '';
  if (/^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$|^169\.254\./.test(host))
    return /^[\d.]+$/.test(host);
  return (
    /^(?:localhost|\[::1\]|\[f[cd][^\]]*\])$|\.(?:local|localhost|lan|internal)$/.test(host) ||
    /^[a-z][\w-]*$/.test(host)
  );
}
