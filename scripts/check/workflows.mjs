import { parse as parseShell } from 'unbash';
import { LineCounter, parseDocument } from 'yaml';

/**
 * @typedef {Record<string, any>} Node What a YAML file holds.
 * @typedef {{ text: string, files: ReadonlyMap<string, string>, scripts: ReadonlySet<string>, tools: ReadonlySet<string>, version: string }} Source
 * @typedef {{ value: string, message: string }} Finding A problem, and the text that it is found at.
 * @typedef {{ names: ReadonlyMap<string, ReadonlySet<string>>, isAction: boolean }} Scope What expressions may name, by context.
 */

/** The inputs of the actions in use, in the versions that are pinned. */
const actionInputs = new Map(
  Object.entries({
    'actions/checkout': ['fetch-depth', 'persist-credentials', 'ref'],
    'actions/setup-node': ['node-version', 'registry-url'],
    'actions/upload-artifact': ['name', 'path', 'if-no-files-found'],
    'actions/upload-pages-artifact': ['path'],
    'actions/deploy-pages': [],
  }).map(([name, inputs]) => [name, new Set(inputs)]),
);
const ownAction = 'robota-sdk/robota/action';
const runners = new Set([
  'ubuntu-latest',
  'ubuntu-24.04',
  'ubuntu-24.04-arm',
  'macos-latest',
  'windows-latest',
]);
const events = new Set(['push', 'pull_request', 'workflow_dispatch', 'schedule']);
const inputTypes = new Set(['boolean', 'string', 'choice', 'number', 'environment']);
const scopes = new Set(['contents', 'id-token', 'pages', 'pull-requests', 'issues', 'actions', 'checks']);
const functions = new Set(['always', 'failure', 'success', 'cancelled', 'hashFiles', 'format', 'contains']);
/** Programs that runners have. Others must be files of the repository. */
const programs = new Set(['apt-get', 'git', 'npm']);
const keys = {
  workflow: new Set(['name', 'on', 'permissions', 'concurrency', 'env', 'jobs']),
  job: new Set(
    'name needs if runs-on permissions environment concurrency strategy timeout-minutes env steps'.split(' '),
  ),
  step: new Set('id name if uses with run env shell working-directory continue-on-error'.split(' ')),
  form: new Set(['name', 'description', 'title', 'labels', 'assignees', 'body']),
};
const fields = new Set(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']);

/**
 * Workflows, the action and the issue forms hold only what GitHub knows, call only what exists, and pin what they use.
 * @param {import('./project.mjs').Project} project
 */
export function checkWorkflows(project) {
  const manifest = JSON.parse(project.files.get('package.json') ?? '{}');
  const scripts = new Set(Object.keys(manifest.scripts ?? {}));
  return [...project.files].flatMap(([file, text]) => {
    const find = finderOf(file);
    if (!find) return [];
    const lineCounter = new LineCounter();
    const document = parseDocument(text, { lineCounter });
    if (document.errors.length > 0)
      return document.errors.map(({ message, linePos }) => ({ file, line: linePos?.[0].line ?? 1, message }));
    const known = { scripts, tools: new Set(Object.keys(manifest.devDependencies ?? {})) };
    const source = { text, files: project.files, ...known, version: manifest.version ?? '' };
    return find(document.toJS(), source).map(({ value, message }) => ({
      file,
      line: lineOf(text, value),
      message: `${value}: ${message}`,
    }));
  });
}

/** @returns {((node: Node, source: Source) => Finding[]) | undefined} */
function finderOf(/** @type {string} */ file) {
  if (/^(?:\.github\/workflows|examples\/github-action)\/[^/]+\.ya?ml$/.test(file)) return findInWorkflow;
  if (file === 'action/action.yml') return findInAction;
  if (/^\.github\/ISSUE_TEMPLATE\/(?!config)[^/]+\.ya?ml$/.test(file)) return findInForm;
  return undefined;
}

function lineOf(/** @type {string} */ text, /** @type {string} */ value) {
  const at = text.indexOf(value);
  return at < 0 ? 1 : text.slice(0, at).split('\n').length;
}

/** @type {(node: Node, source: Source) => Finding[]} */
function findInWorkflow(workflow, source) {
  const { on = {}, permissions, jobs = {} } = workflow;
  const triggers = typeof on === 'string' ? { [on]: null } : on;
  const inputs = triggers.workflow_dispatch?.inputs ?? {};
  return [
    ...unknown(workflow, keys.workflow),
    ...unknown(triggers, events),
    ...Object.entries(inputs)
      .filter(([, { type }]) => !inputTypes.has(type))
      .map(([value]) => ({ value, message: 'the input has no known type' })),
    ...(triggers.schedule ?? [])
      .filter((/** @type {Node} */ { cron }) => !/^(?:[\d*/,-]+ ){4}[\d*/,-]+$/.test(String(cron)))
      .map((/** @type {Node} */ { cron }) => ({ value: String(cron), message: 'is no time of cron' })),
    ...(permissions
      ? rightsProblems(permissions)
      : [{ value: 'jobs', message: 'needs "permissions" above' }]),
    ...Object.entries(jobs).flatMap(([name, job]) => findInJob(name, job, { jobs, inputs, source })),
  ];
}

function rightsProblems(/** @type {Node} */ permissions) {
  return [
    ...unknown(permissions, scopes),
    ...Object.entries(permissions)
      .filter(([, right]) => !['read', 'write', 'none'].includes(right))
      .map(([value]) => ({ value, message: 'is neither read, write nor none' })),
  ];
}

/** @type {(name: string, job: Node, around: { jobs: Node, inputs: Node, source: Source }) => Finding[]} */
function findInJob(name, job, { jobs, inputs, source }) {
  const { strategy = {}, steps = [], needs = [] } = job;
  const { include = [], ...matrix } = strategy.matrix ?? {};
  const scope = {
    isAction: false,
    names: new Map([
      ['matrix', new Set([...Object.keys(matrix), ...include.flatMap(Object.keys)])],
      ['inputs', new Set(Object.keys(inputs))],
      ['steps', new Set(steps.map((/** @type {Node} */ { id }) => id).filter(Boolean))],
      ['needs', new Set([needs].flat())],
    ]),
  };
  const machines = [job['runs-on']]
    .flat()
    .flatMap((each) => (/^\$\{\{ matrix\.os \}\}$/.test(each) ? (matrix.os ?? []) : each));
  return [
    ...unknown(job, keys.job),
    ...[needs].flat().flatMap((value) => (value in jobs ? [] : { value, message: 'is no job' })),
    ...machines.flatMap((value) => (runners.has(value) ? [] : { value, message: 'is no known runner' })),
    ...(job['timeout-minutes'] > 0 ? [] : [{ value: name, message: 'the job needs "timeout-minutes"' }]),
    ...(job.permissions ? rightsProblems(job.permissions) : []),
    ...expressionProblems({ ...job, steps: undefined }, scope),
    ...steps.flatMap((/** @type {Node} */ step) => findInStep(step, { scope, source })),
  ];
}

/** @type {(step: Node, around: { scope: Scope, source: Source }) => Finding[]} */
function findInStep(step, { scope, source }) {
  const { uses, run, shell } = step;
  const value = String(uses ?? run ?? step.name);
  if ((uses === undefined) === (run === undefined))
    return [{ value, message: 'a step has either "uses" or "run"' }];
  return [
    ...unknown(step, keys.step),
    ...expressionProblems(step, scope),
    ...(uses === undefined ? shellProblems(run, source) : useProblems(step, source)),
    ...(scope.isAction && run !== undefined && shell === undefined
      ? [{ value, message: 'a step of an action names its shell' }]
      : []),
  ];
}

/** Actions are pinned to a commit, with the version beside it, and get only inputs that they have. */
function useProblems(/** @type {Node} */ { uses, with: given = {} }, /** @type {Source} */ source) {
  const [name = '', version = ''] = String(uses).split('@');
  if (name === ownAction) {
    return version === `v${source.version}` ? [] : [{ value: uses, message: `is not v${source.version}` }];
  }
  const inputs = actionInputs.get(name);
  const line = source.text.split('\n').find((each) => each.includes(uses)) ?? '';
  const isPinned = /^[\da-f]{40}$/.test(version) && /# v\d+\.\d+\.\d+$/.test(line);
  return [
    ...(inputs
      ? unknown(given, inputs)
      : [{ value: uses, message: 'the action is not in the table of checks' }]),
    ...(isPinned
      ? []
      : [{ value: uses, message: 'pin it to a commit, and name its version: @SHA # v1.2.3' }]),
  ];
}

/** Commands parse, call scripts and files that exist, and hold no text that others may choose. */
function shellProblems(/** @type {string} */ run, /** @type {Source} */ source) {
  const [first = ''] = run.split('\n');
  if (run.includes('${{')) return [{ value: first, message: 'pass values by "env", never inside a command' }];
  const { errors = [] } = /** @type {Node} */ (parseShell(run));
  return [
    ...errors.map((/** @type {Node} */ { message }) => ({ value: first, message })),
    ...callsOf(run).flatMap((words) => {
      const message = callProblem(words, source);
      return message === undefined ? [] : { value: words.join(' '), message };
    }),
  ];
}

/** The commands of a script, without what only changes how they are run. */
function callsOf(/** @type {string} */ run) {
  return run
    .split(/\n|&&|\|\||;/)
    .map((line) => line.trim().split(/\s+/))
    .map((words) => words.slice(words.findIndex((word) => !/^(?:sudo|env|"?\w+=.*)$/.test(word))))
    .filter(([program = '']) => program !== '');
}

/** @type {(words: string[], source: Source) => string | undefined} */
function callProblem([program = '', verb = '', name = ''], { files, scripts, tools }) {
  const isFileCall = ['bash', 'node'].includes(program);
  const file = verb.replaceAll('"', '').replace('$GITHUB_ACTION_PATH', 'action');
  const [, tool = ''] = /^node_modules\/([^/]+)\//.exec(file) ?? [];
  if (isFileCall) return files.has(file) || tools.has(tool) ? undefined : `there is no ${file}`;
  if (!programs.has(program)) return `${program} is no known program`;
  if (program !== 'npm' || ['ci', 'install', 'publish'].includes(verb)) return undefined;
  const script = verb === 'run' ? name : verb;
  return scripts.has(script) ? undefined : `there is no script ${script}`;
}

/** @type {(node: unknown, scope: Scope) => Finding[]} */
function expressionProblems(node, { names, isAction }) {
  const text = JSON.stringify(node) ?? '';
  return [...text.matchAll(/\$\{\{(.*?)\}\}/g)].flatMap(([, code = '']) => {
    const words = code.replaceAll(/'[^']*'/g, '').matchAll(/([A-Za-z_][\w-]*)(\()?((?:\.[\w-]+)*)/g);
    return [...words].flatMap(([word, context = '', call, rest = '']) => {
      const [, name = ''] = rest.split('.');
      if (call) return functions.has(context) ? [] : { value: word, message: 'is no function' };
      if (['true', 'false', 'github', 'runner', 'env'].includes(context)) return [];
      if (context === 'secrets' && !isAction) return [];
      return names.get(context)?.has(name) ? [] : { value: word, message: 'is defined nowhere' };
    });
  });
}

/** @type {(action: Node, source: Source) => Finding[]} */
function findInAction({ inputs = {}, outputs = {}, runs = {}, ...rest }, source) {
  const steps = runs.steps ?? [];
  const scope = {
    isAction: true,
    names: new Map([
      ['inputs', new Set(Object.keys(inputs))],
      ['steps', new Set(steps.map((/** @type {Node} */ { id }) => id).filter(Boolean))],
    ]),
  };
  const version = inputs.version?.default;
  return [
    ...unknown(rest, new Set(['name', 'description', 'author', 'branding'])),
    ...(runs.using === 'composite' ? [] : [{ value: 'runs', message: 'is not a composite action' }]),
    ...(version === source.version ? [] : [{ value: String(version), message: `is not ${source.version}` }]),
    ...expressionProblems([inputs, outputs], scope),
    ...steps.flatMap((/** @type {Node} */ step) => findInStep(step, { scope, source })),
  ];
}

/** @type {(form: Node) => Finding[]} */
function findInForm(form) {
  const { name, description, body = [] } = form;
  const ids = body.map((/** @type {Node} */ { id }) => id).filter(Boolean);
  return [
    ...unknown(form, keys.form),
    ...(name && description && body.length > 0
      ? []
      : [{ value: 'name', message: 'the form is not complete' }]),
    ...body.flatMap((/** @type {Node} */ { type, attributes = {} }) =>
      fields.has(type) && (attributes.label || (type === 'markdown' && attributes.value))
        ? []
        : { value: String(type), message: 'is no field, or has no label' },
    ),
    ...ids
      .filter((/** @type {string} */ id, /** @type {number} */ at) => ids.indexOf(id) !== at)
      .map((/** @type {string} */ value) => ({ value, message: 'two fields have this id' })),
  ];
}

/** @type {(node: Node, known: ReadonlySet<string>) => Finding[]} */
function unknown(node, known) {
  return Object.keys(node ?? {}).flatMap((value) =>
    known.has(value) ? [] : { value, message: 'is not known here' },
  );
}
