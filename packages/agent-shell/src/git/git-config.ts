/** One setting of a configuration file of git. */
export interface GitSetting {
  /** Section and name in lower case, with the subsection as written between them. */
  readonly key: string;
  readonly section: string;
  readonly hasSubsection: boolean;
  readonly name: string;
  /** Absent if it is quoted, escaped or commented in an unsupported way. */
  readonly value?: string;
}

/** The settings of a file, or the line that could not be read. */
export type GitConfig =
  | { readonly ok: true; readonly settings: readonly GitSetting[] }
  | { readonly ok: false; readonly line: number };

const header = /^\[[ \t]*([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?[ \t]*\]/;
const setting = /^([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=(.*))?$/s;

/** Parses a git configuration file. Continued lines are rejected: they could hide a section. */
export function parseGitConfig(text: string): GitConfig {
  const settings: GitSetting[] = [];
  let section: { readonly name: string; readonly subsection?: string } | undefined;
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [index, raw] of lines.entries()) {
    const fail: GitConfig = { ok: false, line: index + 1 };
    if (raw.includes('\0') || /\\\r?$/.test(raw)) return fail;
    let line = trimStart(raw.replace(/\r$/, ''));
    for (let found = header.exec(line); found !== null; found = header.exec(line)) {
      section = sectionOf(found[1] ?? '', found[2]);
      line = trimStart(line.slice(found[0].length));
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const [, name, value] = setting.exec(line) ?? [];
    if (name === undefined || section === undefined) return fail;
    settings.push(settingOf(section, name.toLowerCase(), value));
  }
  return { ok: true, settings };
}

function sectionOf(
  written: string,
  quoted: string | undefined,
): { readonly name: string; readonly subsection?: string } {
  if (quoted !== undefined)
    return { name: written.toLowerCase(), subsection: quoted.replaceAll(/\\(.)/gs, '$1') };
  const dot = written.indexOf('.');
  if (dot === -1) return { name: written.toLowerCase() };
  return { name: written.slice(0, dot).toLowerCase(), subsection: written.slice(dot + 1).toLowerCase() };
}

function settingOf(
  { name: section, subsection }: { readonly name: string; readonly subsection?: string },
  name: string,
  written: string | undefined,
): GitSetting {
  const key = [section, ...(subsection === undefined ? [] : [subsection]), name].join('.');
  const value = written === undefined ? 'true' : plainValue(written);
  return {
    key,
    section,
    hasSubsection: subsection !== undefined,
    name,
    ...(value === undefined ? {} : { value }),
  };
}

function plainValue(written: string): string | undefined {
  // Git treats tabs as blanks, and accepts bytes that are not valid text here.
  const inner = trimBlanks(written);
  if (/[\t\r\uFFFD]/.test(inner)) return undefined;
  const [, quoted] = /^[ \t]*"([^"\\]*)"[ \t]*$/.exec(inner) ?? [];
  if (quoted !== undefined) return quoted;
  if (/["\\]/.test(inner)) return undefined;
  return trimBlanks(inner.replace(/[#;].*$/s, ''));
}

/** Only the characters git treats as blank: other white space is part of a value. */
function trimBlanks(text: string): string {
  return text.replace(/^[ \t\r]+/, '').replace(/(?<![ \t\r])[ \t\r]+$/, '');
}

function trimStart(text: string): string {
  return text.replace(/^[ \t\r\f\v]+/, '');
}
