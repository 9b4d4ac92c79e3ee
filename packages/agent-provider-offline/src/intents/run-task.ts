import { isJsonObject, parseJson } from '@robota-sdk/agent-core';
import {
  type CallResult,
  failed,
  type Plan,
  type PlanAnswer,
  type PlannedCall,
  type Steps,
} from '../engine/plan.ts';
import { parseFile, parsePaths } from '../engine/tool-output.ts';
import type { Intent } from './intent.ts';
import { run } from './run-command.ts';

type Task = 'test' | 'build' | 'lint';

const taskTimeout = 600_000;
const project = '(project|code|repo|app|it|everything|package)';
const how = '{how:word} (do|can|should) (i|we|you)';

/** "run the tests": finds out how this project does it. */
export const runTestsIntent: Intent = {
  name: 'run the tests',
  examples: ['run the tests'],
  patterns: [
    '(run|execute|start) [unit] (tests|test|test suite|specs|suite)',
    `test [${project}]`,
    '(do|does|are|is) [unit] (tests|test|suite|test suite) (pass|passing|green|ok|working)',
    '(check|see) (if|whether|that) [unit] tests pass',
    `${how} [(run|execute|start)] [unit] (tests|test|test suite) [(this|${project})]`,
  ],
  plan: ({ how }) => (how === undefined ? runDetected('test') : tellDetected('test')),
};

/** "build the project". */
export const runBuildIntent: Intent = {
  name: 'build',
  examples: ['build the project'],
  patterns: [
    '(run|do|start) build',
    `(build|compile) [${project}]`,
    `${how} (build|compile) [(this|${project})]`,
  ],
  plan: ({ how }) => (how === undefined ? runDetected('build') : tellDetected('build')),
};

/** "run the linter". */
export const runLintIntent: Intent = {
  name: 'lint',
  examples: ['run the linter'],
  patterns: ['(run|do) (linter|lint)', `lint [${project}]`],
  plan: () => runDetected('lint'),
};

/** "run typecheck": a script of package.json by its name. */
export const runScriptIntent: Intent = {
  name: 'run a script',
  examples: [],
  patterns: ['run [script] {name:name} [script]'],
  plan: ({ name = '' }) => runNamed(name),
};

interface Recipe {
  readonly file: string;
  readonly commands: Readonly<Partial<Record<Task, string>>>;
}

const recipes: readonly Recipe[] = [
  { file: 'Cargo.toml', commands: { test: 'cargo test', build: 'cargo build', lint: 'cargo clippy' } },
  { file: 'go.mod', commands: { test: 'go test ./...', build: 'go build ./...', lint: 'go vet ./...' } },
  { file: 'pyproject.toml', commands: { test: 'python3 -m pytest -q' } },
  { file: 'pytest.ini', commands: { test: 'python3 -m pytest -q' } },
  { file: 'setup.py', commands: { test: 'python3 -m pytest -q' } },
  { file: 'tox.ini', commands: { test: 'python3 -m pytest -q' } },
  { file: 'pom.xml', commands: { test: 'mvn -q test', build: 'mvn -q package' } },
  { file: 'build.gradle', commands: { test: 'gradle test', build: 'gradle build' } },
  { file: 'deno.json', commands: { test: 'deno test', lint: 'deno lint' } },
];

function* runDetected(task: Task): Plan {
  const command = yield* detect(task);
  return command === undefined ? unknownTask(task) : yield* run(command, taskTimeout);
}

/** Names the command without running it. */
function* tellDetected(task: Task): Plan {
  const command = yield* detect(task);
  return command === undefined
    ? unknownTask(task)
    : { text: `Run \`${command}\`, or ask me: "run ${command}".` };
}

function unknownTask(task: Task): PlanAnswer {
  const known = ['package.json', 'Makefile', ...recipes.map((recipe) => recipe.file)].join(', ');
  return failed(
    `I found no way to ${task} this project: none of ${known} says how. Tell me the command: "run …".`,
  );
}

function* detect(task: Task): Steps<string | undefined> {
  const calls: PlannedCall[] = [
    { tool: 'Glob', input: { pattern: '*' } },
    { tool: 'Read', input: { file_path: 'package.json' } },
    { tool: 'Read', input: { file_path: 'Makefile' } },
  ];
  const [listing, manifest, makefile] = yield { calls };
  if (manifest && scriptsOf(manifest).includes(task)) return task === 'test' ? 'npm test' : `npm run ${task}`;
  if (makefile && !makefile.isError && targetsOf(makefile).includes(task)) return `make ${task}`;
  const files = listing ? parsePaths(listing).paths : [];
  return recipes.find((recipe) => files.includes(recipe.file) && recipe.commands[task])?.commands[task];
}

function* runNamed(name: string): Plan {
  const [manifest] = yield { calls: [{ tool: 'Read', input: { file_path: 'package.json' } }] };
  const isScript = manifest !== undefined && scriptsOf(manifest).includes(name);
  return yield* run(isScript ? `npm run ${name}` : name);
}

function scriptsOf(manifest: CallResult): readonly string[] {
  if (manifest.isError) return [];
  const value = parseJson(parseFile(manifest).lines.join('\n'));
  return isJsonObject(value) && isJsonObject(value.scripts) ? Object.keys(value.scripts) : [];
}

function targetsOf(makefile: CallResult): readonly string[] {
  return parseFile(makefile).lines.flatMap((line) => /^([\w-]+):(?!=)/.exec(line)?.[1] ?? []);
}
