import { describe, expect, it } from 'vitest';
import { createProject } from './project.mjs';
import { checkWorkflows } from './workflows.mjs';

const commit = '11bd71901bbe5b1630ceea73d27597364c9af683';
const good = `name: CI
on:
  push: { branches: [main] }
  workflow_dispatch:
    inputs: { publish: { type: boolean } }
permissions: { contents: read }
jobs:
  test:
    runs-on: \${{ matrix.os }}
    timeout-minutes: 5
    strategy: { matrix: { os: [ubuntu-latest], node: [20] } }
    steps:
      - uses: actions/checkout@${commit} # v4.2.2
        with: { fetch-depth: 0 }
      - if: \${{ inputs.publish && always() }}
        run: sudo env "PATH=$PATH" bash .ci/run && npm run build
        env: { NODE: '\${{ matrix.node }}', TOKEN: '\${{ secrets.TOKEN }}' }
`;

const problems = (text: string, file = '.github/workflows/ci.yml') =>
  checkWorkflows(
    createProject({
      [file]: text,
      '.ci/run': '',
      'package.json': '{"version": "1.2.3", "scripts": {"build": "x"}}',
    }),
  ).map(({ line, message }) => `${line} ${message}`);

describe('checkWorkflows', () => {
  it('is content with a workflow that GitHub knows', () => {
    expect(problems(good)).toEqual([]);
  });

  it.each([
    ['a key', ['    timeout-minutes: 5', '    timeout: 5'], /10 timeout: is not known/],
    ['an event', ['  push:', '  pull_request_target:'], /3 pull_request_target: is not known/],
    ['a runner', ['os: [ubuntu-latest]', 'os: [ubuntu-99]'], /11 ubuntu-99: is no known runner/],
    ['a right', ['contents: read', 'contents: all'], /6 contents: is neither read/],
    ['no rights', ['permissions: { contents: read }\n', ''], /needs "permissions"/],
    ['a tag', [`@${commit}`, '@v4'], /13 actions\/checkout@v4: pin it to a commit/],
    ['an unknown action', ['actions/checkout', 'evil/checkout'], /not in the table of checks/],
    ['an input', ['fetch-depth', 'fetch-deep'], /14 fetch-deep: is not known/],
    ['a script', ['npm run build', 'npm run bild'], /16 npm run bild: there is no script bild/],
    ['a file', ['.ci/run', '.ci/walk'], /there is no \.ci\/walk/],
    ['a program', ['npm run build', 'curl x'], /curl is no known program/],
    ['half a command', ['npm run build', '(npm run build'], /npm|expected/],
    ['a name of the matrix', ['matrix.node', 'matrix.nod'], /17 matrix\.nod: is defined nowhere/],
    ['an input of the run', ['inputs.publish', 'inputs.publsh'], /inputs\.publsh: is defined nowhere/],
    ['a function', ['always()', 'allways()'], /allways\(: is no function/],
    ['text of others', ['npm run build', `npm run "\${{ github.actor }}"`], /pass values by "env"/],
    ['YAML', ['jobs:\n', 'jobs: [\n'], /^\d+ /],
  ])('names %s that is wrong', (_, [from = '', to = ''], message) => {
    expect(problems(good.replace(from, to)).join('\n')).toMatch(message);
  });

  it('looks at the action and at issue forms, too', () => {
    const action = `name: a
inputs: { version: { default: '1.2.2' } }
outputs: { state: { value: '\${{ steps.gone.outputs.state }}' } }
runs:
  using: composite
  steps: [{ run: npm run build }]
`;
    expect(problems(action, 'action/action.yml')).toEqual([
      '2 1.2.2: is not 1.2.3',
      '3 steps.gone.outputs.state: is defined nowhere',
      '6 npm run build: a step of an action names its shell',
    ]);
    const form =
      'name: n\ndescription: d\nbody:\n  - { type: text }\n  - { type: input, id: a, attributes: { label: l } }\n';
    expect(problems(form, '.github/ISSUE_TEMPLATE/bug.yml')).toEqual([
      '4 text: is no field, or has no label',
    ]);
  });
});
