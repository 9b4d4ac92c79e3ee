import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { dirname, join } from 'node:path';
import { AppTheme, loadKeybindings, TuiApp } from '@robota-sdk/agent-screen';
import { anthropicReply, startModelServer, temporaryDirectory } from '@robota-sdk/agent-testing';
import { detectCapabilities, VirtualTerminal } from '@robota-sdk/agent-tui';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startCli } from './start-cli.ts';

const root = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const [, ofKey = [], ofTurn = []] = (/## Two paths[^#]*/.exec(page)?.[0] ?? '')
  .split(/^(?=A key|One turn)/m)
  .map((part) => [...part.matchAll(/`([a-z-]+\/src\/[^`]+\.ts)`/g)].map(([, file = '']) => file));

afterEach(() => void vi.unstubAllEnvs());

describe('the paths through the files in ARCHITECTURE.md', () => {
  it('are short, and each file imports one before it or is imported by it', () => {
    expect([ofKey.length > 0, ofTurn.length > 0]).toEqual([true, true]);
    expect(ofKey.length + ofTurn.length).toBeLessThanOrEqual(35);
    for (const files of [ofKey, ofTurn]) {
      const imports = new Map(files.map((file) => [file, importsOf(file)]));
      const isTied = (one: string, other: string) =>
        imports.get(one)?.has(other) === true || imports.get(other)?.has(one) === true;
      const alone = files.filter(
        (file, index) => index > 0 && !files.some((other, at) => at !== index && isTied(file, other)),
      );
      expect(alone).toEqual([]);
    }
  });

  it('are passed by a key on its way to a painted row', async () => {
    const terminal = new VirtualTerminal(80, 24);
    const capabilities = detectCapabilities({ TERM: 'xterm-256color' });
    const home = await temporaryDirectory('robota-home');
    const { keys } = await loadKeybindings({ env: {}, home });
    const quiet = () => {};
    const app = new TuiApp({
      terminal,
      capabilities,
      theme: new AppTheme({ capabilities, folders: [], onChange: quiet, onProblem: quiet }),
      keys,
      isAnimated: false,
      cwd: home,
      version: '',
      replay: async () => {},
      adviseOn: async () => undefined,
      switchTo: async () => {},
      exit: quiet,
      hangUp: quiet,
    });
    app.start();
    const passed = await filesPassedBy(async () => {
      terminal.type('x');
      await vi.waitFor(() => expect(terminal.writes.at(-1)).toContain('x'));
    });
    await app.stop();
    expect(ofKey.filter((file) => !passed.has(file))).toEqual([]);
  });

  it('are passed by one turn of `robota -p`', async () => {
    const server = await startModelServer();
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'a.txt'), 'hello');
    vi.stubEnv('ROBOTA_HOME', join(await temporaryDirectory('robota-home'), '.robota'));
    vi.stubEnv('ANTHROPIC_API_KEY', 'key');
    vi.stubEnv('ANTHROPIC_BASE_URL', server.url);
    server.reply(anthropicReply({ toolCalls: [{ id: 'c1', name: 'Read', input: { file_path: 'a.txt' } }] }));
    server.reply(anthropicReply({ text: 'It says hello.' }));
    // Nothing is piped into it.
    Object.defineProperty(process.stdin, 'isTTY', { value: true, configurable: true });
    const write = vi.spyOn(process.stdout, 'write');
    let code = -1;
    const passed = await filesPassedBy(async () => {
      code = await startCli(['-p', 'what does it say?', '--cwd', cwd]);
    });
    const written = write.mock.calls.map(([text]) => String(text)).join('');
    write.mockRestore();
    await server.close();
    expect([code, written.includes('It says hello.'), server.requests.length]).toEqual([0, true, 2]);
    // These two end their process, so that a test cannot call them.
    const started = ['agent-cli/src/bin.ts', 'agent-cli/src/run-command-line.ts'];
    expect(ofTurn.filter((file) => !passed.has(file) && !started.includes(file))).toEqual([]);
  });
});

/** Runs work and names the files of packages in which it called a function. */
async function filesPassedBy(work: () => Promise<void>): Promise<ReadonlySet<string>> {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true });
  await inspector.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  inspector.disconnect();
  // The function without a name is the module itself, which runs when it is loaded.
  const called = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  );
  return new Set(called.map(({ url }) => url.replace(/^.*\/packages\//, '')));
}

/** The files that a file imports, through the entries of packages too. */
function importsOf(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const text = readFileSync(join(root, 'packages', file), 'utf8');
  for (const [, path = ''] of text.matchAll(/'(\.\.?\/[^']+\.ts)'/g)) found.add(join(dirname(file), path));
  for (const [, names = '', name = '', entry = 'index'] of text.matchAll(
    /\{([^{}]*)\} (?:from|= await import\() ?'?@robota-sdk\/([a-z-]+)\/?([a-z-]+)?'/g,
  ))
    for (const one of names.split(',')) {
      const exported = origin(`${name}/src/${entry}.ts`, one.trim().replace(/^type /, ''));
      if (exported !== undefined) found.add(exported);
    }
  return found;
}

/** The file that an entry takes a name from. */
function origin(entry: string, name: string): string | undefined {
  if (name === '' || !existsSync(join(root, 'packages', entry))) return undefined;
  const text = readFileSync(join(root, 'packages', entry), 'utf8');
  for (const [, names = '', path = ''] of text.matchAll(/\{([^{}]*)\} from '([^']+)'/g)) {
    if (!names.split(',').some((one) => one.trim().replace(/^type /, '') === name)) continue;
    if (path.startsWith('.')) return join(dirname(entry), path);
    return origin(`${path.replace('@robota-sdk/', '')}/src/index.ts`, name);
  }
  return undefined;
}
