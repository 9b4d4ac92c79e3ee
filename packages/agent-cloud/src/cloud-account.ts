import type { CloudAccount, CloudName } from '@robota-sdk/agent-core';
import { BedrockAccount } from './aws/bedrock-account.ts';
import { AzureAccount } from './azure/azure-account.ts';
import type { AccountOptions } from './credential/credentials.ts';
import { VertexAccount } from './google/vertex-account.ts';

/** Opens the user's account of a cloud. */
export function openAccount(cloud: CloudName, options: AccountOptions): CloudAccount {
  switch (cloud) {
    case 'bedrock':
      return new BedrockAccount(options);
    case 'vertex':
      return new VertexAccount(options);
    case 'azure':
      return new AzureAccount(options);
  }
}
