import type { SecureContext } from 'node:tls';
import type { Environment } from '../proxy/find-proxy.ts';

/** Variables that name a file with further certificate authorities. */
export const certificateVariables = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'AWS_CA_BUNDLE'] as const;

/** A file of certificates that the environment names. */
export interface CertificateFile {
  readonly variable: string;
  readonly path: string;
  readonly certificates: readonly string[];
  /** Why it is not used. */
  readonly problem?: string;
}

let cached: { readonly key: string; readonly context: SecureContext } | undefined;

/**
 * Trust of connections if the environment names further authorities: those of Node and those of each file. Undefined where
 * Node's own are enough. A file that cannot be used is left out: connections that need it fail and name it.
 */
export function ownSecureContext(env: Environment = process.env): SecureContext | undefined {
  const key = certificateVariables.map((name) => env[name] ?? '').join('\n');
  if (key.trim() === '') return undefined;
  if (cached?.key === key) return cached.context;
  const { createSecureContext } = process.getBuiltinModule('node:tls');
  const context = createSecureContext({ ca: [...trustedCertificates(env)] });
  cached = { key, context };
  return context;
}

/** The authorities of Node and of the files that the environment names, for programs that take one file with all of them. */
export function trustedCertificates(env: Environment = process.env): readonly string[] {
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  return [...rootCertificates, ...readCertificateFiles(env).flatMap(({ certificates }) => certificates)];
}

/** Reads the files that the environment names. */
export function readCertificateFiles(env: Environment = process.env): readonly CertificateFile[] {
  return certificateVariables.flatMap((variable) => {
    const path = env[variable]?.trim() ?? '';
    return path === '' ? [] : [readCertificateFile(variable, path)];
  });
}

function readCertificateFile(variable: string, path: string): CertificateFile {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  try {
    const certificates = certificatesIn(readFileSync(path, 'utf8'));
    if (certificates.length > 0) return { variable, path, certificates };
    return { variable, path, certificates, problem: 'holds no certificate in PEM form' };
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    return { variable, path, certificates: [], problem: `cannot be read (${code})` };
  }
}

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** Only blocks that are certificates: one broken block must not make the others useless. */
function certificatesIn(text: string): string[] {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  return text.split(begin).flatMap((part) => {
    const at = part.indexOf(end);
    if (at < 0) return [];
    const block = `${begin}${part.slice(0, at)}${end}\n`;
    try {
      new X509Certificate(block);
      return [block];
    } catch {
      return [];
    }
  });
}
