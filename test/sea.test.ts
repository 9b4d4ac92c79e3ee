import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { anthropicReply, temporaryDirectory } from '@robota-sdk/agent-testing';
import { findSandbox } from '@robota-sdk/agent-tools';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStage } from './stage.ts';
import { openTerminal } from './terminal.ts';

const execute = promisify(execFile);
const isClosed = (await findSandbox()).kind === 'bubblewrap';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, `build/agent-cli-${process.platform}-${process.arch}`);
const robota = join(folder, 'bin/robota');

/** Other platforms want their own tools to be signed or linked. */
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the single executable', () => {
  let cwd: string;

  beforeAll(async () => {
    await execute(process.execPath, [join(root, 'scripts/sea.mjs')], { cwd: root });
    cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'hello.txt'), 'hello');
  });

  const run = (words: readonly string[], { input = '', home = cwd, env = {} } = {}) => {
    // No node is on the path: it brings its own.
    const variables = { PATH: '/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', ...env };
    const result = execute(robota, [...words], { cwd, env: variables });
    result.child.stdin?.end(input);
    return result;
  };

  it('is a package of its platform, and says its version', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const { version } = JSON.parse(await readFile(join(root, 'packages/agent-cli/package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: '@robota-sdk/agent-cli-linux-x64',
      version,
      os: ['linux'],
      cpu: ['x64'],
    });
    expect(manifest.files).toContain('bin');
    for (const file of ['LICENSE', 'LICENSE-NODE.txt', 'THIRD-PARTY-NOTICES.txt', 'README.md'])
      expect((await stat(join(folder, file))).size, file).toBeGreaterThan(500);
    expect((await run(['--version'])).stdout).toBe(`${version}\n`);
    expect((await stat(robota)).size).toBeLessThan(130_000_000);
  });

  it('answers, serves MCP and ACP, completes words and finds itself in order', async () => {
    const initialize = (version: unknown) =>
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientCapabilities: {}, clientInfo: { name: 'test', version: '1' } } })}\n`;
    const [read, mcp, acp, completion, doctor] = await Promise.all([
      run(['-p', 'read hello.txt', '--model', 'offline', '--no-session']),
      run(['mcp', 'serve'], { input: initialize('2025-06-18') }),
      run(['acp'], { input: initialize(1) }),
      run(['completion', 'bash']),
      run(['doctor', '--json']).catch((failed: { stdout: string }) => failed),
    ]);
    expect(read).toMatchObject({ stdout: expect.stringContaining('hello'), stderr: '' });
    expect(JSON.parse(mcp.stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'robota' } } });
    expect(JSON.parse(acp.stdout)).toMatchObject({ id: 1, result: { protocolVersion: 1 } });
    expect(completion.stdout).toContain('complete');
    const { findings } = JSON.parse(doctor.stdout) as { findings: { area: string; status: string }[] };
    expect(findings.filter(({ status }) => status === 'broken').map(({ area }) => area)).toEqual(['models']);
  });

  it('paints its screen', async () => {
    const terminal = openTerminal(['--model', 'offline'], { cwd, home: cwd, program: robota });
    await terminal.shows(/\n[─-]{20,}\n/);
    terminal.kill('SIGKILL');
    await terminal.exit;
  });

  it('runs its workers: an extension, a plugin in WebAssembly, a thread for a page, and a way out of the sandbox', async () => {
    const stage = await openStage();
    const page = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<html><body><h1>Title</h1><p>Some <b>bold</b> text.</p></body></html>');
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.2', resolve));
    // Programs ask no proxy for 127.0.0.1.
    const host = `127.0.0.2:${(page.address() as AddressInfo).port}`;
    const url = `http://${host}/`;
    await stage.settings({
      webFetch: { allowPrivate: true },
      sandbox: { mode: 'auto', network: { allow: [host] } },
    });
    await mkdir(join(stage.home, '.robota/extensions'), { recursive: true });
    const direct = `curl -sS --noproxy '*' --output /dev/null ${url}`;
    const component = await parse(await readFile(join(root, 'test/fixtures/wasm/hostile.wat'), 'utf8'));
    await writeFile(join(stage.home, '.robota/extensions/hostile.wasm'), component);
    await writeFile(
      join(stage.home, '.robota/extensions/greet.mjs'),
      "export default { name: 'greet', setup: (host) => host.hook('input', () => ({ context: 'greetings' })) };",
    );
    stage.server.reply(
      anthropicReply({
        toolCalls: [
          { name: 'WebFetch', input: { url, prompt: 'title?' } },
          { name: 'Answering', input: {} },
          { name: 'Bash', input: { command: `curl -sS ${url}; ${direct} || echo closed` } },
        ],
      }),
      anthropicReply({ text: 'done' }),
    );
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: stage.server.url };
    const words = ['-p', 'go', '--model', 'claude-sonnet-4-6', '--permission-mode', 'bypassPermissions'];
    const { stdout, stderr } = await run(words, { home: stage.home, env });
    const sent = stage.server.requests.map(({ text }) => text).join('\n');
    page.close();
    await stage.server.close();
    expect(stdout).toBe('done\n');
    expect(stderr).toBe(
      'robota: The extension ~/.robota/extensions/hostile.wasm was prepared to run; this is done once.\n',
    );
    expect(stage.results(1)).toMatchObject([
      { text: expect.stringContaining('# Title') },
      { text: 'hostile', isError: false },
      { text: expect.stringMatching(isClosed ? /Some <b>bold<\/b> text[\s\S]*closed/ : /Some <b>bold/) },
    ]);
    expect(sent).toContain('greetings');
  });
});
