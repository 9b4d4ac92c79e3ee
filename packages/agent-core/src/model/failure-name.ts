const names: Readonly<Record<string, string>> = {
  auth: 'authentication failed',
  'context-overflow': 'context window full',
  'rate-limit': 'rate limited',
  quota: 'quota used up',
  server: 'server error',
  network: 'network error',
};

/** The name of a failure code. Separate from `failure.ts`, because the screen loads it before its first frame. */
export function failureName(code: string): string {
  return (Object.hasOwn(names, code) ? names[code] : undefined) ?? code.replaceAll('-', ' ');
}
