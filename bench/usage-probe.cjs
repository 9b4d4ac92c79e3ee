// Preloaded into a measured program (both sides alike): on exit it writes what only the process itself can know.
'use strict';
process.on('exit', () => {
  const { maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.BENCH_USAGE_FILE, String(maxRSS));
});
