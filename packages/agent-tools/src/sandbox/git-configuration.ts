import { dirname, join, resolve } from 'node:path';
import { isWithin, orElse, readRegularFileSync } from '@robota-sdk/agent-core';

/** A git configuration file in the home directory as commands may see it. */
export interface ShownConfiguration {
  readonly path: string;
  /** Replacement text, if the file contains logins. */
  readonly shownAs?: string;
}

const mostFiles = 10;
const largest = 1_000_000;

/** The user's git configuration with its included files: commits need the name, and nothing needs the logins. */
export function gitConfigurationIn(home: string): ShownConfiguration[] {
  const waiting = [join(home, '.gitconfig'), join(home, '.config/git/config')];
  const found = new Map<string, ShownConfiguration>();
  for (let path = waiting.shift(); path !== undefined && found.size < mostFiles; path = waiting.shift()) {
    const text = found.has(path) ? undefined : textOf(path);
    if (text === undefined) continue;
    const shown = withoutLogins(text);
    found.set(path, shown === text ? { path } : { path, shownAs: shown });
    waiting.push(...includedBy(text, path, home));
  }
  return [...found.values()];
}

const mayBeLogin =
  /:\/\/[^/\s"]*@|token|passw|secret|credential|authorization|extraheader|api[-_]?key|cookie|bearer|basic /i;

/** Drops sections about credentials, and every line that looks like one. */
export function withoutLogins(text: string): string {
  let inLogins = false;
  let isContinued = false;
  const kept = text.split('\n').filter((line) => {
    const wasContinued = isContinued;
    const isHeader = !wasContinued && /^\s*\[/.test(line);
    if (isHeader) inLogins = mayBeLogin.test(line);
    const isLeft = inLogins || mayBeLogin.test(line);
    // A backslash at the end continues the value; such lines are kept or dropped together.
    isContinued = line.endsWith('\\') && (isLeft || wasContinued);
    return !(isLeft || wasContinued);
  });
  return kept.join('\n');
}

function includedBy(text: string, file: string, home: string): string[] {
  return [...text.matchAll(/^[ \t]*path[ \t]*=(.*)$/gim)]
    .map(([, value = '']) => value.trim().replace(/^"|"$/g, ''))
    .map((path) => resolve(dirname(file), path.replace(/^~(?=\/)/, home)))
    .filter((path) => isWithin(home, path));
}

function textOf(path: string): string | undefined {
  return orElse(() => readRegularFileSync(path, { largest }).toString(), undefined);
}
