import { isCode, isFixture, isTest, packageOf } from './project.mjs';

const vague = /(^|-)(utils?|helpers?|managers?|misc)$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const typeName = /^(?:export )?(?:abstract )?(?:interface|class|type) (\w+)/;
const vagueType = /(?:Place|Desk|Parts|Surroundings|Words|Given)$/;
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) \w+(?! = import\()\b/;
/** Pages run in a browser, and agent-testing only in tests: they are programs with names of their own. */
const otherProgram = /^packages\/(?:agent-testing\/|[^/]+\/src\/page\/)/;

/**
 * Names that may be exported by several files, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
const shared = {
  Answer: 'the public form of the answer in agent-core, with ids',
  Question: 'the public form of the question in agent-core, with ids',
  createSubagentSession: 'the older SDK had the function under this name',
  openSessionStore: 'one loads the other on demand',
};

/**
 * A name says what is inside, and there is one way to spell it.
 * @param {import('./project.mjs').Project} project
 */
export function checkNames(project) {
  const files = [...project.files.keys()].filter(
    (file) => /^(packages|scripts|test|bench)\//.test(file) && !isFixture(file),
  );
  return [
    ...files.flatMap((file) => [
      ...problemsOf(file).map((message) => ({ file, line: 1, message })),
      ...vagueTypes(file, project.files.get(file) ?? ''),
    ]),
    ...repeatedNames(project, files),
  ];
}

/** One name has one meaning, so that a search finds one declaration. */
function repeatedNames(
  /** @type {import('./project.mjs').Project} */ project,
  /** @type {readonly string[]} */ files,
) {
  /** @type {Map<string, string>} */
  const known = new Map();
  return files.flatMap((file) => {
    if (!isCode(file) || isTest(file) || packageOf(file) === undefined || otherProgram.test(file)) return [];
    const lines = String(project.files.get(file)).split('\n');
    return project.parse(file).exported.flatMap(({ name, line }) => {
      if (!declaration.test(lines[line - 1] ?? '') || Object.hasOwn(shared, name)) return [];
      const first = known.get(name) ?? file;
      known.set(name, first);
      const message = `"${name}" is also exported by ${first}: rename one, or use one for both`;
      return first === file ? [] : [{ file, line, message }];
    });
  });
}

/** A type is named for what it is in the field. */
function vagueTypes(/** @type {string} */ file, /** @type {string} */ text) {
  if (!isCode(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    const [, name = ''] = typeName.exec(line) ?? [];
    const message = `"${name}" says nothing: name the type for what it is, such as Paths, Context or Options`;
    return vagueType.test(name) ? [{ file, line: index + 1, message }] : [];
  });
}

function problemsOf(/** @type {string} */ file) {
  const parts = file.split('/');
  const [stem = ''] = String(parts.pop()).split('.');
  const inSource = packageOf(file) !== undefined && parts[2] === 'src';
  const problems = [stem, ...parts]
    .filter((part) => vague.test(part))
    .map((part) => `"${part}" says nothing: name it after its one main export`);
  for (const part of inSource ? [stem, ...parts] : parts) {
    if (part !== '' && part !== '__snapshots__' && !kebab.test(part))
      problems.push(`"${part}" is not kebab-case`);
  }
  if (inSource && stem === 'index' && parts.length > 3) {
    problems.push('index.ts stands only at the root of src: import the file itself');
  }
  return problems;
}
