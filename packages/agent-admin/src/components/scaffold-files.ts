import { pluginKit, pluginSource, pluginTest } from './scaffold-sources.ts';

export interface ScaffoldOptions {
  readonly name: string;
  readonly wit: string;
  readonly witVersion: string;
}

/** The files of a new WebAssembly extension, by their paths. */
export function scaffoldFiles({ name, wit, witVersion }: ScaffoldOptions): Readonly<Record<string, string>> {
  return {
    'package.json': json({
      name,
      version: '0.1.0',
      private: true,
      type: 'module',
      scripts: { build: 'node build.mjs', test: 'node --test test/plugin.test.mjs' },
      devDependencies: { '@bytecodealliance/componentize-js': '0.19.3', esbuild: '0.28.2' },
      overrides: { '@bytecodealliance/jco': '1.17.9', binaryen: '123.0.0' },
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'bundler',
        strict: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        types: [],
      },
      include: ['src'],
    }),
    '.gitignore': 'node_modules/\ndist/\n',
    [`${name}.json`]: json({ config: { greeting: 'Hello' }, limits: { memory: 128, time: 10 } }),
    'wit/plugin.wit': wit,
    'build.mjs': build(name),
    'src/plugin.ts': pluginSource(name),
    'src/robota.ts': pluginKit(witVersion),
    'src/host.d.ts': hostTypes(witVersion),
    'test/plugin.test.mjs': pluginTest,
    'README.md': readme(name),
  };
}

function build(name: string): string {
  return `// Bundles src/plugin.ts and makes a WebAssembly component of it: dist/${name}.wasm, with its manifest beside it.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { componentize } from '@bytecodealliance/componentize-js';
import { build } from 'esbuild';

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname);
const { outputFiles } = await build({
  entryPoints: ['src/plugin.ts'],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  external: ['robota:*'],
  write: false,
});
const { component } = await componentize(outputFiles[0].text, {
  witWorld: await readFile('wit/plugin.wit', 'utf8'),
  worldName: 'robota-plugin-with-self-test',
  // Network goes through the host, where it has to be granted.
  disableFeatures: ['http', 'fetch-event'],
});
await mkdir('dist', { recursive: true });
await writeFile('dist/${name}.wasm', component);
await copyFile('${name}.json', 'dist/${name}.json');
console.log(\`dist/${name}.wasm: \${(component.length / 1024 / 1024).toFixed(1)} MB\`);
`;
}

function hostTypes(version: string): string {
  return `declare module 'robota:plugin/host@${version}' {
  export interface Request {
    method: string;
    url: string;
    headers: [string, string][];
    body?: Uint8Array;
  }
  export interface Response {
    status: number;
    headers: [string, string][];
    body: Uint8Array;
  }
  export function config(): string;
  export function log(text: string): void;
  export function environment(name: string): string | undefined;
  export function readFile(path: string): Uint8Array;
  export function writeFile(path: string, content: Uint8Array): void;
  export function listFiles(path: string): string[];
  export function fetch(request: Request): Response;
}
`;
}

function readme(name: string): string {
  return `# ${name}

A WebAssembly extension for Robota.

\`\`\`sh
npm install
npm test                                    # runs the tools in Node, without WebAssembly
npm run build                               # dist/${name}.wasm, some seconds
robota plugin install dist/${name}.wasm     # shows what it adds and asks for, then copies it to ~/.robota/extensions
\`\`\`

| file | |
|---|---|
| \`src/plugin.ts\` | the tools and commands: begin here |
| \`src/robota.ts\` | makes them fit the interface, and gives access to the host |
| \`wit/plugin.wit\` | the interface |
| \`${name}.json\` | what it asks for (\`grants\`), its \`limits\` and its \`config\` |

Without grants it has no files, no network and no variables. To read the \`docs\` of a project and ask one server:

\`\`\`json
{ "grants": { "files": ["docs", { "path": "out", "access": "write" }], "network": ["api.example.com"], "env": ["LANG"] } }
\`\`\`
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
