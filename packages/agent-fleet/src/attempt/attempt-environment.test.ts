import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptEnvironment, secretVariables } from './attempt-environment.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-environment-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the environment of an attempt', () => {
  const env = {
    PATH: '/bin',
    LANG: 'C.UTF-8',
    ANTHROPIC_API_KEY: 'the key of a model',
    GH_TOKEN: 'a token',
    DB_PASSWORD: 'a password',
    PGPASSWORD: 'another',
    PGHOST: 'db',
    ROBOTA_FLEET: 'postgres://fleet@db/fleet',
    CACHE_ADDRESS: 'redis://user:hidden@cache:6379',
    PLAIN_ADDRESS: 'http://localhost:8080/a@b',
    GATEWAY_KEY: 'the key of a gateway',
    UNSET: undefined,
  };

  it('has the keys of models, and no other secret', () => {
    const kept = ['PATH', 'LANG', 'ANTHROPIC_API_KEY', 'PLAIN_ADDRESS'];
    expect(Object.keys(attemptEnvironment(env, home))).toEqual(kept);
  });

  it('has the variables that the files of the user name for a model', () => {
    writeFileSync(join(home, 'models.json'), '{ "headers": { "x-key": "$ENV:GATEWAY_KEY" } }');
    expect(attemptEnvironment(env, home)).toMatchObject({ GATEWAY_KEY: 'the key of a gateway' });
  });

  it('has a variable whose mere name is the key of a model', () => {
    writeFileSync(join(home, 'models.json'), '{ "providers": { "lab": { "apiKey": "GATEWAY_KEY" } } }');
    expect(attemptEnvironment(env, home)).toMatchObject({ GATEWAY_KEY: 'the key of a gateway' });
    expect(secretVariables(env, home)).toMatchObject({ GATEWAY_KEY: 'the key of a gateway' });
  });

  it('names every secret for the log, keys of models included', () => {
    const hidden = ['the key of a model', 'a token', 'a password', 'redis://user:hidden@cache:6379'];
    expect(Object.values(secretVariables(env, home))).toEqual(expect.arrayContaining(hidden));
    expect(Object.values(secretVariables(env, home))).not.toContain('/bin');
  });
});
