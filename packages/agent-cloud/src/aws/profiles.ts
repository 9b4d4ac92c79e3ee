import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AccountOptions } from '../credential/credentials.ts';

/** Sections of AWS's configuration files: `profile NAME` and `sso-session NAME`, each with its settings. */
export type AwsSections = ReadonlyMap<string, AwsProfile>;

/** Settings of one section, by name. */
export type AwsProfile = Readonly<Record<string, string>>;

/** Reads `~/.aws/config` and `~/.aws/credentials`; the latter wins. Files that are missing hold nothing. */
export async function readAwsFiles({ env, home }: AccountOptions): Promise<AwsSections> {
  const config = env.AWS_CONFIG_FILE ?? join(home, '.aws', 'config');
  const credentials = env.AWS_SHARED_CREDENTIALS_FILE ?? join(home, '.aws', 'credentials');
  const [first, second] = await Promise.all([readText(config), readText(credentials)]);
  const sections = new Map<string, Record<string, string>>();
  for (const [name, values] of parseSections(first)) sections.set(profileName(name), values);
  for (const [name, values] of parseSections(second)) {
    const key = name.startsWith('profile ') ? name : `profile ${name}`;
    sections.set(key, { ...sections.get(key), ...values });
  }
  return sections;
}

/** In the configuration file only the default profile has no word before its name. */
function profileName(section: string): string {
  return section === 'default' ? 'profile default' : section.replace(/\s+/g, ' ');
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}

/** Reads INI text as the AWS tools do: nested settings, which are indented, are passed over. */
export function parseSections(text: string): Map<string, Record<string, string>> {
  const sections = new Map<string, Record<string, string>>();
  let current: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || /^[#;]/.test(trimmed)) continue;
    const section = /^\[([^\]]*)\]/.exec(trimmed)?.[1]?.trim();
    if (section !== undefined) {
      current = { ...sections.get(section) };
      sections.set(section, current);
      continue;
    }
    const equals = trimmed.indexOf('=');
    if (!current || equals < 0 || /^\s/.test(line)) continue;
    const value = trimmed.slice(equals + 1);
    const comment = /\s[#;]/.exec(value)?.index ?? value.length;
    current[trimmed.slice(0, equals).trim().toLowerCase()] = value.slice(0, comment).trim();
  }
  return sections;
}
