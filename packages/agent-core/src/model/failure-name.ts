const names: Readonly<Record<string, string>> = {
  auth: 'authentication failed',
  'context-overflow': 'context window full',
  'rate-limit': 'rate limited',
  quota: 'quota used up',
  server: 'server error',
  network: 'network error',
};

/** The code of a failure in words. */
export function failureName(code: string): string {
  return (Object.hasOwn(names, code) ? names[code] : undefined) ?? code.replaceAll('-', ' ');
}
