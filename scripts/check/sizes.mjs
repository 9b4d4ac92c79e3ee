import { isCode, isTest } from './project.mjs';

const sourceLimit = 400;
const testLimit = 800;

/**
 * A file stays small enough to be read in one go.
 * @param {import('./project.mjs').Project} project
 */
export function checkSizes(project) {
  return [...project.files]
    .filter(([file]) => isCode(file))
    .flatMap(([file, text]) => {
      const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      const limit = isTest(file) ? testLimit : sourceLimit;
      if (lines <= limit) return [];
      return { file, line: limit + 1, message: `${lines} lines, at most ${limit}: split it by what it does` };
    });
}
