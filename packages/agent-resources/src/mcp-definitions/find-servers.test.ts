import { join } from 'node:path';
import type { JsonObject } from '@robota-sdk/agent-core';
import { describeProblems } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTestProject, type TestProject } from '../../../agent-sdk/src/fixtures/test-project.ts';
import { type LoadConfigOptions, loadConfig } from '../load/load-config.ts';
import { expandVariables } from './expand-variables.ts';
import { nameProblem } from './read-definitions.ts';

const load = ({ cwd, host }: TestProject, options: LoadConfigOptions = {}) =>
  loadConfig(cwd, { host, trustProject: true, ...options });

const sourcesOf = async (place: TestProject) =>
  (await load(place)).mcpServers?.map(({ name, origin }) => [name, origin.scope, origin.source]);

describe('MCP servers in files', () => {
  it('are found in the files of every program, in both shapes', async () => {
    proves('P-140');
    const place = await makeTestProject();
    const mcpServers = (name: string) => ({ mcpServers: { [name]: { command: 'run' } } });
    const files = [
      await place.put('.robota/mcp.json', mcpServers('a')),
      await place.put('.mcp.json', mcpServers('b')),
      await place.put('.pi/mcp.json', mcpServers('c')),
      await place.put('.rab/mcp.json', {
        servers: [
          { command: 'npx', args: ['-y', '@scope/server-files@1.2.3', '/tmp'] },
          { url: 'https://api.example.com/mcp' },
          { command: '/opt/tools/serve.sh' },
        ],
      }),
      await place.put('~/.robota/mcp.json', mcpServers('d')),
      await place.put('~/.claude.json', { ...mcpServers('e'), projects: { [place.cwd]: mcpServers('f') } }),
      await place.put('~/.pi/agent/mcp.json', mcpServers('g')),
      await place.put('~/.rab/agent/mcp.json', mcpServers('h')),
    ];
    expect(await sourcesOf(place)).toEqual([
      ['f', 'local', files[5]],
      ['a', 'project', files[0]],
      ['b', 'project', files[1]],
      ['c', 'project', files[2]],
      ['server-files', 'project', files[3]],
      ['api-example-com', 'project', files[3]],
      ['serve', 'project', files[3]],
      ['d', 'user', files[4]],
      ['e', 'user', files[5]],
      ['g', 'user', files[6]],
      ['h', 'user', files[7]],
    ]);
  });

  it.each([
    ['url', { url: `https://x.example/\${ANTHROPIC_API_KEY}` }],
    ['header', { url: 'https://x.example', headers: { 'x-key': `\${OPENAI_API_KEY:-none}` } }],
    ['bearerTokenEnv', { url: 'https://x.example', bearerTokenEnv: 'ANTHROPIC_API_KEY' }],
    ['env', { command: 'node', env: { MINE: `\${ANTHROPIC_API_KEY}` } }],
    ['argument', { command: 'node', args: ['$env:ANTHROPIC_API_KEY'] }],
    ['command', { command: `\${ANTHROPIC_API_KEY}` }],
    ['another variable of the same value', { command: 'node', env: { MINE: `\${COPY}` } }],
  ])('get no key of a model from a project, trusted or not: by %s', async (_, server) => {
    const key = 'sk-ant-0123456789abcdef';
    const place = await makeTestProject({ ANTHROPIC_API_KEY: key, OPENAI_API_KEY: `${key}2`, COPY: key });
    await place.put('.mcp.json', { mcpServers: { server } });
    const { mcpServers, problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(mcpServers).toEqual([]);
    expect(warnings.join()).toMatch(/"server" is skipped: it names \w+, which holds the key of a model/);
    expect(warnings.join()).not.toContain(key);
    await place.put('.mcp.json', {});
    await place.put('~/.robota/mcp.json', { mcpServers: { server } });
    expect((await load(place)).mcpServers).toHaveLength(1);
  });

  it('say how a server is started or reached, with variables filled in', async () => {
    proves('P-139');
    const place = await makeTestProject({ TOKEN: 's3cret', EMPTY: '' });
    await place.put('.mcp.json', {
      mcpServers: {
        files: {
          command: 'node',
          args: ['serve.js', 8, `\${ROOT:-/data}`, `\${EMPTY:-none}`],
          env: { TOKEN: `\${TOKEN}`, LEVEL: 3 },
          cwd: 'sub',
          timeout: 5000,
          startTimeout: 900,
          excludeTools: ['drop_*'],
        },
        web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: `Bearer \${TOKEN}` } },
        old: { type: 'sse', url: 'http://127.0.0.1:1/sse' },
        pi: { url: 'https://pi.example', bearerTokenEnv: 'TOKEN', lifecycle: 'lazy' },
      },
    });
    const { mcpServers = [], problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(warnings).toEqual([]);
    expect(mcpServers.map(({ config }) => config)).toEqual([
      {
        name: 'files',
        transport: {
          kind: 'stdio',
          command: 'node',
          args: ['serve.js', '8', '/data', 'none'],
          env: { TOKEN: 's3cret', LEVEL: '3' },
          cwd: join(place.cwd, 'sub'),
        },
        callTimeoutMs: 5000,
        startTimeoutMs: 900,
        tools: { exclude: ['drop_*'] },
      },
      {
        name: 'web',
        transport: {
          kind: 'http',
          url: 'https://example.com/mcp',
          headers: { Authorization: 'Bearer s3cret' },
        },
      },
      { name: 'old', transport: { kind: 'sse', url: 'http://127.0.0.1:1/sse' } },
      {
        name: 'pi',
        transport: { kind: 'http', url: 'https://pi.example', headers: { Authorization: 'Bearer s3cret' } },
        lifecycle: 'lazy',
      },
    ]);
  });

  it('that cannot be used are named with file, line and reason, and cost only themselves', async () => {
    const place = await makeTestProject();
    const file = await place.put(
      '.mcp.json',
      `{ "mcpServers": {
        "good": { "command": "run" },
        "none": { "comand": "run" },
        "both": { "command": "run", "url": "https://x" },
        "text": "run",
        "args": { "command": "run", "args": "one two" },
        "gone": { "command": "run", "env": { "KEY": "\${NO_SUCH}" } },
        "kind": { "type": "websocket", "url": "wss://x" },
        "a__b": { "command": "run" },
        "tail_": { "command": "run" }
      } }`,
    );
    await place.put('~/.robota/mcp.json', '{ "mcpServers": [');
    const { mcpServers = [], problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(mcpServers.map(({ name }) => name)).toEqual(['good']);
    const said = warnings.join('\n');
    const left = (line: number, name: string) => `${file}:${line}: The MCP server "${name}" is skipped: `;
    expect(said).toContain(
      `${left(3, 'none')}it has neither a "command" to start nor a "url" to reach (is "comand" meant to be "command"?)`,
    );
    expect(said).toContain(`${left(4, 'both')}it has both a "command" and a "url"; remove one of them.`);
    expect(said).toContain(`${left(5, 'text')}it must be an object like {"command": "…"}.`);
    expect(said).toContain(`${left(6, 'args')}args: expected a list, got a string.`);
    expect(said).toContain(
      `${left(7, 'gone')}NO_SUCH is not set. Set it, or write a default: \${NO_SUCH:-value}.`,
    );
    expect(said).toContain(
      `${left(8, 'kind')}type: expected "stdio", "http" or "sse", got the string "websocket".`,
    );
    expect(said).toContain(`${left(9, 'a__b')}a name has no two "_" in a row`);
    expect(said).toContain(left(10, 'tail_'));
    expect(said).toMatch(/\.robota\/mcp\.json:1:\d+: Not valid JSON.* None of its MCP servers are used\./);
  });

  it('name fields that nothing reads, and send no secrets unencrypted unless that is allowed', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/mcp.json', {
      mcpServers: {
        slip: { command: 'run', includeTool: ['x'], description: 'fine', _docs: 'a note', other: 1 },
        open: { url: 'http://example.com', headers: { 'X-Api-Key': 'k3y' } },
        near: { url: 'http://127.0.0.1:8080', headers: { 'X-Api-Key': 'k3y' } },
        none: { url: 'http://example.com' },
      },
    });
    const first = await load(place);
    expect(first.mcpServers?.map(({ name }) => name)).toEqual(['slip', 'near', 'none']);
    const said = describeProblems(first.problems).join('\n');
    expect(said).toContain('Unknown field "includeTool"; it is ignored. Did you mean "includeTools"?');
    expect(said).toContain('Unknown field "other"');
    expect(said).not.toMatch(/description|_docs/);
    expect(said).toContain('"open" is skipped: its secrets would go to example.com unencrypted. Use https');
    await place.put('~/.robota/settings.json', { allowInsecureHttp: true });
    expect((await load(place)).mcpServers).toHaveLength(4);
  });

  it('of one name are listed as clashing unless they say the same', async () => {
    const place = await makeTestProject();
    const own = await place.put('.robota/mcp.json', { mcpServers: { db: { command: 'one' } } });
    const shared = await place.put('.mcp.json', { mcpServers: { db: { command: 'two' } } });
    await place.put('~/.robota/mcp.json', { mcpServers: { db: { command: 'one' } } });
    const { mcpServers = [], problems } = await load(place);
    const warnings = describeProblems(problems);
    expect(mcpServers.map(({ written }) => written)).toEqual([{ command: 'one' }]);
    expect(warnings).toEqual([
      `${shared}:3: The MCP server "db" is skipped: ${own}:3 already uses that name.`,
    ]);
  });

  it('are switched off by a definition, by a list of the user and by settings of Claude Code', async () => {
    const place = await makeTestProject();
    await place.put('.mcp.json', {
      mcpServers: {
        a: { command: 'x', disabled: true },
        b: { command: 'x' },
        c: { command: 'x' },
        d: { command: 'x' },
        e: { command: 'x' },
      },
    });
    const own = await place.put('~/.robota/mcp.json', {
      projects: { [place.cwd]: { disabledServers: ['b'] } },
    });
    const claude = await place.put('.claude/settings.json', { disabledMcpjsonServers: ['c'] });
    const home = await place.put('~/.claude.json', {
      projects: { [place.cwd]: { disabledMcpjsonServers: ['d'] } },
    });
    const { mcpServers = [] } = await load(place);
    expect(mcpServers.map(({ name, disabledBy }) => [name, disabledBy])).toEqual([
      ['a', `${join(place.cwd, '.mcp.json')}:3`],
      ['b', own],
      ['c', claude],
      ['d', home],
      ['e', undefined],
    ]);
  });

  it('of a project wait for trust by their content and that of their scripts; those of the user do not', async () => {
    const place = await makeTestProject();
    await place.put('serve.js', 'one');
    const file = await place.put('.mcp.json', {
      mcpServers: { db: { command: 'node', args: ['serve.js', 'a b'], env: { KEY: `\${KEY:-x}` } } },
    });
    const mine = await place.put('~/.robota/mcp.json', { mcpServers: { db: { command: 'mine' } } });
    const names = async (options: LoadConfigOptions) =>
      (await loadConfig(place.cwd, { host: place.host, ...options })).mcpServers?.map(
        ({ origin }) => origin.source,
      );
    const { problems } = await loadConfig(place.cwd, { host: place.host });
    const warnings = describeProblems(problems);
    expect(warnings.join('\n')).toContain(
      `MCP server db: node serve.js 'a b'; env: {"KEY":"\${KEY:-x}"} (${file}:3)`,
    );
    expect(await names({})).toEqual([mine]);
    const asked: string[] = [];
    const askTrust: LoadConfigOptions['askTrust'] = async (items) => {
      asked.push(...items.map(({ name, scripts }) => `${name} ${scripts?.length}`));
      return { trust: items, never: [] };
    };
    expect(await names({ askTrust })).toEqual([file]);
    expect(await names({})).toEqual([file]);
    await place.put('serve.js', 'two');
    const changed = await loadConfig(place.cwd, { host: place.host });
    expect(changed.mcpServers?.map(({ origin }) => origin.source)).toEqual([mine]);
    expect(describeProblems(changed.problems).join('\n')).toContain(
      `(${file}:3; it has changed since you approved it)`,
    );
    expect(asked).toEqual(['db 1']);
    await place.put('~/.robota/mcp.json', {
      projects: { [place.cwd]: { mcpServers: { db: { command: 'stronger' } } } },
    });
    expect((await loadConfig(place.cwd, { host: place.host })).trust?.withheld).toEqual([]);
  });

  it('of a project are asked about again when a script changed that a variable names', async () => {
    const place = await makeTestProject({ WHERE: 'tools' });
    await place.put('tools/serve.js', 'one');
    await place.put('tools/deep/serve.js', 'one');
    await place.put('.mcp.json', {
      mcpServers: {
        set: { command: 'node', args: [`\${WHERE}/serve.js`] },
        usual: { command: 'node', args: [`\${ELSEWHERE:-tools}/serve.js`] },
        inside: { command: 'node', args: ['serve.js'], cwd: `\${WHERE}/deep` },
      },
    });
    const names = async (options: LoadConfigOptions = {}) =>
      (await loadConfig(place.cwd, { host: place.host, ...options })).mcpServers?.map(({ name }) => name);
    await names({ askTrust: async (items) => ({ trust: items, never: [] }) });
    expect(await names()).toEqual(['set', 'usual', 'inside']);
    await place.put('tools/serve.js', 'two');
    expect(await names()).toEqual(['inside']);
    await place.put('tools/deep/serve.js', 'two');
    expect(await names()).toEqual([]);
  });

  it('have their secrets named, wherever those stand', async () => {
    const place = await makeTestProject({ API_TOKEN: 'from-the-variable', PLAIN: 'nothing-secret' });
    await place.put('~/.robota/mcp.json', {
      mcpServers: {
        web: { url: `https://x/?apiKey=in-the-address&v=\${API_TOKEN}` },
        run: {
          command: 'x',
          args: [`--key=\${API_TOKEN}`, `\${PLAIN}`, '--api-key', 'in-words'],
          env: { A_KEY: 'in-env' },
        },
      },
    });
    const { mcpServers = [] } = await load(place);
    const [web, run] = mcpServers.map(({ secrets = [] }) => secrets);
    expect(web).toEqual(expect.arrayContaining(['in-the-address', 'from-the-variable']));
    expect(run).toEqual(expect.arrayContaining(['in-env', 'in-words', 'from-the-variable']));
    expect(run).not.toContain('nothing-secret');
  });

  it('that are given come first, and alone where that is asked for', async () => {
    const place = await makeTestProject();
    await place.put('~/.robota/mcp.json', {
      mcpServers: { db: { command: 'mine' }, web: { url: 'http://x' } },
    });
    const given = [{ source: '--mcp-config', servers: { db: { command: 'given' } as JsonObject } }];
    const names = async (options: LoadConfigOptions) =>
      (await load(place, options)).mcpServers?.map(({ name, origin }) => `${name} ${origin.scope}`);
    expect(await names({ mcpServers: given })).toEqual(['db command line', 'web user']);
    expect(await names({ mcpServers: given, strictMcpConfig: true })).toEqual(['db command line']);
    expect(await names({ strictMcpConfig: true })).toEqual([]);
  });
});

describe('names and variables', () => {
  it('leave names whole that rules need', () => {
    expect(nameProblem('x'.repeat(48))).toBeUndefined();
    expect(nameProblem('x'.repeat(49))).toBe('a name has between 1 and 48 characters');
  });

  it('never let the name of one server read like that of another, whatever it is', () => {
    const part = (name: string) => name.replaceAll(/[^A-Za-z0-9_-]/g, '_');
    const letters = fc.constantFrom('a', 'b', '_', '-', '.', '1', ' ');
    const name = fc.array(letters, { minLength: 1, maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(name, name, name, (one, other, tool) => {
        fc.pre(
          nameProblem(one) === undefined && nameProblem(other) === undefined && part(one) !== part(other),
        );
        expect(`mcp__${part(one)}__${part(tool)}`.startsWith(`mcp__${part(other)}__`)).toBe(false);
      }),
    );
  });

  it('fills in what is set, takes defaults for the rest, and names what has none', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, text) => {
        fc.pre(!/[${}]|\$env/i.test(text + value));
        const written = {
          list: [`${text}\${A}`, 3, null],
          map: { key: `\${B:-${text}}`, other: `\${C}` },
        };
        expect(expandVariables(written, { A: value })).toEqual({
          value: { list: [text + value, 3, null], map: { key: text, other: '' } },
          filled: { A: value },
          missing: ['C'],
        });
      }),
    );
  });
});
