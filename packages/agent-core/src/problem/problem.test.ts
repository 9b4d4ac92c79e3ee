import { expect, it } from 'vitest';
import { AgentError, errorReport, problemOf } from './agent-error.ts';
import {
  addSentence,
  describeHint,
  describeProblem,
  isProblem,
  type Problem,
  problemData,
  sentence,
  summarizeProblem,
  warning,
} from './problem.ts';

const problem: Problem = warning('key.missing', 'The entry "x" has no "key"', {
  subject: 'x',
  source: { file: 'auth.json', line: 3 },
  hint: { text: 'Store a key with', run: ['login', 'x'] },
  details: ['  first', '  second'],
});

it('describes source, message, hint and details', () => {
  expect(describeProblem(problem)).toBe(
    'auth.json:3: The entry "x" has no "key". Store a key with: robota login x\n  first\n  second',
  );
  expect(summarizeProblem(problem)).not.toContain('first');
  expect(describeProblem(warning('a', 'Slow'))).toBe('Slow');
  expect(describeProblem(warning('a', 'Slow', { hint: 'Wait.' }))).toBe('Slow. Wait.');
  expect(describeProblem(warning('a', 'Odd.', { source: { file: 'f', line: 1, column: 2 } }))).toBe(
    'f:1:2: Odd.',
  );
});

it('names the program as the user calls it', () => {
  expect(describeProblem(problem, 'npm start --')).toContain('Store a key with: npm start -- login x');
});

it.each([
  [['-p', 'what is it?'], 'Run: robota -p "what is it?"'],
  [['config', 'set', 'a["b"]', 'c'], `Run: robota config set 'a["b"]' c`],
  [['-p', "it's $HOME"], `Run: robota -p 'it'\\''s $HOME'`],
  [['-p', ''], 'Run: robota -p ""'],
])('quotes the words of a command for a shell: %j', (run, text) => {
  expect(describeHint({ run })).toBe(text);
});

it('keeps the values of a message by name', () => {
  const told = warning(
    'rule.unknown-tool',
    sentence`Unknown tool "${{ tool: 'Bsh' }}" in rule ${{ rule: '{tool}' }}.`,
  );
  expect(told).toMatchObject({
    message: 'Unknown tool "Bsh" in rule {tool}.',
    template: 'Unknown tool "{tool}" in rule {rule}.',
    values: { tool: 'Bsh', rule: '{tool}' },
  });
  const more = addSentence(told, 'It is ignored.');
  expect(more.message).toBe('Unknown tool "Bsh" in rule {tool}. It is ignored.');
  expect(more.template).toBe('Unknown tool "{tool}" in rule {rule}. It is ignored.');
  const error = new AgentError('usage', more.message, more);
  expect(error.problem).toMatchObject({ code: 'usage', severity: 'error', values: told.values });
  expect(new AgentError('usage', sentence`No ${{ what: 'prompt' }}.`).message).toBe('No prompt.');
  expect(addSentence(warning('a', 'Slow'), 'Wait.')).toEqual(warning('a', 'Slow. Wait.'));
});

it('gives the hint of an error as a text, and to other processes', () => {
  const error = new AgentError('auth', 'No key.', { hint: { text: 'Store one with', run: ['login', 'x'] } });
  expect(error.hint).toBe('Store one with: robota login x');
  expect(error.toJSON()).toMatchObject({ code: 'auth', hint: error.hint, message: error.message });
  expect(new AgentError('auth', 'No key.').hint).toBeUndefined();
});

it('is plain data', () => {
  const data = problemData(warning('a', 'b', { subject: undefined }));
  expect(data).toEqual({ code: 'a', severity: 'warning', message: 'b' });
  expect(Object.keys(data)).not.toContain('subject');
  expect(isProblem<object>(problem)).toBe(true);
  expect(isProblem<object>({ code: 1 })).toBe(false);
});

it('is carried by an error, whose message is its description', () => {
  const error = new AgentError('config', 'No key', { ...problem, details: undefined, problems: [problem] });
  expect(error.message).toBe('auth.json:3: No key. Store a key with: robota login x');
  expect(problemOf(error)).toMatchObject({
    code: 'config',
    severity: 'error',
    message: 'No key',
    subject: 'x',
  });
  expect(errorReport(error, 'npx robota').split('\n', 2)).toEqual([
    'auth.json:3: No key. Store a key with: npx robota login x',
    'warning: auth.json:3: The entry "x" has no "key". Store a key with: npx robota login x',
  ]);
  expect(problemOf(new Error('boom'))).toEqual({ code: 'internal', severity: 'error', message: 'boom' });
});
