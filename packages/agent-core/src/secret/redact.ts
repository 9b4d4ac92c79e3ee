/** Returns a copy of a value without its secrets. */
export type Redactor = (value: unknown) => unknown;

const replacement = '[redacted]';
const shortestSecret = 6;
const deepest = 64;

/** Keys are compared in lower case without dashes and underscores. */
const secretKeys =
  /(apikey|authorization|accesstoken|refreshtoken|idtoken|authtoken|secret|password|passphrase|privatekey|accesskey|credentials?|cookie)$|^token$/;

/** Key formats of well-known services. */
const secretShapes =
  /\b(?:sk-[A-Za-z0-9_-]{20,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|xox[abprs]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16}|gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{30,})/g;

/**
 * Values after telling names in files and output, such as `password: …`, `"db_password": "…"` or `API_KEY=…`. They
 * contain a digit, which distinguishes them from types and words of a program.
 */
const assignments =
  /(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?\s*(?::|=>?)\s*["']?/gi;
const assigned = /[^\s"',;)}\]]{6,}/y;
const endOfWord = /[\s"',;]|$/g;

const urlPasswords = /(?<=[a-z0-9+.-])(:\/\/[^\s/:@]*:)[^\s/@]+@/gi;

/** Secrets found at run time, such as renewed tokens. */
const lateSecrets = new Set<string>();

/** Hides a secret from now on in all hiders, including those created earlier. */
export function hideFromNowOn(secret: string): void {
  if (secret.length >= shortestSecret) lateSecrets.add(secret);
}

/** Creates a function that hides the given secrets in a text. */
export function secretHider(secrets: readonly string[]): StreamHider {
  // Longest first, because a secret may contain another.
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const hide = (text: string) => {
    let clean = text;
    for (const list of [known, lateSecrets])
      for (const secret of list) if (clean.includes(secret)) clean = clean.replaceAll(secret, replacement);
    return clean;
  };
  const openEnd = (text: string) => {
    let longest = 0;
    for (const list of [known, lateSecrets])
      for (const secret of list) longest = Math.max(longest, beginningAtEnd(text, secret));
    return longest;
  };
  return Object.assign(hide, { openEnd });
}

/** Hides secrets in a text, and counts the characters at its end that may start one. */
export interface StreamHider {
  (text: string): string;
  openEnd(text: string): number;
}

/** Number of characters at the end of a text that are the start of a secret, but not all of it. */
function beginningAtEnd(text: string, secret: string): number {
  const first = secret.charAt(0);
  const from = Math.max(0, text.length - secret.length + 1);
  for (let at = text.indexOf(first, from); at !== -1; at = text.indexOf(first, at + 1))
    if (secret.startsWith(text.slice(at))) return text.length - at;
  return 0;
}

/** Hides secrets in a complete or growing text. */
export interface TextRedactor {
  (text: string): string;
  /** Splits a growing text where later text can no longer change what is before; `shown` is without secrets. */
  settle(text: string): { readonly shown: string; readonly rest: string };
}

/** Creates a function that hides the given secrets and anything that looks like one. */
export function textRedactor(secrets: readonly string[] = []): TextRedactor {
  const hide = secretHider(secrets);
  const redact = (text: string) => {
    // Fast path for names and short words.
    if (text.length < shortestSecret) return text;
    const clean = hide(text).replace(secretShapes, replacement);
    if (!clean.includes(':') && !clean.includes('=')) return clean;
    return withoutAssigned(clean).replace(urlPasswords, `$1${replacement}@`);
  };
  const settle = (text: string) => {
    let end = gapBefore(text, text.length - hide.openEnd(text));
    for (let tries = 0; end > 0 && tries < mostTries; tries++, end = gapBefore(text, end - 1)) {
      const [shown, rest] = [text.slice(0, end), text.slice(end)];
      const isWhole = hide(shown) + hide(rest) === hide(text);
      if (isWhole && isSettled(hide(shown).replace(secretShapes, replacement)))
        return { shown: redact(shown), rest };
    }
    return { shown: '', rest: text };
  };
  return Object.assign(redact, { settle });
}

const mostTries = 8;

/** The end of the last character up to `end` that cannot be part of a service's key; 0 if there is none. */
function gapBefore(text: string, end: number): number {
  for (let at = end; at > 0; at--) {
    const character = text.charAt(at - 1);
    if (character <= ' ' || (character > '\x7f' && !isHalf(character))) return at;
  }
  return 0;
}

/** True for the first half of a surrogate pair. */
function isHalf(character: string): boolean {
  return character >= '\ud800' && character <= '\udbff';
}

const nameAtEnd =
  /(?:pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["']?$/i;
const longestName = 16;

/** True if later text cannot complete an assigned value or a URL's password that starts in this text. */
function isSettled(text: string): boolean {
  if (nameAtEnd.test(text.trimEnd().slice(-longestName))) return false;
  const names = [...text.matchAll(assignments)].map(({ 0: lead, index }) => index + lead.length);
  const value = names.at(-1);
  if (value !== undefined && indexFrom(endOfWord, text, value) === text.length) return false;
  const clean = withoutAssigned(text);
  const address = clean.lastIndexOf('://');
  return address < 0 || /[\s/]/.test(clean.slice(address + 3));
}

/** Reads every character a bounded number of times, however many names one long word contains. */
function withoutAssigned(text: string): string {
  let clean = '';
  let from = 0;
  let wordEnd = -1;
  let digit = -1;
  for (const { 0: lead, index } of text.matchAll(assignments)) {
    const start = index + lead.length;
    if (index < from) continue;
    if (wordEnd < start) wordEnd = indexFrom(endOfWord, text, start);
    if (digit < start) digit = indexFrom(/\d|$/g, text, start);
    assigned.lastIndex = start;
    const value = digit < wordEnd ? assigned.exec(text)?.[0] : undefined;
    if (value === undefined) continue;
    clean += text.slice(from, start) + replacement;
    from = start + value.length;
  }
  return from === 0 ? text : clean + text.slice(from);
}

function indexFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
}

/** A redactor that also handles growing texts. */
export type LiveRedactor = Redactor & { readonly text: TextRedactor };

/**
 * Creates a redactor that hides the given secrets everywhere, values under telling keys, and anything that looks like a
 * key.
 */
export function createRedactor(secrets: readonly string[] = []): LiveRedactor {
  const redactText = textRedactor(secrets);
  const redact = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > deepest) return '[too deep]';
    if (value instanceof Error) return redactText(`${value.name}: ${value.message}`);
    if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        redactText(key),
        isSecret(key, item) ? replacement : redact(item, depth + 1),
      ]),
    );
  };
  return Object.assign((value: unknown) => redact(value, 0), { text: redactText });
}

/** Numbers under such keys are counts, and empty values hide nothing. */
function isSecret(key: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'object') return false;
  if (value === null || value === '') return false;
  return secretKeys.test(key.toLowerCase().replace(/[-_]/g, ''));
}
