import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAccount } from '@robota-sdk/agent-cloud';
import type { CloudName } from '@robota-sdk/agent-core';
import { createAnthropicProvider } from '@robota-sdk/agent-provider-anthropic';
import {
  anthropicReply,
  collectEvents,
  jsonReply,
  type ModelServer,
  openaiResponsesReply,
  startModelServer,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  awsKeys,
  type FrontRequest,
  signatureProblem,
  startFront,
} from '../packages/agent-cloud/src/fixtures/cloud-front.ts';
import { requestOf } from '../packages/agent-provider-anthropic/suites/anthropic-harness.ts';
import { openStage } from './stage.ts';

let home: string;
let server: ModelServer;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  home = await temporaryDirectory();
  server = await startModelServer();
  ends.push(server.close);
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The cloud's answer to a request: undefined to let the model answer. */
type Guard = (request: FrontRequest) => { status: number; json: unknown; date?: Date } | undefined;

interface Front {
  readonly cloud: CloudName;
  guard: Guard;
  env(url: string): Record<string, string>;
}

/** Runs turns by an account; gives the last event of each. */
async function turns(count: number, { cloud, guard, env }: Front) {
  const front = await startFront({
    upstream: server.url,
    isFramed: cloud === 'bedrock',
    translate: (request) => {
      const { anthropic_version: _, ...body } = /^\{/.test(request.text) ? JSON.parse(request.text) : {};
      const headers = { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' };
      return guard(request) ?? { path: '/v1/messages', headers, body: { ...body, model: 'm', stream: true } };
    },
  });
  ends.push(front.close);
  const account = openAccount(cloud, { env: env(front.url), home, baseUrl: front.url });
  const provider = createAnthropicProvider({ vendor: cloud, baseUrl: front.url, account });
  const last = [];
  for (let turn = 0; turn < count; turn++) {
    server.reply(anthropicReply({ text: 'hello' }));
    last.push((await collectEvents(provider.stream(requestOf()))).at(-1));
  }
  return last;
}

const refused = { status: 403, json: { message: 'The security token included in the request is expired' } };
const region = { AWS_REGION: 'eu-west-1', AWS_EC2_METADATA_DISABLED: 'true' };

describe('credentials that end in the middle of a run', () => {
  it('are found once more at Amazon', async () => {
    let rotations = 0;
    writeFileSync(join(home, 'keys.sh'), `echo run >> ${home}/runs; cat ${home}/keys.json\n`);
    const keep = (id: string) =>
      writeFileSync(
        join(home, 'keys.json'),
        JSON.stringify({ AccessKeyId: id, SecretAccessKey: awsKeys.secret }),
      );
    keep('FIRST');
    writeFileSync(join(home, 'config'), `[default]\ncredential_process = sh ${home}/keys.sh\n`);
    const seen: string[] = [];
    const last = await turns(3, {
      cloud: 'bedrock',
      env: () => ({ ...region, AWS_CONFIG_FILE: join(home, 'config'), PATH: process.env.PATH ?? '' }),
      guard: ({ headers }) => {
        const id = /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
        seen.push(id);
        if (seen.length === 2) keep('SECOND');
        if (seen.length === 1 || id !== 'FIRST') return undefined;
        rotations++;
        return refused;
      },
    });
    expect(last.map((event) => event?.type)).toEqual(['end', 'end', 'end']);
    expect(seen).toEqual(['FIRST', 'FIRST', 'SECOND', 'SECOND']);
    expect(rotations).toBe(1);
  });

  it('are asked for only once where they stay refused', async () => {
    const seen: string[] = [];
    const keys = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: awsKeys.secret };
    const last = await turns(2, {
      cloud: 'bedrock',
      env: () => ({ ...region, ...keys }),
      guard: ({ path }) => (seen.push(path) > 1 ? refused : undefined),
    });
    expect(last[1]).toMatchObject({ type: 'error', failure: { code: 'auth', retryable: false } });
    expect(seen).toHaveLength(3);
  });

  it('are found once more at Google', async () => {
    const file = join(home, 'login.json');
    let given = 0;
    const seen: string[] = [];
    const last = await turns(3, {
      cloud: 'vertex',
      env: (url) => {
        const login = { type: 'authorized_user', client_id: 'c', client_secret: 's', refresh_token: 'r' };
        writeFileSync(file, JSON.stringify({ ...login, token_uri: `${url}/token` }));
        return { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CLOUD_PROJECT: 'p' };
      },
      guard: ({ path, headers }) => {
        if (path === '/token')
          return { status: 200, json: { access_token: `t${++given}`, expires_in: 3600 } };
        seen.push(headers.authorization ?? '');
        const isOver = seen.length > 1 && headers.authorization === 'Bearer t1';
        return isOver ? { status: 401, json: { error: { status: 'UNAUTHENTICATED' } } } : undefined;
      },
    });
    expect(last.map((event) => event?.type)).toEqual(['end', 'end', 'end']);
    expect(seen).toEqual(['Bearer t1', 'Bearer t1', 'Bearer t2', 'Bearer t2']);
  });
});

it('signs by the clock of the server where that of this machine is wrong', async () => {
  for (const hours of [-2, 5]) {
    const date = new Date(Date.now() + hours * 3_600_000);
    const seen: (string | undefined)[] = [];
    const last = await turns(2, {
      cloud: 'bedrock',
      env: () => ({ ...region, AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: awsKeys.secret }),
      guard: (request) => {
        const problem = signatureProblem(request, awsKeys.secret, date.getTime());
        seen.push(problem);
        return problem === undefined ? undefined : { ...refused, date };
      },
    });
    expect(last.map((event) => event?.type)).toEqual(['end', 'end']);
    expect(seen.filter((problem) => problem === undefined)).toHaveLength(2);
    expect(seen).toHaveLength(3);
  }
});

it('renews a token of Entra in the middle of a run, and says what an account lacks that stays refused', async () => {
  const stage = await openStage();
  const azure = await startModelServer();
  let given = 0;
  let valid = 'Bearer t1';
  azure.handle(({ path, headers, text }) => {
    if (path.includes('/oauth2/')) return jsonReply(200, { access_token: `t${++given}`, expires_in: 3_600 });
    if (headers.authorization !== valid) return jsonReply(401, { error: { message: 'Token expired' } });
    if (text.includes('function_call_output')) return openaiResponsesReply({ text: 'done' });
    valid = 'Bearer t2';
    return openaiResponsesReply({ calls: [{ id: 'c1', name: 'Read', input: '{"file_path":"a.txt"}' }] });
  });
  const env = {
    AZURE_OPENAI_ENDPOINT: azure.url,
    AZURE_AUTHORITY_HOST: azure.url,
    AZURE_TENANT_ID: 't',
    AZURE_CLIENT_ID: 'c',
    AZURE_CLIENT_SECRET: 'hush',
  };
  try {
    await stage.file('a.txt', 'text');
    const run = () => stage.robota(['-p', 'go', '--model', 'azure/mine'], { env });
    expect(await run()).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(given).toBe(2);
    valid = 'never';
    const { stderr } = await run();
    expect(stderr).toContain('Token expired. Check the role Cognitive Services OpenAI User of the account.');
    expect(stderr).not.toContain('hush');
  } finally {
    await azure.close();
    await stage.server.close();
  }
});
