import { resolve } from 'node:path';
import {
  AgentError,
  errorMessage,
  isLoopback,
  type ProblemHint,
  readRegularFileSync,
} from '@robota-sdk/agent-core';
import type { McpOAuthOptions, McpServer, OAuthGrant } from '../source/server-definition.ts';

type MachineLogin = import('@robota-sdk/agent-tool-mcp').MachineLogin;

/** Required fields per grant. */
const needed: Readonly<Record<OAuthGrant, readonly (keyof McpOAuthOptions)[]>> = {
  authorization_code: [],
  client_credentials: ['clientId'],
  cross_app_access: ['clientId', 'clientSecret', 'idpTokenEndpoint', 'idpClientId', 'idToken'],
};

/** Advice if secrets would be sent unencrypted. */
export const insecureHint: ProblemHint = {
  text: 'Use https, or allow it with',
  run: ['config', 'set', 'allowInsecureHttp', 'true'],
};

/** The missing or unknown field of such a login; undefined if it is usable. */
export function machineLoginProblem(
  oauth: McpOAuthOptions,
  transport: McpServer['config']['transport'],
  { allowInsecureHttp = false }: { readonly allowInsecureHttp?: boolean | undefined },
): { readonly why: string; readonly hint?: ProblemHint } | undefined {
  const { grant = 'authorization_code', clientSecret, privateKeyFile } = oauth;
  const missing = needed[grant].filter((field) => oauth[field] === undefined);
  if (missing.length > 0) return { why: `the grant ${grant} needs ${missing.join(', ')}` };
  if (grant === 'client_credentials' && (clientSecret === undefined) === (privateKeyFile === undefined))
    return { why: 'the grant client_credentials needs either a clientSecret or a privateKeyFile' };
  const { protocol, host } = new URL('url' in transport ? transport.url : 'https://localhost');
  if (grant !== 'authorization_code' && protocol === 'http:' && !isLoopback(host) && !allowInsecureHttp)
    return { why: `its tokens would go to ${host} unencrypted`, hint: insecureHint };
  return undefined;
}

/** The login of a server without a user; undefined if a user must log in. */
export function machineLogin({ name, oauth = {} }: McpServer, cwd: string): MachineLogin | undefined {
  const { grant, clientId = '', clientSecret = '', privateKeyFile, scope } = oauth;
  const shared = { clientId, ...(scope === undefined ? {} : { scope }) };
  if (grant === 'cross_app_access') {
    const { idpTokenEndpoint = '', idpClientId = '', idToken = '' } = oauth;
    return { ...shared, kind: 'cross-app', clientSecret, idpTokenEndpoint, idpClientId, idToken };
  }
  if (grant !== 'client_credentials') return undefined;
  if (privateKeyFile === undefined) return { ...shared, kind: 'secret', clientSecret };
  const privateKey = keyIn(resolve(cwd, privateKeyFile), name);
  return { ...shared, kind: 'private-key', privateKey, algorithm: oauth.signingAlgorithm ?? 'ES256' };
}

function keyIn(file: string, server: string): string {
  try {
    return readRegularFileSync(file).toString();
  } catch (thrown) {
    throw new AgentError('config', `The private key of ${server} cannot be read: ${errorMessage(thrown)}`);
  }
}
