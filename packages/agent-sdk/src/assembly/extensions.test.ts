import { mkdir, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProblems, textOf } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { dispatchInput } from '../input/dispatch-input.ts';
import { createInteractiveSession } from '../session/create-interactive-session.ts';

const done = { text: 'done' };

/** A module whose tool answers with a text. */
function toolModule(name: string, answer: string, more = ''): string {
  return `export default ({ jsonSchema, textOutput }) => ({
  name: '${name.toLowerCase()}',
  setup(host) {
    host.tool({
      name: '${name}',
      description: 'Says something.',
      input: jsonSchema({ type: 'object', properties: {} }),
      access: () => [],
      execute: async () => textOutput(${JSON.stringify(answer)}),
    });
    ${more}
  },
});\n`;
}

async function open(place: TestProject, script: Parameters<typeof openScripted>[1] = [done], options = {}) {
  const opened = await openScripted(place, script, { permissionMode: 'bypassPermissions', ...options });
  const tools = () => (opened.session.getSession().surroundings.tools ?? []).map(({ name }) => name);
  const results = () =>
    opened.session
      .getMessages()
      .flatMap((message) => (message.role === 'tool' ? [textOf(message.content)] : []));
  return { ...opened, tools, results };
}

describe('modules with extensions', () => {
  it('add tools through the same host as built-ins, from files, folders and packages', async () => {
    proves('P-1', 'P-28', 'P-34');
    const place = await makeTestProject();
    await place.put('~/.robota/extensions/one.js', toolModule('One', 'first'));
    await place.put('~/.robota/extensions/two.mjs', toolModule('Two', 'second'));
    await place.put('~/.robota/extensions/three/index.js', toolModule('Three', 'third'));
    await place.put('~/.robota/extensions/four/package.json', {
      type: 'module',
      exports: { '.': { import: './src/x.js' } },
    });
    await place.put('~/.robota/extensions/four/src/x.js', toolModule('Four', 'fourth'));
    await place.put('~/.robota/node_modules/@me/ext/package.json', { type: 'module', main: 'main.js' });
    await place.put('~/.robota/node_modules/@me/ext/main.js', toolModule('Five', 'fifth'));
    await place.put(
      '~/.robota/extensions/six.js',
      `module.exports = { name: 'six', setup: (host) => host.command({ name: 'six', description: 'x', run: async () => ({ kind: 'notice', text: 'sixth' }) }) };`,
    );
    await place.put('~/.robota/extensions/README.md', 'no module');
    await place.put('~/.robota/settings.json', { extensions: ['@me/ext'] });
    const calls = ['One', 'Two', 'Three', 'Four', 'Five'].map((name) => ({ name, input: {} }));
    const { session, results } = await open(place, [{ toolCalls: calls }, done]);
    expect(describeProblems(session.problems)).toEqual([]);
    await session.submit('go');
    expect(results()).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
    expect(await session.executeCommand('six')).toMatchObject({ message: 'sixth' });
    await session.shutdown();
  });

  it('of a repository run only after exactly their content is trusted', async () => {
    const place = await makeTestProject();
    await place.put('.robota/extensions/one.js', toolModule('One', 'first'));
    await place.put('.robota/extensions/lib.txt', 'data');
    const questions: string[] = [];
    const asking = (index: number) => ({
      terminal: {
        ask: async ({ detail }: { detail?: string }) => {
          questions.push(detail ?? '');
          return { kind: 'selected' as const, indexes: [index] };
        },
        notify: () => {},
      },
    });
    const silent = await open(place);
    expect(silent.tools()).not.toContain('One');
    expect(describeProblems(silent.session.problems).join('\n')).toContain(
      'extension .robota/extensions/one.js',
    );
    const declined = await open(place, [done], asking(0));
    expect(declined.tools()).not.toContain('One');
    expect(questions[0]).toContain('runs .robota/extensions/one.js with all your rights');
    const agreed = await open(place, [done], asking(1));
    expect(agreed.tools()).toContain('One');
    expect((await open(place)).tools()).toContain('One');
    await place.put('.robota/extensions/lib.txt', 'other data');
    expect((await open(place)).tools()).not.toContain('One');
    expect((await open(place, [done], { trustProject: true })).tools()).toContain('One');
  });

  it('of a repository are trusted with what they import from it', async () => {
    const place = await makeTestProject();
    await place.put('.git/HEAD', '');
    await place.put('tools/answer.mjs', `export const answer = 'inner';`);
    await place.put(
      '.robota/extensions/one.mjs',
      `import { answer } from '../../tools/answer.mjs';\nexport default { name: answer, setup() {} };`,
    );
    const terminal = { ask: async () => ({ kind: 'selected' as const, indexes: [1] }), notify: () => {} };
    await open(place, [done], { terminal });
    expect(describeProblems((await open(place)).session.problems)).toEqual([]);
    await place.put('tools/answer.mjs', `export const answer = 'other';`);
    expect(describeProblems((await open(place)).session.problems).join()).toContain(
      'extension .robota/extensions/one.mjs',
    );
  });

  it('a repository cannot put its own package into the place of one that the user named', async () => {
    const place = await makeTestProject();
    await place.put('node_modules/ext/package.json', { type: 'module', main: 'x.js' });
    await place.put('node_modules/ext/x.js', toolModule('Evil', 'evil'));
    await place.put('~/.robota/settings.json', { extensions: ['ext', '../../etc'] });
    const { session, tools } = await open(place);
    expect(tools()).not.toContain('Evil');
    expect(describeProblems(session.problems)).toEqual([
      expect.stringContaining('package "ext" is not installed. Run npm install ext in'),
      expect.stringContaining('"../../etc" is not installed'),
    ]);
    await session.shutdown();
  });

  it('packages named by the repository count once agreed to, with their files', async () => {
    const place = await makeTestProject();
    await place.put('node_modules/ext/package.json', { type: 'module', main: 'x.js' });
    await place.put('node_modules/ext/x.js', toolModule('Good', 'good'));
    await place.put('.robota/settings.json', { extensions: ['ext'] });
    const silent = await open(place);
    expect(silent.tools()).not.toContain('Good');
    expect(describeProblems(silent.session.problems).join()).toContain('extension ext');
    expect((await open(place, [done], { trustProject: true })).tools()).toContain('Good');
  });
});

describe('an extension that fails', () => {
  it.each([
    [
      'throws when it is loaded',
      `throw new Error('boom at load');`,
      /\.robota\/extensions\/bad\.js is not used: it could not be loaded: line 1: boom at load/,
    ],
    [
      'exports nothing of use',
      `export default 7;`,
      /bad\.js is not used.*its default export is not an extension/,
    ],
    [
      'throws in its function',
      `export default () => { throw new Error('boom in function'); };`,
      /bad\.js is not used.*boom in function/,
    ],
    [
      'throws in its setup',
      `export default { name: 'bad', setup(host) { host.command({ name: 'left', description: '', run: async () => ({ kind: 'done' }) }); throw new Error('boom at setup'); } };`,
      /"bad" \(.*bad\.js\) is not used: its setup failed: boom at setup/,
    ],
    [
      'adds a tool that is none',
      `export default { name: 'bad', setup(host) { host.tool({ name: 'T', execute: async () => '' }); } };`,
      /"bad" \(.*bad\.js\) is not used: its setup failed: The tool "T" has no function "access".*write access: \(\) => \[\]/,
    ],
    [
      'gives a tool a name that vendors refuse',
      toolModule('Bad Tool!', ''),
      /bad\.js\) is not used.*The tool "Bad Tool!" needs another name/,
    ],
    [
      'mistypes a hook point, where a guard would never run',
      `export default { name: 'bad', setup(host) { host.hook('tool-befor', () => ({ block: 'no' })); } };`,
      /bad\.js\) is not used.*Unknown hook point "tool-befor"\. Did you mean "tool-before"/,
    ],
    [
      'adds a command that nobody can run',
      `export default { name: 'bad', setup(host) { host.command({ name: 'x' }); } };`,
      /bad\.js\) is not used.*The command "x" has no function "run"; write run/,
    ],
  ])('and %s costs itself alone, and is named', async (_, source, message) => {
    const place = await makeTestProject();
    await place.put('~/.robota/extensions/bad.js', source);
    await place.put('~/.robota/extensions/good.js', toolModule('Good', 'good'));
    const { session, tools } = await open(place);
    expect(describeProblems(session.problems)).toEqual([expect.stringMatching(message)]);
    expect(tools()).toContain('Good');
    expect(session.findCommand('left')).toBeUndefined();
    expect(await session.submit('hi')).toMatchObject({ response: 'done' });
    await session.shutdown();
  });

  it('in a tool, a hook or a command never breaks the session, and is named', async () => {
    const place = await makeTestProject();
    const more = `
    host.tool({ name: 'Bad', description: 'x', input: jsonSchema({ type: 'object' }), access: () => [], execute: async () => { throw new TypeError('boom in tool'); } });
    host.tool({ name: 'Worse', description: 'x', input: { json: { type: 'object' }, parse() { throw new Error('boom in parse'); } }, access: () => [], execute: async () => textOutput('') });
    host.hook('tool-after', () => { throw new Error('boom in hook'); });
    host.command({ name: 'bad', description: 'x', run: async () => { throw new Error('boom in command'); }, complete: () => { throw new Error('no'); } });`;
    await place.put('~/.robota/extensions/bad.js', toolModule('Good', 'good', more));
    const calls = ['Good', 'Bad', 'Worse'].map((name) => ({ name, input: {} }));
    const { session, results } = await open(place, [{ toolCalls: calls }, done]);
    const notices: string[] = [];
    session.on('notice', ({ text }) => notices.push(text));
    expect(await session.submit('go')).toMatchObject({ status: 'completed', response: 'done' });
    const label = '"good" \\(~/\\.robota/extensions/bad\\.js\\)';
    const [good, bad, worse] = results();
    expect(good).toBe('good');
    expect(bad).toMatch(new RegExp(`^The extension ${label} failed in its tool "Bad": boom in tool$`));
    expect(worse).toMatch(new RegExp(`The extension ${label} failed in its tool "Worse": boom in parse`));
    expect(notices.join('\n')).toMatch(new RegExp(`hook of ${label} failed: boom in hook`));
    const failed = await session.executeCommand('bad');
    expect(failed?.message).toMatch(
      new RegExp(`^The extension ${label} failed in its command "/bad": boom in command$`),
    );
    await session.shutdown();
  });

  it('in what a guard returns leaves the call to the user, with the hook and the key', async () => {
    const place = await makeTestProject();
    const more = `host.hook('tool-before', () => ({ blok: 'no' }));`;
    await place.put('~/.robota/extensions/guard.js', toolModule('Good', 'good', more));
    const { session, results } = await open(place, [callTurn('Good', {}), done]);
    await session.submit('go');
    expect(results()[0]).toContain('the hook "good" (~/.robota/extensions/guard.js) failed');
    expect(results()[0]).toContain('it returned "blok", which has no meaning here. Did you mean "block"?');
    await session.shutdown();
  });

  it.each([
    [
      `({ kind: 'notce', text: 'x' })`,
      'it returned the kind "notce", which does not exist. Did you mean "notice"?',
    ],
    [
      `'done'`,
      `it returned "done", which is not an outcome. Return { kind: 'notice', text }, or one of the kinds done, notice, error, prompt, edit, switch, exit.`,
    ],
    ['undefined', 'it returned undefined'],
    [`({ kind: 'prompt' })`, 'it returned the kind "prompt" without "text".'],
  ])('in the outcome of a command, %s, is named', async (outcome, why) => {
    const place = await makeTestProject();
    const more = `host.command({ name: 'odd', description: 'x', run: async () => ${outcome} });`;
    await place.put('~/.robota/extensions/odd.js', toolModule('Good', 'good', more));
    const { session } = await open(place);
    const result = await dispatchInput(session, '/odd');
    expect(result).toMatchObject({ kind: 'command', success: false });
    const owner = 'The command /odd of the extension "good" (~/.robota/extensions/odd.js) ran, but ';
    expect(result.message).toContain(owner + why);
    await session.shutdown();
  });

  it('in the result of a tool is named; a plain text is a result', async () => {
    const place = await makeTestProject();
    const tool = (name: string, answer: string) =>
      `host.tool({ name: '${name}', description: 'x', input: { type: 'object' }, access: () => [], execute: async () => ${answer} });`;
    await place.put(
      '~/.robota/extensions/odd.js',
      toolModule('Good', '', tool('Plain', `'text'`) + tool('Odd', '({ text: 1 })')),
    );
    const calls = ['Plain', 'Odd'].map((name) => ({ name, input: {} }));
    const { session, results } = await open(place, [{ toolCalls: calls }, done]);
    await session.submit('go');
    expect(results()).toEqual([
      'text',
      expect.stringContaining('The tool Odd ran, but its result cannot be used'),
    ]);
    await session.shutdown();
  });

  it.each([
    ['its factory', `async () => { throw new Error('boom'); }`],
    ['its stream', `async () => ({ vendor: 'anthropic', async *stream() { throw new Error('boom'); } })`],
  ])('as a model adapter in %s ends the run with its name', async (_, factory) => {
    const place = await makeTestProject();
    const source = `export default { name: 'bad', setup: (host) => host.provider('google', ${factory}) };`;
    await place.put('~/.robota/extensions/bad.mjs', source);
    const session = await createInteractiveSession({
      cwd: place.cwd,
      host: place.host,
      store: 'none',
      model: 'gemini-2.5-pro',
      apiKey: 'k',
      retry: { maxRetries: 0, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 },
    });
    const result = await session.submit('hi');
    expect(result?.error?.message).toMatch(/"bad" \(.*bad\.mjs\) failed in its provider "google": boom/);
    await session.shutdown();
  });

  it('TypeScript on a Node that cannot read it is said plainly', async () => {
    const place = await makeTestProject();
    await place.put(
      '~/.robota/extensions/typed.ts',
      `const name: string = 'typed';\nexport default { name, setup() {} };`,
    );
    const { session } = await open(place);
    const reads = Boolean((process.features as { typescript?: unknown }).typescript);
    if (reads) expect(describeProblems(session.problems)).toEqual([]);
    else
      expect(describeProblems(session.problems)).toEqual([
        expect.stringContaining('TypeScript needs Node 22.18 or newer'),
      ]);
    await session.shutdown();
  });
});

describe('/reload', () => {
  it('nothing changes by itself; a reload disposes, loads again and keeps the conversation', async () => {
    proves('P-4');
    const place = await makeTestProject();
    const log = join(place.home, 'log');
    await mkdir(log);
    const tracked = (name: string, answer: string) =>
      toolModule(name, answer)
        .replace(
          'setup(host) {',
          `dispose() { require('node:fs').writeFileSync('${log}/${answer}', ''); },\n  setup(host) {`,
        )
        .replace(
          'export default',
          `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nexport default`,
        );
    await place.put('~/.robota/extensions/one.mjs', tracked('One', 'old'));
    await place.put('~/.robota/extensions/gone.mjs', toolModule('Gone', 'gone'));
    const one = callTurn('One', {});
    const { session, provider, tools, results } = await open(place, [
      one,
      done,
      one,
      done,
      one,
      { text: 'end' },
    ]);
    await session.submit('first');
    await place.put('~/.robota/extensions/one.mjs', tracked('One', 'new'));
    await place.put('~/.robota/extensions/two.mjs', toolModule('Two', 'two'));
    await place.put('~/.robota/extensions/bad.mjs', 'throw new Error("later")');
    await place.put('~/.robota/commands/hello.md', 'Say hello.');
    await place.put('~/.robota/agents/helper.md', '---\nname: helper\ndescription: Helps.\n---\nHelp.');
    await place.put('AGENTS.md', 'New rules.');
    await rm(join(place.home, '.robota/extensions/gone.mjs'));
    await session.submit('second');
    const before = session.getMessages().length;
    const reloaded = await session.executeCommand('reload');
    expect(reloaded?.message).toMatch(/^Reloaded: \d+ tools, /);
    expect(reloaded?.message).toContain('bad.mjs is not used: it could not be loaded: line 1: later');
    expect(tools()).toEqual(expect.arrayContaining(['One', 'Two']));
    expect(tools()).not.toContain('Gone');
    expect(session.findCommand('hello')).toBeDefined();
    expect(session.listAgentDefinitions().map(({ name }) => name)).toContain('helper');
    expect(session.getMessages()).toHaveLength(before);
    await session.submit('third');
    expect(results()).toEqual(['old', 'old', 'new']);
    expect(provider.requests.at(-1)?.system).toContain('New rules.');
    expect(provider.requests.at(-1)?.tools.find(({ name }) => name === 'Agent')?.description).toContain(
      'helper',
    );
    expect(session.useModel('anthropic/claude-sonnet-4-6')).toBeDefined();
    expect(tools()).toContain('Two');
    expect(await readdir(log)).toEqual(['old']);
    await session.shutdown();
    expect(await readdir(log)).toEqual(['new', 'old']);
  });

  it('says of which files only a new start takes notice', async () => {
    const place = await makeTestProject();
    await place.put(
      '~/.robota/extensions/a/index.mjs',
      `import { name } from './lib.mjs';\nexport default { name, setup() {} };`,
    );
    const lib = await place.put('~/.robota/extensions/a/lib.mjs', `export const name = 'one';`);
    const { session } = await open(place);
    expect(describeProblems((await session.reload()).problems)).toEqual([]);
    await utimes(lib, new Date(), new Date(Date.now() + 5_000));
    expect(describeProblems((await session.reload()).problems)).toEqual([
      expect.stringContaining('lib.mjs: The file changed, but'),
    ]);
    await session.shutdown();
  });

  it('takes over hooks that settings have got meanwhile, and leaves those that are gone', async () => {
    const place = await makeTestProject();
    const file = join(place.home, 'said');
    const hooks = (word: string) => ({
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `echo ${word} >> ${file}` }] }] },
    });
    await place.put('~/.robota/settings.json', hooks('one'));
    const { session } = await open(place, () => done);
    await session.submit('a');
    await place.put('~/.robota/settings.json', hooks('two'));
    await session.reload();
    await session.submit('b');
    await place.put('~/.robota/settings.json', {});
    await session.reload();
    await session.submit('c');
    await session.shutdown();
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  });

  it('keeps what code added, and lists clashes', async () => {
    const place = await makeTestProject();
    let setups = 0;
    const own = {
      name: 'own',
      setup: (host: { command(command: object): void }) => {
        setups++;
        host.command({ name: 'mine', description: 'x', run: async () => ({ kind: 'notice', text: 'own' }) });
      },
    };
    const { session } = await open(place, [done], { extensions: [own] });
    await place.put(
      '~/.robota/extensions/a.mjs',
      `const command = (name) => ({ name, description: 'x', run: async () => ({ kind: 'notice', text: 'file' }) });\nexport default { name: 'a', setup(host) { host.command(command('mine')); host.command(command('help')); } };`,
    );
    const report = await session.reload();
    expect(setups).toBe(1);
    expect(await session.executeCommand('mine')).toMatchObject({ message: 'own' });
    expect(describeProblems(report.problems)).toEqual([
      expect.stringMatching(
        /command "help" is defined more than once\. Used: built-in\. Ignored: "a" \(.*a\.mjs\)/,
      ),
      expect.stringMatching(
        /command "mine" is defined more than once\. Used: own\. Ignored: "a" \(.*a\.mjs\)/,
      ),
    ]);
    await session.shutdown();
  });
});

describe('without extensions', () => {
  it('--no-builtin-tools keeps those of files, --no-extensions drops both', async () => {
    proves('P-2');
    const place = await makeTestProject();
    await place.put('~/.robota/extensions/one.js', toolModule('One', 'first'));
    expect((await open(place, [done], { builtInTools: false })).tools()).toEqual(['One']);
    expect((await open(place, [done], { builtInTools: false, extensionFiles: false })).tools()).toEqual([]);
    expect((await open(place)).tools()).toEqual(expect.arrayContaining(['Read', 'One']));
  });
});
