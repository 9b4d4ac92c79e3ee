/** The file that a worker runs. Not every Node reads TypeScript: from the sources, the built file is run. */
export function workerFile(name: 'plugin-worker' | 'transpile-worker'): URL {
  const here = import.meta.url;
  if (here.endsWith('.ts')) return new URL(`../../dist/worker/${name}.js`, here);
  return new URL(`./${name}${here.slice(here.lastIndexOf('.'))}`, here);
}
