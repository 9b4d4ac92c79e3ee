import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { MachineLogin } from '../contract/machine-login.ts';
import type { ClientLibrary } from './client-library.ts';

/** Logs in for itself with the grants of the protocol's own library. */
export function machineProvider(library: ClientLibrary, login: MachineLogin): OAuthClientProvider {
  const { clientId, scope } = login;
  const shared = { clientId, ...(scope === undefined ? {} : { scope }) };
  switch (login.kind) {
    case 'secret':
      return new library.ClientCredentialsProvider({ ...shared, clientSecret: login.clientSecret });
    case 'private-key':
      return new library.PrivateKeyJwtProvider({
        ...shared,
        privateKey: login.privateKey,
        algorithm: login.algorithm,
      });
    case 'cross-app':
      return new library.CrossAppAccessProvider({
        clientId,
        clientSecret: login.clientSecret,
        assertion: async (request) => {
          const grant = await library.requestJwtAuthorizationGrant({
            tokenEndpoint: login.idpTokenEndpoint,
            audience: request.authorizationServerUrl,
            resource: request.resourceUrl,
            idToken: login.idToken,
            clientId: login.idpClientId,
            ...(request.scope === undefined ? {} : { scope: request.scope }),
            fetchFn: request.fetchFn,
          });
          return grant.jwtAuthGrant;
        },
      });
  }
}
