import { explainFailure } from '../engine/explain-failure.ts';
import { countText } from '../engine/folder-summary.ts';
import { failed, makeCall, type Plan } from '../engine/plan.ts';
import { parseFile, parsePaths } from '../engine/tool-output.ts';
import { cleanPath, escapeGlob } from '../language/paths.ts';
import type { Intent } from './intent.ts';

const content = '[(text|content|contents|line|words)] {content:text}';

/** "create hello.txt with the text hi": never over an existing file. */
export const createFileIntent: Intent = {
  name: 'create a file',
  examples: ['create hello.txt with the text "hi"', 'write "hi" to hello.txt'],
  patterns: [
    `(create|make|add|write|touch) [new] [empty] [file] [(named|called)] {path:file} (with|containing|saying|that says) ${content}`,
    '(create|make|add|touch) [new] [empty] [file] [(named|called)] {path:file}',
    `(write|put|save) ${content} (to|into|in) [new] [file] {path:file}`,
  ],
  plan: ({ path = '', content: text = '' }) => create(cleanPath(path), text),
};

/** "overwrite notes.txt with …". */
export const overwriteFileIntent: Intent = {
  name: 'overwrite a file',
  examples: ['overwrite notes.txt with "new text"'],
  patterns: [`overwrite [file] {path:file} with ${content}`],
  plan: ({ path = '', content: text = '' }) => overwrite(cleanPath(path), text),
};

/** "append … to notes.txt". */
export const appendToFileIntent: Intent = {
  name: 'append to a file',
  examples: ['append "one more line" to notes.txt'],
  patterns: [
    `append ${content} to [end of] [file] {path:file}`,
    `add line {content:text} to [end of] [file] {path:file}`,
  ],
  plan: ({ path = '', content: text = '' }) => append(cleanPath(path), text),
};

function* create(path: string, text: string): Plan {
  // Reading a file that is missing would show as a failure. Write refuses an existing file that Glob does not list.
  const listed = yield* makeCall('Glob', { pattern: escapeGlob(path) });
  if (listed.denied) return failed(explainFailure('Glob', listed));
  if (parsePaths(listed).paths.length > 0) {
    return failed(
      `\`${path}\` exists already; it was left alone. Say "overwrite ${path} with …" or "append … to ${path}".`,
    );
  }
  return yield* write(path, text);
}

function* overwrite(path: string, text: string): Plan {
  // Only a file that was read may be replaced; a missing one is simply created.
  yield* makeCall('Read', { file_path: path });
  return yield* write(path, text);
}

function* write(path: string, text: string): Plan {
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const written = yield* makeCall('Write', { file_path: path, content: body });
  if (written.isError) return failed(explainFailure('Write', written));
  const lines = body.split('\n').length - 1;
  return { text: `Wrote \`${path}\`${body === '' ? ', empty' : ` (${countText(lines, 'line')})`}.` };
}

function* append(path: string, text: string): Plan {
  const read = yield* makeCall('Read', { file_path: path });
  if (read.isError) return failed(explainFailure('Read', read));
  const { lines, next } = parseFile(read);
  if (next !== undefined)
    return failed(`\`${path}\` is too long to be shown whole, so I can't tell its end. Nothing was changed.`);
  if (lines.length === 0) return yield* write(path, text);
  const ending = uniqueEnding(lines);
  const edited = yield* makeCall('Edit', {
    file_path: path,
    old_string: ending,
    new_string: `${ending}\n${text}`,
  });
  if (edited.isError) return failed(explainFailure('Edit', edited));
  return { text: `Appended ${countText(text.split('\n').length, 'line')} to \`${path}\`.` };
}

/** As many of the last lines as occur only once in the file. */
function uniqueEnding(lines: readonly string[]): string {
  const whole = lines.join('\n');
  for (let start = lines.length - 1; start > 0; start--) {
    const text = lines.slice(start).join('\n');
    if (text.trim() !== '' && whole.indexOf(text) === whole.length - text.length) return text;
  }
  return whole;
}
