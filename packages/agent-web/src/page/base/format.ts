import { plural } from '@robota-sdk/agent-export/page';

export { clock, plural, shortCount } from '@robota-sdk/agent-export/page';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A span as `4 s`, `6 min`, `2 h` or `3 d`. */
export function shortSpan(milliseconds: number): string {
  if (milliseconds < 2 * second) return 'now';
  if (milliseconds < minute) return `${Math.floor(milliseconds / second)} s`;
  if (milliseconds < hour) return `${Math.floor(milliseconds / minute)} min`;
  if (milliseconds < 2 * day) return `${Math.floor(milliseconds / hour)} h`;
  return `${Math.floor(milliseconds / day)} d`;
}

/** A span as `1 min 12 s`, for something that is counted while it runs. */
export function runSpan(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / second));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A span in words: `6 minutes`. */
export function spokenSpan(milliseconds: number): string {
  if (milliseconds < minute) return plural(Math.max(1, Math.floor(milliseconds / second)), 'second');
  if (milliseconds < hour) return plural(Math.floor(milliseconds / minute), 'minute');
  if (milliseconds < 2 * day) return plural(Math.floor(milliseconds / hour), 'hour');
  return plural(Math.floor(milliseconds / day), 'day');
}

/** Dollars with two digits, more for less than a cent; empty if unknown. */
export function dollars(cost: number | null): string {
  if (cost === null) return '';
  const digits = cost > 0 && cost < 0.01 ? 4 : 2;
  return `$${cost.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** The last folder of a directory, which names the project. */
export function projectOf(cwd: string): string {
  return cwd.split(/[\\/]/).filter(Boolean).at(-1) ?? cwd;
}

/** A path as it is seen from a directory; paths outside of it stay whole. */
export function pathWithin(cwd: string, path: string): string {
  const inside = path.startsWith(cwd) ? path.slice(cwd.length) : path;
  return inside !== path && /^[\\/]/.test(inside) ? inside.slice(1) : path;
}

/** A sentence, whatever it began with; code keeps its letters. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A line of Markdown without its marks for code and stress. A line that opens a block of code says nothing. */
export function plainLine(line: string): string {
  if (/^(?:```|~~~)/.test(line.trim())) return '';
  return line
    .replace(/`|\*\*/g, '')
    .trimEnd()
    .replace(/(?:…|\.\.\.) ?…$/, '…');
}

/** The model without its vendor: `sonnet-4-6`. */
export function modelName(model: string): string {
  return model.slice(model.indexOf('/') + 1).replace(/^claude-/, '');
}
