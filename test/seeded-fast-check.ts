import fc from '../node_modules/fast-check/lib/fast-check.js';

// Property tests try the same cases at every run, so that a run tells of the change at hand and not of luck.
// `PROPERTY_SEED=random` looks for new ones, `PROPERTY_SEED=NUMBER` tries those of another run again.
const wanted = process.env['PROPERTY_SEED'] ?? '1';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });

// biome-ignore lint/style/noDefaultExport: it stands in for a module that has one.
export default fc;
// biome-ignore lint/performance/noReExportAll: all of that module.
export * from '../node_modules/fast-check/lib/fast-check.js';
