import { vi } from 'vitest';

/** How long tests wait for a condition: as long as a busy machine may need. One that never comes true fails the test. */
const patienceMs = 30_000;

// Files share a process, in which this runs for each of them.
const marked: typeof vi & { hasPatience?: boolean } = vi;
if (marked.hasPatience !== true) {
  marked.hasPatience = true;
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (check, options) => waitFor(check, patient(options));
  vi.waitUntil = (check, options) => waitUntil(check, patient(options));
}

type Options = Parameters<typeof vi.waitFor>[1];

function patient(options: Options): Options {
  return typeof options === 'number' ? options : { timeout: patienceMs, ...options };
}
