import { join } from 'node:path';

/** Where keys, tokens and logins usually lie, below the home directory. */
const secretNames = [
  '.aws',
  '.azure',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.config/BraveSoftware',
  '.config/chromium',
  '.config/gcloud',
  '.config/gh/hosts.yml',
  '.config/google-chrome',
  '.config/op',
  '.docker/config.json',
  '.docker/run',
  '.git-credentials',
  '.gnupg',
  '.kube',
  '.local/share/keyrings',
  '.mozilla',
  '.netrc',
  '.npmrc',
  '.password-store',
  '.pi/agent/auth.json',
  '.pypirc',
  '.rab/auth.json',
  '.robota/auth.json',
  '.ssh',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  'Library/Keychains',
];

/** Places that sandboxed commands can't read unless they are granted. */
export function hiddenPlaces(home: string): string[] {
  return secretNames.map((name) => join(home, name));
}
