import { endpointOf, type Vendor } from '@robota-sdk/agent-core';

/** Why an address is no base URL, with an example; undefined if it is one. Local ones need no scheme. */
export function baseUrlProblem(written: string, vendor: Vendor): string | undefined {
  const { baseUrl } = endpointOf(vendor, { baseUrl: written });
  if (baseUrl === vendor.baseUrl || (/^https?:/i.test(baseUrl) && URL.canParse(baseUrl))) return undefined;
  // A user and a password before the host are not repeated.
  const shown = written.replace(/^[^@]*@/, '');
  return `"${shown}" is not a URL. Write it with its scheme, such as https://models.example.com/v1 or http://localhost:8000/v1.`;
}
