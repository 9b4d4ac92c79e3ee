import { posix } from 'node:path';
import { isCode, isFixture, isSuite, isTest, packageOf } from './project.mjs';

/**
 * Allowed imports between packages. `lazy` ones are loaded by `import()` only, so that they cost nothing
 * until used.
 * A bundled package contains what it uses, so that it is installed alone.
 * @type {Record<string, { uses: string[], lazy?: string[], isBundled?: boolean }>}
 */
const packages = {
  xnl: { uses: [] },
  'agent-diff': { uses: [] },
  'agent-shell': { uses: [] },
  'agent-http': { uses: [] },
  'agent-core': { uses: ['agent-diff', 'agent-shell', 'agent-http'] },
  'agent-tui': { uses: ['agent-diff'] },
  'agent-provider-anthropic': { uses: ['agent-core'] },
  'agent-provider-openai': { uses: ['agent-core'] },
  'agent-provider-google': { uses: ['agent-core'] },
  'agent-provider-offline': { uses: ['agent-core'] },
  'agent-cloud': { uses: ['agent-core', 'agent-http'] },
  'agent-tools': { uses: ['agent-core', 'agent-diff', 'agent-http'] },
  'agent-tool-mcp': { uses: ['agent-core', 'agent-http'] },
  'agent-plugin-wasm': { uses: ['agent-core', 'agent-http'] },
  'agent-sessions': { uses: ['agent-core'] },
  'agent-review': { uses: ['agent-core', 'agent-diff', 'agent-sessions'] },
  'agent-export': { uses: ['agent-core', 'agent-diff', 'agent-sessions', 'agent-tui', 'xnl'] },
  'agent-import': { uses: ['agent-core', 'agent-sessions', 'xnl'] },
  'agent-config': { uses: ['agent-core', 'agent-diff', 'agent-sessions', 'agent-tools'] },
  'agent-models': {
    uses: ['agent-core', 'agent-config', 'agent-http', 'agent-sessions', 'xnl'],
    lazy: [
      'agent-cloud',
      'agent-provider-anthropic',
      'agent-provider-openai',
      'agent-provider-google',
      'agent-provider-offline',
    ],
  },
  'agent-resources': {
    uses: ['agent-core', 'agent-config', 'agent-http', 'agent-sessions', 'agent-tools'],
    lazy: ['agent-tool-mcp', 'agent-plugin-wasm'],
  },
  'agent-usage': { uses: ['agent-core', 'agent-sessions'] },
  'agent-worktree': { uses: ['agent-core', 'agent-resources', 'agent-sessions'] },
  'agent-admin': {
    uses: ['agent-core', 'agent-config', 'agent-resources'],
    lazy: ['agent-tool-mcp', 'agent-plugin-wasm'],
  },
  'agent-sdk': {
    uses: [
      'agent-core',
      'agent-diff',
      'agent-sessions',
      'agent-review',
      'agent-tools',
      'xnl',
      'agent-export',
      'agent-import',
      'agent-config',
      'agent-models',
      'agent-resources',
      'agent-admin',
      'agent-usage',
      'agent-worktree',
    ],
    lazy: ['agent-tool-mcp'],
  },
  'agent-transport-headless': { uses: ['agent-core', 'agent-sdk'] },
  'agent-transport-acp': { uses: ['agent-sdk', 'agent-tui'] },
  'agent-transport-mcp': { uses: ['agent-sdk'] },
  'agent-fleet': { uses: ['agent-core', 'agent-sdk', 'agent-sessions', 'agent-tui'] },
  'agent-link': { uses: ['agent-core', 'agent-sdk'] },
  'agent-web': {
    uses: [
      'agent-core',
      'agent-diff',
      'agent-export',
      'agent-link',
      'agent-review',
      'agent-sdk',
      'agent-sessions',
      'agent-usage',
    ],
    lazy: ['agent-fleet'],
  },
  'agent-screen': { uses: ['agent-sdk', 'agent-sessions', 'agent-tui'], lazy: ['agent-link'] },
  'agent-cli': {
    uses: ['agent-sdk', 'agent-sessions', 'agent-tui', 'agent-transport-headless', 'agent-screen'],
    lazy: ['agent-transport-acp', 'agent-transport-mcp', 'agent-fleet', 'agent-web'],
    isBundled: true,
  },
  'agent-testing': { uses: ['agent-core'] },
};

const scope = '@robota-sdk/';
const testing = 'agent-testing';

/**
 * Packages depend on each other in one direction, in their imports and in their manifests.
 * @param {import('./project.mjs').Project} project
 */
export function checkDirection(project) {
  return [...project.files.keys()].flatMap((file) => {
    const owner = packageOf(file);
    if (!owner) return [];
    if (file === `packages/${owner}/package.json`) return manifestProblems(project, owner);
    if (!isCode(file) || !file.startsWith(`packages/${owner}/src/`)) return [];
    return project.parse(file).imports.flatMap((entry) => {
      const message = importProblem({ ...entry, file, owner });
      return message ? { file, line: entry.line, message } : [];
    });
  });
}

/** @param {{ file: string, owner: string, specifier: string, lazy: boolean }} entry */
function importProblem({ file, owner, specifier, lazy }) {
  if (specifier.startsWith('.')) return relativeProblem({ file, owner, specifier });
  if (!specifier.startsWith(scope)) return undefined;
  const target = String(specifier.slice(scope.length).split('/')[0]);
  if (target === owner) return 'a package imports its own files by relative path';
  if (target === testing) return isTest(file) ? undefined : `${testing} is for tests only`;
  const rule = packages[owner];
  if (!rule) return `${owner} has no line in the table of scripts/check/direction.mjs`;
  if (rule.uses.includes(target)) return undefined;
  if (!rule.lazy?.includes(target))
    return `${owner} may not import ${target} (table in scripts/check/direction.mjs)`;
  return lazy ? undefined : `${owner} loads ${target} by import() only, where it is first used`;
}

/** @param {{ file: string, owner: string, specifier: string }} entry */
function relativeProblem({ file, owner, specifier }) {
  const target = posix.join(posix.dirname(file), specifier);
  const isShared = isTest(file) && (isFixture(target) || isSuite(target));
  if (!target.startsWith(`packages/${owner}/`) && !isShared) {
    return 'another package is imported by its name, not by a relative path';
  }
  if (/\.(tsx?|json|mjs)$/.test(specifier)) return undefined;
  return 'a relative import names the file with its extension, such as ./name.ts';
}

function manifestProblems(
  /** @type {import('./project.mjs').Project} */ project,
  /** @type {string} */ owner,
) {
  const file = `packages/${owner}/package.json`;
  const rule = packages[owner];
  if (!rule) return [{ file, line: 1, message: `add ${owner} to the table in scripts/check/direction.mjs` }];
  const manifest = JSON.parse(project.files.get(file) ?? '{}');
  const needed = namesOf({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
    ...(rule.isBundled ? manifest.devDependencies : {}),
  });
  const allowed = [...rule.uses, ...(rule.lazy ?? [])];
  const messages = needed
    .filter((name) => !allowed.includes(name))
    .map((name) => `${owner} may not depend on ${name} (table in scripts/check/direction.mjs)`);
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  if (rule.isBundled && installed.length > 0)
    messages.push(`${owner} is bundled: ${installed.join(', ')} belongs to its devDependencies`);
  for (const name of rule.isBundled ? [] : namesOf(manifest.devDependencies)) {
    if (name !== testing) messages.push(`${owner} may not depend on ${name}, not even for development`);
  }
  return [
    ...messages.map((message) => ({ file, line: 1, message })),
    ...referenceProblems(project, owner, needed),
  ];
}

/** The build order comes from the references in tsconfig.json, so they follow the dependencies. */
function referenceProblems(
  /** @type {import('./project.mjs').Project} */ project,
  /** @type {string} */ owner,
  /** @type {string[]} */ needed,
) {
  const file = `packages/${owner}/tsconfig.json`;
  const { references = [] } = JSON.parse(project.files.get(file) ?? '{}');
  /** @type {string[]} */
  const listed = references.map((/** @type {{ path: string }} */ { path }) => posix.basename(path));
  const missing = needed
    .filter((name) => !listed.includes(name))
    .map((name) => `add a reference to ../${name}`);
  const extra = listed
    .filter((name) => !needed.includes(name))
    .map((name) => `drop the reference to ../${name}, or add it to the dependencies`);
  return [...missing, ...extra].map((message) => ({ file, line: 1, message }));
}

function namesOf(/** @type {Record<string, string> | undefined} */ dependencies) {
  return Object.keys(dependencies ?? {})
    .filter((name) => name.startsWith(scope))
    .map((name) => name.slice(scope.length));
}
