import { basename } from 'node:path';

/** Parts of a text that are stable already and stay. */
export interface NormaliseOptions {
  /** Durations such as `1.2s` come from a fixture. */
  readonly durations?: 'kept';
}

/** Places and the version that a text is cleaned of. */
interface KnownPlaces {
  readonly version: string;
  readonly root: string;
  readonly temporary: string;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ids = new RegExp(`(?<![\\w#.-])(?:${uuid}|[0-9a-f]{8}(?:-[0-9a-f]{1,4}){0,3})(?![\\w-])`, 'g');
const isoTimes = /\d{4}-\d\d-\d\d(?:(?:T|, | |_)\d\d[:-]\d\d(?:[:-]\d\d(?:[.-]\d{1,9})?)?)?(?:Z|\+00:00)?/g;
const epochTimes = /(?<![\w.])1[789]\d{8}(?:\d{3}(?:\.\d+)?)?(?![\w.])/g;
const durations = /(?<![\w.,])\d+(?:[.,]\d+)?( ?)(ms|s|seconds?)(?![\w])/g;
const durationFields = /("(?:[a-z_]*duration[a-z_]*|[a-zA-Z]*Ms|[a-z_]+_ms)": ?)\d+(?:\.\d+)?/gi;
const ports = /(?<=(?:127\.0\.0\.1|localhost|\[::1\]):)\d{4,5}(?!\d)/g;
/** Newer versions of Node add them to the position. */
const jsonPlaces = /(?<=in JSON at position \d+) \(line \d+ column \d+\)/g;
const processes = /((?:"pid": ?|\bpid |\bprocess ))\d+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const day = 86_400_000;

/**
 * Replaces what differs from run to run by tokens with a number in order of first appearance, so that a text still shows
 * which of them are the same. Ids that a fixture contains stay, and so do times that are not of these days.
 */
export function createNormaliser({ version, root, temporary }: KnownPlaces) {
  const known = new Set<string>();
  const folders: { readonly kind: string; readonly path: string; readonly project: RegExp }[] = [];
  const learn = (text: string) => {
    for (const [id] of text.matchAll(ids)) known.add(id);
  };
  const learnFolder = (kind: string, path: string) => {
    const slug = basename(path)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-');
    folders.push({ kind, path, project: new RegExp(`[a-z0-9-]*${slug}-[0-9a-f]{12}`, 'g') });
  };
  const normalise = (text: string, options: NormaliseOptions = {}): string => {
    const number = counter();
    let rest = text;
    const places = folders
      .filter(({ path }) => rest.includes(basename(path).toLowerCase()) || rest.includes(basename(path)))
      .map((folder) => ({ ...folder, at: rest.toLowerCase().indexOf(basename(folder.path).toLowerCase()) }))
      .sort((one, other) => one.at - other.at);
    for (const { kind, path, project } of places) {
      const token = number(kind, path);
      rest = rest.replace(project, `<project of ${token.slice(1)}`);
      rest = rest.replaceAll(path, token).replaceAll(basename(path), token);
    }
    rest = rest.replaceAll(root, '<root>');
    const others = new RegExp(`${temporary.replace(/[^\w/]/g, '\\$&')}(?:/[\\w.-]+)?`, 'g');
    rest = rest.replace(others, (path) => number('temporary', path));
    // A session of a few seconds may cross a minute.
    rest = rest.replace(
      /(\d{4}-\d\d-\d\d \d\d:\d\d) UTC to \d{4}-\d\d-\d\d \d\d:\d\d UTC/g,
      (span, from: string) => (isOfTheseDays(Date.parse(isoOf(from))) ? `${from} UTC to ${from} UTC` : span),
    );
    rest = rest.replace(isoTimes, (time) =>
      isOfTheseDays(Date.parse(isoOf(time))) ? number('time', time) : time,
    );
    rest = rest.replace(epochTimes, (time) =>
      isOfTheseDays(Number(time) * (time.length === 10 ? 1_000 : 1)) ? number('time', time) : time,
    );
    rest = rest.replace(ids, (id) => (isKnown(id) ? id : number('id', id)));
    if (options.durations !== 'kept') {
      rest = rest.replace(durationFields, '$1<duration>');
      rest = rest.replace(durations, '<duration>$1$2');
    }
    rest = rest.replace(ports, (port) => number('port', port));
    rest = rest.replace(processes, '$1<process>');
    rest = rest.replaceAll(process.version, 'v<node>').replace(jsonPlaces, '');
    rest = rest.replace(
      new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.]\\d)`, 'g'),
      '<version>',
    );
    return rest.replace(controls, pictureOf);
  };
  /** A short id is known if it begins a known one. */
  const isKnown = (id: string) => known.has(id) || [...known].some((whole) => whole.startsWith(id));
  return { learn, learnFolder, normalise };
}

/** A control character that a reader of a diff can see. */
function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `<${code.toString(16)}>`;
}

/** Gives each value of a kind its number. */
function counter(): (kind: string, value: string) => string {
  const seen = new Map<string, string[]>();
  return (kind, value) => {
    const values = seen.get(kind) ?? [];
    seen.set(kind, values);
    if (!values.includes(value)) values.push(value);
    return `<${kind} ${values.indexOf(value) + 1}>`;
  };
}

/** A time as ISO writes it, also from one in a file name. */
function isoOf(time: string): string {
  const [date = '', clock = ''] = [time.slice(0, 10), time.slice(10)];
  const digits = clock
    .replace(/^(?:T|, | |_)/, '')
    .replace(/(?:Z|\+00:00)$/, '')
    .replaceAll('-', ':');
  if (digits === '') return `${date}T12:00:00Z`;
  const [hours = '', minutes = '', seconds = '00'] = digits.split(/[:.]/);
  return `${date}T${hours}:${minutes}:${seconds}Z`;
}

function isOfTheseDays(time: number): boolean {
  return Math.abs(time - Date.now()) < 2 * day;
}
