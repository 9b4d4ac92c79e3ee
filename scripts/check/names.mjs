import { isCode, isFixture, packageOf } from './project.mjs';

const vague = /(^|-)(utils?|helpers?|managers?|misc)$/;
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const typeName = /^(?:export )?(?:abstract )?(?:interface|class|type) (\w+)/;
const vagueType = /(?:Place|Desk|Parts|Surroundings|Words|Given)$/;

/**
 * A name says what is inside, in one spelling.
 * @param {import('./project.mjs').Project} project
 */
export function checkNames(project) {
  const files = [...project.files.keys()].filter(
    (file) => /^(packages|scripts|test|bench)\//.test(file) && !isFixture(file),
  );
  return files.flatMap((file) => [
    ...problemsOf(file).map((message) => ({ file, line: 1, message })),
    ...vagueTypes(file, project.files.get(file) ?? ''),
  ]);
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
    .map((part) => `"${part}" says nothing: name it after what it holds`);
  for (const part of inSource ? [stem, ...parts] : parts) {
    if (part !== '' && part !== '__snapshots__' && !kebab.test(part))
      problems.push(`"${part}" is not kebab-case`);
  }
  if (inSource && stem === 'index' && parts.length > 3) {
    problems.push('index.ts stands only at the root of src: import the file itself');
  }
  return problems;
}
